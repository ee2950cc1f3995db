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
 * Returns the list with a counted text: the same one if it has the text, or is full with `capacity` others. Further
 * texts are dropped, so that an address with a million names cannot take unlimited time or memory.
 */
export function withText(texts: CountedTexts, text: string, { times, own }: Weight, capacity: number): CountedTexts {
  for (const known of texts) {
    if (known.text !== text) continue;
    known.count += times;
    known.own += own;
    return texts;
  }
  // A new list of exact length: a list that grows in place reserves space for sixteen more.
  return texts.length < capacity ? [...texts, { text: detached(text), count: times, own }] : texts;
}

/** Text, count and own count of each text, in turn. */
export type FlatTexts = readonly (string | number)[];

export function flatTexts(texts: CountedTexts): FlatTexts {
  return texts.flatMap(({ text, count, own }) => [text, count, own]);
}

/** The texts that `flatTexts` flattened. */
export function countedTexts(flat: FlatTexts): CountedTexts {
  const texts: CountedText[] = [];
  for (let at = 0; at < flat.length; at += 3) {
    const [text, count, own] = flat.slice(at, at + 3) as [string, number, number];
    texts.push({ text, count, own });
  }
  return texts;
}
