import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import { matchesOf } from "./matches.ts";
import { isNorthAmerican } from "./north-america.ts";

/**
 * National numbers in the North American notation only, as others look like any number; else digits after an
 * international prefix. Every repetition is bounded by the 15 digits of ITU-T E.164.
 */
const WRITTEN =
  /(?=[+(\d])(?<![\w$€£¥+.,/=&#%:-])(?:(?:\+?1[ .-]?)?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[ ./-] ?)[2-9]\d{2}[ .-]\d{4}|(?:\+|00|011[ -])\d(?:[ ./()-]{0,3}\d){7,14})(?![\w%/=@-]|[.,]\d)/g;
/** `44 207 946 0958`: the end of a number of another country. */
const SPACED = /^\d{3} \d{3} \d{4}$/;
const COUNTRY_CODE = /(?<!\d)[2-9]\d $/;
/** Quick check: text without these has no numbers. */
const PART = /\d{3}[ .-]\d{4}|\+\d|\b0(?:0|11[ -])\d/;
const INTERNATIONAL = /^(?:\+|00|011[ -])/;
const NORTH_AMERICAN = /^(?:\+?1)?(\d{10})$/;

/** Phone numbers of a text in E.164. */
export function phoneNumbers(text: string): readonly string[] {
  if (!PART.test(text)) return [];
  const written = new Set<string>();
  for (const { 0: number, index } of matchesOf(WRITTEN, text))
    if (!(SPACED.test(number) && COUNTRY_CODE.test(text.slice(Math.max(0, index - 4), index)))) written.add(number);
  return [...written].flatMap((number) => normalized(number) ?? []);
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
