import { parsePhoneNumberFromString } from "libphonenumber-js/min";

/**
 * National numbers in the North American notation only, as others look like any number; else digits after an
 * international prefix. Every repetition is bounded by the 15 digits of ITU-T E.164.
 */
const WRITTEN =
  /(?<![\w$€£¥+.,/=&#%:-])(?:(?:\+?1[ .-]?)?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[ ./-] ?)[2-9]\d{2}[ .-]\d{4}|(?:\+|00|011[ -])\d(?:[ ./()-]{0,3}\d){7,14})(?![\w%/=@-]|[.,]\d)/g;
const INTERNATIONAL = /^(?:\+|00|011[ -])/;

/** Phone numbers of a text in E.164. */
export function* phoneNumbers(text: string): Generator<string> {
  const written = new Set(Array.from(text.matchAll(WRITTEN), ([number]) => number));
  for (const one of written) {
    const number = parsePhoneNumberFromString(one.replace(INTERNATIONAL, "+").replace("(0)", ""), "US");
    if (number?.isValid() === true) yield number.number;
  }
}
