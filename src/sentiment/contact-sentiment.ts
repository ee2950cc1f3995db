import type { Sentiment } from "../mail/contact.ts";

/** Messages a contact must have sent before its tone is labelled at all. */
const MIN_MESSAGES = 3;
/** Neutral messages that are mixed in, so that a label needs evidence: score = sum / (n + 5). */
const PRIOR_MESSAGES = 5;
/** Mail is polite: neutral prose scores above zero, so the way to "positive" is longer than to "negative". */
const POSITIVE_FROM = 0.1;
const NEGATIVE_TO = -0.05;

/** Label of a contact who sent `count` messages whose tones sum up to `sum`. */
export function sentimentLabel(sum: number, count: number): Sentiment {
  if (count < MIN_MESSAGES) return "neutral";
  const score = sum / (count + PRIOR_MESSAGES);
  if (score >= POSITIVE_FROM) return "positive";
  return score <= NEGATIVE_TO ? "negative" : "neutral";
}

/** Messages of one template, on average and over all it sent, that make a sender a program: its words are nobody's. */
const MACHINE_REPEATS = 4;
const MIN_MACHINE_MESSAGES = 12;

/**
 * Tone of the messages that each contact sent. Those of one template count once, with their mean; so do those with the
 * very same tone other than 0. A sender of little but templates is a program, and has no tone. The order of the
 * messages changes nothing.
 */
export class SentimentTally {
  /** Tones of contact `n` are tones[starts[n], starts[n + 1]). */
  private readonly starts: Uint32Array;
  private readonly ends: Uint32Array;
  private readonly tones: Float32Array;
  private readonly templates: Int32Array;

  /** @param scored messages of each contact that will be added */
  constructor(scored: Uint32Array) {
    this.starts = new Uint32Array(scored.length + 1);
    scored.forEach((count, contact) => {
      this.starts[contact + 1] = this.starts[contact]! + count;
    });
    this.ends = this.starts.slice(0, -1);
    this.tones = new Float32Array(this.starts[scored.length]!);
    this.templates = new Int32Array(this.tones.length);
  }

  /** @param score tone of one message sent by the contact @param template as `templateKey` tells it */
  add(contact: number, score: number, template: number): void {
    const at = this.ends[contact]!;
    this.tones[at] = score;
    this.templates[at] = template;
    this.ends[contact]!++;
  }

  labelOf(contact: number): Sentiment {
    const [start, end] = [this.starts[contact]!, this.ends[contact]!];
    const tones = this.tonesOfTemplates(start, end);
    if (end - start >= MIN_MACHINE_MESSAGES && tones.length * MACHINE_REPEATS <= end - start) return "neutral";
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

  /** Mean tone of each template between two places; of what is of none the tone of each. */
  private tonesOfTemplates(start: number, end: number): Float32Array {
    const alone: number[] = [];
    const ofTemplate = new Map<number, number[]>();
    for (let at = start; at < end; at++) {
      const template = this.templates[at]!;
      const known = ofTemplate.get(template);
      if (template === 0) alone.push(this.tones[at]!);
      else if (known === undefined) ofTemplate.set(template, [this.tones[at]!]);
      else known.push(this.tones[at]!);
    }
    // Sorted: a sum of the same numbers in another order may differ.
    const means = Array.from(
      ofTemplate.values(),
      (tones) => tones.sort((a, b) => a - b).reduce((a, b) => a + b) / tones.length,
    );
    return Float32Array.from([...alone, ...means]);
  }
}
