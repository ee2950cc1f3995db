import { detached } from "../../columns/detached-text.ts";

/** A text and how often it was seen. */
export interface CountedText {
  readonly text: string;
  readonly count: number;
  /** Times among them that the owner wrote it. */
  readonly own: number;
}

/** Different texts with how often each was seen, in order of first appearance. */
export type CountedTexts = readonly { -readonly [Field in keyof CountedText]: CountedText[Field] }[];

/** Weight of one occurrence of a text. */
export interface Weight {
  /** 0 keeps the text without counting it. */
  readonly times: number;
  readonly own: number;
}

/**
 * The list with a text counted: the same one when it has the text, or has `capacity` others already. Those are let go, so
 * that no address with a million names can slow down or fill the memory.
 */
export function withText(texts: CountedTexts, text: string, { times, own }: Weight, capacity: number): CountedTexts {
  for (const known of texts) {
    if (known.text !== text) continue;
    known.count += times;
    known.own += own;
    return texts;
  }
  // A new list, as long as it must be: a list that grows in place keeps room for sixteen more.
  return texts.length < capacity ? [...texts, { text: detached(text), count: times, own }] : texts;
}
