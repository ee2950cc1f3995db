import { type CountryCode, parsePhoneNumberFromString } from "libphonenumber-js/min";
import { cueAfter, hasCueBefore, PHONE_CUES } from "../redaction/keyword-context.ts";
import { matchesOf } from "./matches.ts";
import { isNorthAmerican } from "./north-america.ts";

interface Notation {
  /** Beginning of a number that is dialed within the country. */
  readonly first: RegExp;
  /** Names of the country. */
  readonly names: RegExp;
}

/** A prefix before the area code. */
const TRUNK = /^\(?0[1-9]/;
/** Countries by their ISO 3166 code. */
const NOTATIONS: Readonly<Partial<Record<CountryCode, Notation>>> = {
  GB: { first: TRUNK, names: /\b(?:UK|U\.K\.|United Kingdom|England|Scotland|London)\b/ },
  DE: { first: TRUNK, names: /\b(?:Germany|Deutschland)\b/ },
  FR: { first: TRUNK, names: /\bFrance\b/ },
  IT: { first: /^\(?(?:0[1-9]|3)/, names: /\b(?:Italy|Italia)\b/ },
  ES: { first: /^\(?[6-9]/, names: /\b(?:Spain|España)(?!\p{L})/u },
  NL: { first: TRUNK, names: /\b(?:Netherlands|Nederland|Holland)\b/ },
  AU: { first: TRUNK, names: /\bAustralia\b/ },
  // Ten digits in three groups may be North American.
  IN: { first: /^(?:\(?0[1-9]|[6-9]\d{4}[ -]?\d{5}$)/, names: /\bIndia\b/ },
  JP: { first: TRUNK, names: /\bJapan\b/ },
  BR: { first: /^(?:\([1-9]|0[1-9])/, names: /\b(?:Brazil|Brasil)\b/ },
  AT: { first: TRUNK, names: /\b(?:Austria|Österreich)(?!\p{L})/u },
  CH: { first: TRUNK, names: /\b(?:Switzerland|Schweiz|Suisse)\b/ },
  BE: { first: TRUNK, names: /\b(?:Belgium|België|Belgique)\b/ },
  IE: { first: TRUNK, names: /\b(?:Ireland|Dublin)\b/ },
  PT: { first: /^\(?[29]/, names: /\bPortugal\b/ },
};
const COUNTRIES = Object.keys(NOTATIONS) as readonly CountryCode[];

/** Seven to twelve digits in groups, which a word such as `Tel` announces. Every repetition is bounded. */
const WRITTEN =
  /(?=[(\d])(?<![\w$€£¥+.,/=&%(-])\(?\d(?:(?:[-‐‑–]|[ ./()\u00a0]){0,3}\d){6,11}(?![\w%/=@-]|[.,]\d|[ ./()-]{1,2}\d)/g;
/** Quick check: numbers after a word such as `Tel` or before one. */
const PART = /\d[ ./()\u00a0‐‑–-]{0,2}\d{2}[ ./()\u00a0‐‑–-]{0,2}\d{2}/;
/** Characters on each side of a number in which the name of its country counts. */
const REACH = 200;

/** The top-level domain of the address of an author. */
const TOP_LEVEL = /@[^\s@>]{1,253}\.([A-Za-z]{2})>?$/;
/** The only domain here that is not the code of its country. */
const UNITED_KINGDOM = "UK";

/** Countries that the address of the author and international numbers of a message show. */
export function countriesOf(author: string, international: readonly string[]): ReadonlySet<CountryCode> {
  const countries = new Set<CountryCode>();
  const top = TOP_LEVEL.exec(author)?.[1]?.toUpperCase();
  const country = (top === UNITED_KINGDOM ? "GB" : top) as CountryCode | undefined;
  if (country !== undefined && NOTATIONS[country] !== undefined) countries.add(country);
  for (const number of international) {
    const known = number.startsWith("+1") ? undefined : parsePhoneNumberFromString(number)?.country;
    if (known !== undefined && NOTATIONS[known] !== undefined) countries.add(known);
  }
  return countries;
}

/**
 * Numbers of a text without country code, in E.164. A country must be known, from the message or by its name next to
 * the number, and the number must be valid in only one of these.
 */
export function nationalNumbers(text: string, countries: ReadonlySet<CountryCode>): readonly string[] {
  if (!PART.test(text)) return [];
  return matchesOf(WRITTEN, text).flatMap(({ 0: written, index }) => {
    const end = index + written.length;
    if (!hasCueBefore(text, index, { cues: PHONE_CUES, floor: 0 }) && !cueAfter(text, end)) return [];
    const around = text.slice(Math.max(0, index - REACH), end + REACH);
    const found = COUNTRIES.flatMap((country) => {
      const { first, names } = NOTATIONS[country]!;
      // Ten digits in a row may be North American.
      if (!first.test(written) || isNorthAmerican(written) || !(countries.has(country) || names.test(around)))
        return [];
      const number = parsePhoneNumberFromString(written, country);
      return number?.isValid() && number.country === country ? number.number : [];
    });
    return found.length === 1 ? found : [];
  });
}
