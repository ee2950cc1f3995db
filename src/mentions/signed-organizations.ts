import { isFreeMailDomain, registrableDomain } from "../contacts/addresses/organization.ts";
import { foldKey } from "../mail/words/fold-key.ts";
import { wordSet } from "../mail/words/word-table.ts";
import { matchesOf } from "./matches.ts";
import { ROLES } from "./organizations.ts";

/** A signature and the address of the author who wrote it. */
export interface SignedText {
  readonly signature: string;
  /** `Ann Reed <ann@kai.example>` or an address. */
  readonly author: string;
}

/** Minimum letters of a domain that prove a name: fewer are the initials of anything. */
const MIN_LABEL = 3;
/** Maximum characters of a signature and words of a name: longer ones are text. */
const MAX_CHARACTERS = 2_000;
const MAX_WORDS = 7;

const ADDRESS = /@([A-Za-z0-9.-]{3,253})/;
/** Between the parts of a line: `Trader, Kai Lines | Quay Street`. */
const GAP = / {2,}| [-–—] /g;
const LINE_PART = /[^\n\r\t,;|•·/()<>"]+/g;
/** A capitalized word, or one that joins others. */
const PART = /^(?:\p{Lu}[\p{L}.'’&-]*|&|and|of|the|de|und|et)$/u;
/** Words that make the name of an organization that of a place. */
const PLACES = wordSet(
  "Building Bldg Tower Plaza Center Centre Street Avenue Road House Field Way Drive Park Court Lane",
);

/**
 * Names of the author's organization in the author's own signature, which the domain of the address proves: `Kai
 * Lines` or `Kai Lines Trading` of @kailines.example.
 */
export function signedOrganizations({ signature, author }: SignedText): readonly string[] {
  if (signature === "") return [];
  const label = labelOf(author);
  if (label.length < MIN_LABEL) return [];
  const names: string[] = [];
  const text = signature.slice(0, MAX_CHARACTERS).replaceAll(GAP, "\t");
  for (const { 0: part, index } of matchesOf(LINE_PART, text)) {
    const name = part.trim();
    // Most parts begin with another letter.
    if (name === "" || foldKey(name[0]!) !== label[0]) continue;
    const words = name.split(/ +/);
    if (!beginsWithLabel(words, label)) continue;
    // `Kai, TX` may be a city, and @annreed.example the domain of a person.
    const isBesideComma = text[index - 1] === "," || text[index + part.length] === ",";
    if (!(words.length === 1 && isBesideComma) && !foldKey(author).includes(foldKey(name))) names.push(name);
  }
  return names;
}

/** The name in a domain that an organization registered; "" for free mail. */
function labelOf(author: string): string {
  const domain = registrableDomain(ADDRESS.exec(author)?.[1]?.toLowerCase() ?? "");
  return isFreeMailDomain(domain) ? "" : domain.slice(0, domain.indexOf(".")).replaceAll("-", "");
}

const isPart = (word: string): boolean => PART.test(word) && !PLACES.has(word) && !ROLES.has(word);

function beginsWithLabel(words: readonly string[], label: string): boolean {
  if (words.length > MAX_WORDS || !words.every(isPart)) return false;
  let letters = "";
  for (const word of words) {
    letters += foldKey(word).replaceAll(/[^\p{L}\p{N}]/gu, "");
    if (letters === label) return /^\p{L}/u.test(words.at(-1)!);
    if (!label.startsWith(letters)) return false;
  }
  return false;
}
