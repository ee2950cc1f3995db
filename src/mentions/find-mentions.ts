import type { MentionKind } from "../mail/records/mention.ts";
import { amounts } from "./amounts.ts";
import { capitalNames } from "./capital-names.ts";
import { MARK_OF_KIND } from "./found-mention.ts";
import { ibans } from "./ibans.ts";
import { names } from "./names.ts";
import { countriesOf, nationalNumbers } from "./national-numbers.ts";
import { organizations } from "./organizations.ts";
import { phoneNumbers } from "./phone-numbers.ts";
import { references } from "./references.ts";
import { type SignedText, signedOrganizations } from "./signed-organizations.ts";
import { sites } from "./sites.ts";

/** Maximum characters read of one text: longer ones are data. */
const MAX_TEXT_CHARACTERS = 200_000;
/** Maximum distinct values of a kind per message: long lists are not informative. */
const MAX_VALUES = 200;

type Finder = (text: string) => readonly string[];

/** Finder of each kind, and if only texts with digits have values. Names begin with a mark of their form. */
const FINDERS: readonly (readonly [kind: MentionKind, find: Finder, needsDigits: boolean])[] = [
  ["mentions", names, false],
  ["mentions", capitalNames, false],
  ["org", organizations, false],
  ["phone", phoneNumbers, true],
  ["iban", ibans, true],
  ["amount", amounts, true],
  ["site", sites, false],
  ["reference", references, true],
];

/**
 * Possible mentions in the texts of one message, each once, in order of kinds and texts. Pure and linear: every pattern
 * is bounded.
 * @param signed null if there is no author
 */
export function findMentions(
  texts: readonly string[],
  omitted: ReadonlySet<MentionKind>,
  signed: SignedText | null = null,
): readonly string[] {
  const found = new Set<string>();
  const readTexts = texts.filter((text) => text !== "").map((text) => text.slice(0, MAX_TEXT_CHARACTERS));
  const textsWithDigits = readTexts.filter((text) => /\d/.test(text));
  for (const [kind, find, needsDigits] of FINDERS) {
    if (omitted.has(kind)) continue;
    const mark = MARK_OF_KIND[kind];
    const maxSize = found.size + MAX_VALUES;
    for (const text of needsDigits ? textsWithDigits : readTexts) addValues(find(text), mark, found, maxSize);
    if (kind === "phone") addNationalNumbers(textsWithDigits, signed?.author ?? "", found, maxSize);
    if (kind === "org" && signed !== null) addValues(signedOrganizations(signed), mark, found, maxSize);
  }
  return [...found];
}

/** Adds the numbers whose country the message shows. */
function addNationalNumbers(texts: readonly string[], author: string, found: Set<string>, maxSize: number): void {
  const mark = MARK_OF_KIND.phone;
  const numbers = [...found].flatMap((one) => (one.startsWith(mark) ? one.slice(mark.length) : []));
  const countries = countriesOf(author, numbers);
  for (const text of texts) addValues(nationalNumbers(text, countries), mark, found, maxSize);
}

function addValues(values: readonly string[], mark: string, found: Set<string>, maxSize: number): void {
  for (const value of values) {
    if (found.size >= maxSize) return;
    found.add(mark + value);
  }
}
