import { foldKey } from "../mail/words/fold-key.ts";
import { wordSet } from "../mail/words/word-table.ts";

/** Legal forms of companies; those of two letters only where they cannot be a word or another abbreviation. */
const LEGAL_FORM =
  /(?<=[\p{L}\p{N}.)],? )(?:Inc|INC|Corp|Corporation|Incorporated|L\.?L\.?C|Ltd|LTD|Limited(?! \p{Lu})|L\.?L\.?P|L\.P|GmbH|S\.p\.A|SpA|S\.A|B\.V|N\.V|Oyj?|PLC|Plc|plc|Pty|AG)(?![\p{L}\p{N}])/gu;
/** Characters before a legal form that its name may take, and words of it. */
const REACH = 90;
const MAX_WORDS = 7;
/** Words inside a name that need no capital. */
const CONNECTORS = wordSet("& of and the for de la du und der y et");
/** Words that begin a sentence or phrase, not a name. */
const LEADING = wordSet(
  "The This That A An And Or But For From With To In On At By Of Re As If When While Since Both Between Dear Please Also " +
    "Our Your Their His Her Its Mr Mrs Ms Dr Chairman President CEO CFO COO Subject Company Copyright",
);
/** Words that stand for whatever organization is meant. */
const GENERIC = wordSet(
  "company corporation corp inc llc ltd limited partnership subsidiary affiliate securities services the a an new",
);

/** Expansions with one of these words are of an organization. */
const HEADS = wordSet(
  "Commission Company Corporation Board Association Council Institute University Authority Agency Department Bank Committee " +
    "Organization Organisation Federation Union Foundation Group Exchange Office Bureau Society Operator District " +
    "Administration Service Services College Ministry Partnership Coalition Alliance Center Centre Fund",
);
/** An acronym in parentheses behind its expansion. */
const ACRONYM = /(?<=[\p{L}] )\((?:the )?["“]?([A-Z][A-Z&]{1,7})["”]?\)/gu;
const MINOR = wordSet("of and the for on in & de la");

/** Organizations that a text names by a legal form or by name and acronym: `Reed Mooring, Inc.`, `Harbor Board (HB)`. */
export function* organizations(text: string): Generator<string> {
  for (const { 0: form, index } of text.matchAll(LEGAL_FORM)) {
    const before = text.slice(Math.max(0, index - REACH), index);
    const name = capitalizedEnd(before);
    const key = organizationKey(name);
    if (key === "" || key.split(" ").every((word) => GENERIC.has(word))) continue;
    yield `${name}${before.trimEnd().endsWith(",") ? "," : ""} ${form}${text[index + form.length] === "." ? "." : ""}`;
  }
  for (const { 1: acronym, index } of text.matchAll(ACRONYM)) {
    const expansion = expansionOf(acronym!, text.slice(Math.max(0, index - REACH), index));
    if (expansion !== null && expansion.split(" ").some((word) => HEADS.has(word))) yield `${expansion} (${acronym})`;
  }
}

/** The form in which spellings of one organization are the same: without legal form, acronym, signs and accents. */
export function organizationKey(name: string): string {
  const bare = name.replace(/ \([A-Z&]+\)$/, "").replaceAll(/ & /g, " and ");
  return foldKey(bare)
    .replace(
      /,? (?:inc|corp|corporation|incorporated|l\.?l\.?c|ltd|limited|l\.?l\.?p|l\.p|gmbh|s\.?p\.?a|s\.a|b\.v|n\.v|oyj?|plc|pty|ag)\.?$/,
      "",
    )
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** Characters of a line that may have been wrapped. */
const WRAPPED = 50;
/** The end of a line that goes on in the next one. */
const GOES_ON = /(?:&|\b(?:and|of|the))\s*$/;
const ENDS_OF_PHRASES = /[;:!?"“”()[\]|<>*\t]/;

/** The capitalized words that a text ends with, without words that begin a phrase; "" where the line before may have more. */
function capitalizedEnd(before: string): string {
  const lineStart = before.lastIndexOf("\n") + 1;
  const words = before.slice(lineStart).split(ENDS_OF_PHRASES).at(-1)!.trim().replace(/,$/, "").split(/ +/);
  let from = words.length;
  while (from > 0 && words.length - from < MAX_WORDS && continuesName(words, from)) from--;
  if (from === 0 && isWrapped(before.slice(0, Math.max(0, lineStart - 1)), words.length)) return "";
  const and = words.lastIndexOf("and");
  if (and >= from && (and - from > 1 || words.length - and > 2)) from = and + 1;
  while (from < words.length && isOutside(words[from]!)) from++;
  return words.slice(from).join(" ");
}

/** True when a name at the beginning of a line may begin in the line before. */
function isWrapped(before: string, words: number): boolean {
  const last = before.slice(before.lastIndexOf("\n") + 1);
  return GOES_ON.test(last) || (last.length > WRAPPED && (words === 1 || /\p{Lu}[\p{L}]*$/u.test(last)));
}

const isOutside = (word: string): boolean => LEADING.has(word) || CONNECTORS.has(word) || !/\p{L}/u.test(word);

/** True when the word before belongs to the name that begins at `from`. */
function continuesName(words: readonly string[], from: number): boolean {
  const word = words[from - 1]!;
  const isLast = from === words.length;
  if (CONNECTORS.has(word)) return !isLast;
  // A comma or a full stop ends what was before it; an abbreviation of a name does not.
  if ((!isLast && /,$/.test(word)) || (/\.$/.test(word) && word.length > 3)) return false;
  return /^[\p{Lu}\p{N}][\p{L}\p{N}.'’&/-]*$/u.test(word);
}

/** The words whose initials an acronym is, the last words before it. */
function expansionOf(acronym: string, before: string): string | null {
  const words = before.trimEnd().split(/\s+/);
  const letters = acronym.replaceAll("&", "");
  let at = words.length;
  for (let letter = letters.length - 1; letter >= 0; letter--) {
    do at--;
    while (at >= 0 && MINOR.has(words[at]!) && words[at]![0]!.toUpperCase() !== letters[letter]);
    if (at < 0 || words[at]![0] !== letters[letter]) return null;
  }
  const expansion = words.slice(at);
  return expansion.some((word) => /[^\p{L}'’&-]/u.test(word)) ? null : expansion.join(" ");
}
