import { wordHash } from "../text/tokens/word-numbers.ts";

/**
 * A token of a message in 32 bits: 28 of the hash of its normal form, 2 of its capitals, 1 for a stripped plural, 1 for
 * a word directly after the previous one. Messages can thus be stored, pooled and shown again without strings. Among
 * half a million distinct words, about forty of a vocabulary of 20,000 share a hash with a rare one.
 */
export const ADJACENT = 1;
export const PLURAL = 2;
const CASE_SHIFT = 2;
const HASH_SHIFT = 4;

/** The capitals of a word. Mixed forms ("eBay") are kept unchanged. */
export const LetterCase = { lower: 0, title: 1, upper: 2, mixed: 3 } as const;
export type LetterCase = (typeof LetterCase)[keyof typeof LetterCase];

/** Line break; no hash, and so no token, is 0. */
export const LINE_END = 0;

/** 28-bit hash of a normal form, 1…2^28-1. */
export function termHash(stem: string): number {
  return foldHash(wordHash(stem));
}

/** The same from `wordHash` of the normal form: its upper bits are folded in. */
export function foldHash(hash: number): number {
  return (hash ^ (hash >>> 15)) >>> HASH_SHIFT || 1;
}

export function packToken(hash: number, letterCase: LetterCase, flags: number): number {
  return ((hash << HASH_SHIFT) | (letterCase << CASE_SHIFT) | flags) >>> 0;
}

export const hashOfToken = (token: number): number => token >>> HASH_SHIFT;
export const caseOfToken = (token: number): LetterCase => ((token >>> CASE_SHIFT) & 3) as LetterCase;
export const isAdjacent = (token: number): boolean => (token & ADJACENT) !== 0;
/** The three bits for the form of a word: capitals and plural. */
export const formOfToken = (token: number): number => (token >>> 1) & 7;
/** Number of different values of `formOfToken`. */
export const FORMS = 8;
