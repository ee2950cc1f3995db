import type { Page } from "../../mail/archive.ts";
import { APOSTROPHES } from "../../mail/words/apostrophes.ts";
import { foldKey } from "../../mail/words/fold-key.ts";

/** Precedes every contact's text and occurs in none, so that no match spans two contacts. */
const SEPARATOR = "\0";

export interface ContactMatches {
  /** One page of ordinals. */
  readonly ordinals: readonly number[];
  readonly total: number;
}

/** Folded names and addresses of all contacts as one string. */
export interface ContactTexts {
  readonly text: string;
  /** Ascending. */
  readonly ordinals: Uint32Array;
  /** Start of each contact's text, and the end of the last. */
  readonly starts: Uint32Array;
}

const APOSTROPHE = new RegExp(`[${APOSTROPHES}]`, "g");
/** Hyphens and dashes, and the blank that others write instead. */
const HYPHENS = /[\u2010-\u2015\u2212-]/g;

/** A folded text with one apostrophe for all, and a blank for every hyphen: `O’Brien`, `Anne-Marie`. */
function withoutVariants(key: string): string {
  return key.replace(APOSTROPHE, "'").replace(HYPHENS, " ");
}

/** @param stored each contact with its folded text, ascending. */
export function contactTexts(stored: readonly (readonly [ordinal: number, searchKey: string])[]): ContactTexts {
  const rows = stored.map(([ordinal, key]) => [ordinal, withoutVariants(key)] as const);
  const starts = new Uint32Array(rows.length + 1);
  let length = 0;
  for (const [place, [, key]] of rows.entries()) {
    starts[place] = length;
    length += key.length + 1;
  }
  starts[rows.length] = length;
  return {
    text: rows.map(([, key]) => SEPARATOR + key).join(""),
    ordinals: Uint32Array.from(rows, ([id]) => id),
    starts,
  };
}

/** Contacts in a sort's order, as indexes into the ordinal order. @param sorted their ordinals in that order */
export function placesInOrder({ ordinals }: ContactTexts, sorted: readonly number[]): Uint32Array {
  const places = new Map(Array.from(ordinals, (ordinal, place) => [ordinal, place]));
  return Uint32Array.from(sorted, (ordinal) => places.get(ordinal)!);
}

/**
 * Finds a page of contacts whose text contains the search text, ignoring case and accents, in the order of `places`.
 */
export function findContacts(
  texts: ContactTexts,
  { text, order, page }: { readonly text: string; readonly order: Uint32Array; readonly page: Page },
): ContactMatches {
  const { matches, total } = matchTexts(texts, withoutVariants(foldKey(text).toWellFormed()));
  const ordinals: number[] = [];
  let skip = page.offset;
  if (skip >= total) return { ordinals, total };
  for (const place of order) {
    if (matches[place] === 0) continue;
    if (skip > 0) {
      skip--;
      continue;
    }
    if (ordinals.length === page.limit) break;
    ordinals.push(texts.ordinals[place]!);
  }
  return { ordinals, total };
}

/** Matches are in text order, so the contact of each is found by advancing from the previous one. */
function matchTexts(
  { text, ordinals, starts }: ContactTexts,
  wanted: string,
): { readonly matches: Uint8Array; readonly total: number } {
  const matches = new Uint8Array(ordinals.length);
  let total = 0;
  if (wanted.includes(SEPARATOR)) return { matches, total };
  let place = 0;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, starts[place + 1])) {
    while (starts[place + 1]! <= at) place++;
    matches[place] = 1;
    total++;
  }
  return { matches, total };
}
