import { parsePhoneNumberFromString } from "libphonenumber-js/min";

/**
 * National numbers in the North American notation only, as others look like any number; else digits after an
 * international prefix. Every repetition is bounded by the 15 digits of ITU-T E.164.
 */
const WRITTEN =
  /(?=[+(\d])(?<![\w$€£¥+.,/=&#%:-])(?:(?:\+?1[ .-]?)?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[ ./-] ?)[2-9]\d{2}[ .-]\d{4}|(?:\+|00|011[ -])\d(?:[ ./()-]{0,3}\d){7,14})(?![\w%/=@-]|[.,]\d)/g;
const INTERNATIONAL = /^(?:\+|00|011[ -])/;

/** Phone numbers of a text in E.164. */
export function* phoneNumbers(text: string): Generator<string> {
  const written = new Set(Array.from(text.matchAll(WRITTEN), ([number]) => number));
  for (const one of written) {
    const number = normalized(one);
    if (number !== null) yield number;
  }
}

/** Cache of parsed numbers: signatures repeat them, and the library takes most of the time. */
const MAX_KNOWN = 4096;
const known = new Map<string, string | null>();

function normalized(written: string): string | null {
  const found = known.get(written);
  if (found !== undefined) return found;
  if (known.size === MAX_KNOWN) known.clear();
  const number = parsePhoneNumberFromString(written.replace(INTERNATIONAL, "+").replace("(0)", ""), "US");
  const value = number?.isValid() === true ? number.number : null;
  known.set(written, value);
  return value;
}
