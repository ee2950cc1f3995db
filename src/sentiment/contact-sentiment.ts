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

/**
 * Tone of the messages that each contact sent. Messages of one contact with the very same tone are one template that
 * was sent again and again, and count once; those that say nothing (0) are no template. The order of the messages
 * changes nothing.
 */
export class SentimentTally {
  /** Tones of contact `n` are tones[starts[n], starts[n + 1]). */
  private readonly starts: Uint32Array;
  private readonly ends: Uint32Array;
  private readonly tones: Float32Array;

  /** @param scored messages of each contact that will be added */
  constructor(scored: Uint32Array) {
    this.starts = new Uint32Array(scored.length + 1);
    scored.forEach((count, contact) => {
      this.starts[contact + 1] = this.starts[contact]! + count;
    });
    this.ends = this.starts.slice(0, -1);
    this.tones = new Float32Array(this.starts[scored.length]!);
  }

  /** @param score tone of one message sent by the contact */
  add(contact: number, score: number): void {
    this.tones[this.ends[contact]!] = score;
    this.ends[contact]!++;
  }

  labelOf(contact: number): Sentiment {
    const tones = this.tones.subarray(this.starts[contact], this.ends[contact]).sort();
    let sum = 0;
    let count = 0;
    for (let at = 0; at < tones.length; at++) {
      if (at > 0 && tones[at] === tones[at - 1] && tones[at] !== 0) continue;
      sum += tones[at]!;
      count++;
    }
    return sentimentLabel(sum, count);
  }
}
