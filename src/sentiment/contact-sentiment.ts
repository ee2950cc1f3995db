import type { Sentiment } from "../mail/records/contact.ts";

/** Minimum messages sent by a contact before its tone gets a label. */
const MIN_MESSAGES = 3;
/** Neutral messages that are mixed in, so that a label needs evidence: score = sum / (n + 5). */
const PRIOR_MESSAGES = 5;
/**
 * Mail is polite, and neutral prose scores above zero, so the threshold for "positive" is higher than for "negative".
 */
const POSITIVE_FROM = 0.1;
const NEGATIVE_TO = -0.05;

/** Label of a contact whose `count` messages have a total score of `sum`. */
export function sentimentLabel(sum: number, count: number): Sentiment {
  if (count < MIN_MESSAGES) return "neutral";
  const score = sum / (count + PRIOR_MESSAGES);
  if (score >= POSITIVE_FROM) return "positive";
  return score <= NEGATIVE_TO ? "negative" : "neutral";
}

/** Messages per template, on average and in total, from which a sender is automated. */
const MACHINE_REPEATS = 4;
const MIN_MACHINE_MESSAGES = 12;

/** Sentiment of some messages of a sender. */
interface SentTones {
  readonly tones: Float32Array;
  /** From `templateKey`; 0 for none. */
  readonly templates: Int32Array;
}

/**
 * Sentiment of a contact's sent messages. Messages from one template count once, with their mean; so do messages with
 * exactly the same nonzero score. A sender of mostly templates is a program, and has no score. Independent of message
 * order.
 */
export function toneOfSender(sent: SentTones): Sentiment {
  const messages = sent.tones.length;
  const tones = tonesOfTemplates(sent);
  if (messages >= MIN_MACHINE_MESSAGES && tones.length * MACHINE_REPEATS <= messages) return "neutral";
  tones.sort();
  let sum = 0;
  let count = 0;
  for (let at = 0; at < tones.length; at++) {
    if (at > 0 && tones[at] === tones[at - 1] && tones[at] !== 0) continue;
    sum += tones[at]!;
    count++;
  }
  return sentimentLabel(sum, count);
}

/** Mean sentiment of each template, and the values of messages without a template. */
function tonesOfTemplates({ tones, templates }: SentTones): Float32Array {
  const alone: number[] = [];
  const ofTemplate = new Map<number, number[]>();
  for (let at = 0; at < tones.length; at++) {
    const template = templates[at]!;
    const known = ofTemplate.get(template);
    if (template === 0) alone.push(tones[at]!);
    else if (known === undefined) ofTemplate.set(template, [tones[at]!]);
    else known.push(tones[at]!);
  }
  // Sorted, because the sum of floating-point numbers depends on their order.
  const means = Array.from(
    ofTemplate.values(),
    (own) => own.sort((a, b) => a - b).reduce((a, b) => a + b) / own.length,
  );
  return Float32Array.from([...alone, ...means]);
}
