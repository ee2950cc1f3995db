import { ArchiveError } from "../../errors.ts";

/** A count of 1 or more. Throws INVALID_ARGUMENT, naming the flag. */
export function positiveInteger(flag: string, text: string): number {
  const number = Number(text);
  if (!/^\d{1,15}$/.test(text) || number < 1)
    throw new ArchiveError("INVALID_ARGUMENT", `${flag} must be a positive integer, not "${text}"`);
  return number;
}

/** One of some words. Throws INVALID_ARGUMENT, naming the flag. */
export function choiceOf<Word extends string>(flag: string, words: readonly Word[], text: string): Word {
  const word = words.find((known) => known === text);
  if (word !== undefined) return word;
  throw new ArchiveError("INVALID_ARGUMENT", `${flag} must be one of ${words.join(", ")}, not "${text}"`);
}
