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

/** Adds up the tone of the messages that each contact sent. Add in the order of the messages: then the sums are the same on every run. */
export class SentimentTally {
  private readonly sums: Float64Array;
  private readonly counts: Uint32Array;

  constructor(contacts: number) {
    this.sums = new Float64Array(contacts);
    this.counts = new Uint32Array(contacts);
  }

  /** @param score tone of one message sent by the contact; null adds nothing */
  add(contact: number, score: number | null): void {
    if (score === null) return;
    this.sums[contact] = this.sums[contact]! + score;
    this.counts[contact] = this.counts[contact]! + 1;
  }

  labelOf(contact: number): Sentiment {
    return sentimentLabel(this.sums[contact] ?? 0, this.counts[contact] ?? 0);
  }
}
