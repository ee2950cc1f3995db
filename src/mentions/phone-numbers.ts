import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import { hasCueBefore, PHONE_CUES } from "../redaction/keyword-context.ts";
import { matchesOf } from "./matches.ts";
import { isNorthAmerican } from "./north-america.ts";

/** Hyphens and blanks as keyboards and word processors write them. */
const HYPHEN = "[-‐‑–]";
const BLANK = "[ \\u00a0]";
const WITHIN = `(?:${HYPHEN}|[ .\\u00a0])`;
/** `(415) 555-2671`, `(415)5552671`, `415/ 555.2671` or `415 - 555 - 2671`. */
const NORTH_AMERICA = `(?:\\([2-9]\\d{2}\\)${BLANK}?(?:${HYPHEN}${BLANK}?)?[2-9]\\d{2}|[2-9]\\d{2}(?:${BLANK}?(?:${HYPHEN}|[./])${BLANK}?|${BLANK})[2-9]\\d{2}(?=\\D))(?:${BLANK}?${HYPHEN}${BLANK}?|${WITHIN})?\\d{4}`;
/**
 * National numbers in the North American notation only, as others look like any number; else digits after an
 * international prefix, or ten digits after a word such as `phone`. Every repetition is bounded by the 15 digits of
 * ITU-T E.164.
 */
const WRITTEN = new RegExp(
  `(?=[+(\\d])(?<![\\w$€£¥+.,/=&%-]|[^A-Za-z]:)(?:(?:\\+?1${WITHIN}?)?${NORTH_AMERICA}|(?:\\+|00|011[ .-])\\d(?:(?:${HYPHEN}|[ ./()\\u00a0]){0,3}\\d){7,14}|[2-9]\\d{2}[2-9]\\d{6})(?:(?=x\\d|[A-Za-z]{2})|(?![\\w%/=@-]|[.,]\\d))`,
  "g",
);
const TEN_DIGITS = /^\d{10}$/;
/** `44 207 946 0958`: the end of a number of another country. */
const SPACED = /^\d{3} \d{3} \d{4}$/;
const COUNTRY_CODE = /(?<!\d)[2-9]\d $/;
/** Quick check: text without these has no numbers. */
const PART = /\d{3}(?:[ .‐‑–\u00a0-]| [-‐‑–] )\d{4}|\+\d|\b0(?:0|11[ .-])\d|\)\d{7}|\b[2-9]\d{9}\b/;
const INTERNATIONAL = /^(?:\+|00|011[ .-])/;
const NORTH_AMERICAN = /^(?:\+?1)?(\d{10})$/;

/** Phone numbers of a text in E.164. */
export function phoneNumbers(text: string): readonly string[] {
  if (!PART.test(text)) return [];
  const written = new Set<string>();
  for (const { 0: number, index } of matchesOf(WRITTEN, text))
    if (isPhoneNumber(number, index, text)) written.add(number);
  return [...written].flatMap((number) => normalized(number) ?? []);
}

function isPhoneNumber(number: string, at: number, text: string): boolean {
  if (TEN_DIGITS.test(number)) return hasCueBefore(text, at, { cues: PHONE_CUES, floor: 0 });
  return !(SPACED.test(number) && COUNTRY_CODE.test(text.slice(Math.max(0, at - 4), at)));
}

/** Cache of validated numbers: mail repeats them, and the library takes most of the time. */
const MAX_KNOWN = 4096;
const known = new Map<string, string | null>();

function normalized(written: string): string | null {
  const number = written
    .replace(INTERNATIONAL, "+")
    .replace("(0)", "")
    .replaceAll(/[^+\d]/g, "");
  const national = NORTH_AMERICAN.exec(number)?.[1];
  if (national !== undefined) return isNorthAmerican(national) ? `+1${national}` : null;
  let valid = known.get(number);
  if (valid === undefined) {
    if (known.size === MAX_KNOWN) known.clear();
    known.set(number, (valid = parsed(number)));
  }
  return valid;
}

function parsed(number: string): string | null {
  const phone = parsePhoneNumberFromString(number, "US");
  return phone?.isValid() === true ? phone.number : null;
}
