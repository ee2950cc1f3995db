import { ArchiveError } from "../../errors.ts";

/** Digits that a number is padded to: productions of up to a hundred million documents sort by their names. */
const LEAST_DIGITS = 8;
/**
 * Letters, digits and signs that are valid in file names on all systems and do not separate values in review
 * platforms.
 */
const PREFIX = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,39}$/;
/** The largest first number: as many numbers after it are exact integers. */
const MAX_START = 1_000_000_000_000;

/** How documents of a load file are numbered. */
export interface Numbering {
  readonly prefix: string;
  readonly start: number;
}

/** Default numbering of documents. */
export const DEFAULT_NUMBERING: Numbering = { prefix: "DOC", start: 1 };

/** The numbering of the flags `--bates` and `--start`. Throws INVALID_ARGUMENT. */
export function numberingOf(prefix: string, start: string): Numbering {
  if (!PREFIX.test(prefix)) {
    throw new ArchiveError("INVALID_ARGUMENT", `--bates must be up to 40 letters, digits, _ . and -, not "${prefix}"`);
  }
  if (!/^\d{1,13}$/.test(start) || Number(start) > MAX_START)
    throw new ArchiveError("INVALID_ARGUMENT", `--start must be an integer from 0 to ${MAX_START}, not "${start}"`);
  return { prefix, start: Number(start) };
}

/** Assigns consecutive control numbers. */
export class ControlNumbers {
  private readonly prefix: string;
  private next: number;

  constructor({ prefix, start }: Numbering) {
    this.prefix = prefix;
    this.next = start;
  }

  take(): string {
    const number = this.prefix + String(this.next).padStart(LEAST_DIGITS, "0");
    this.next++;
    return number;
  }
}
