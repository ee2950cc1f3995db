import { foldKey } from "../mail/words/fold-key.ts";
import { wordSet } from "../mail/words/word-table.ts";
import { matchesOf } from "./matches.ts";

/** Legal forms of companies; those of two letters only where they cannot be a word or another abbreviation. */
const LEGAL_FORM =
  / (?=[ILCGSBNOPpAK&])(?:Inc|INC|Corp|Corporation(?! (?:of|Comm))|Incorporated|L\.?L\.?C|Ltd|LTD|Limited(?! \p{Lu})|L\.?L\.?P|L\.P|GmbH|S\.p\.A|SpA|S\.A|B\.V|N\.V|Oyj?|PLC|Plc|plc|Pty(?! L)|AG|KG|SARL|S\.r\.l|A\/S|Ltda|(?:& )?Co(?=\.(?! KG| of |,? [A-Z]{2}\b(?<!LP)))|Company(?! of |,? [\p{Lu}&]))(?![\p{L}\p{N}/])/gu;
/** Quick check, by second letters: most texts have none. */
const BEGINNING_OF_FORM =
  / (?:[ILCGSBNPpAK](?:nc|NC|orp|\.?L\.?[CP]|td|TD|imited|\.P|mbH|\.p|pA|\.A|\.V|LC|lc|ty|G|ARL|\/S|o(?:\.|mpany))|Oy)/;
/** Before a legal form. */
const NAME_END = /[\p{L}\p{N}.)],?$/u;
/** Maximum characters and words of a name before a legal form. */
const REACH = 90;
const MAX_WORDS = 7;
/** Words inside a name that need no capital. */
const CONNECTORS = wordSet("& of and the de la du und der y et");
/** Roles in an organization, after which its name begins. */
export const ROLES = wordSet(
  "Chairman President VP SVP EVP Director Manager Officer Counsel Partner Secretary Treasurer Founder " +
    "Cofounder Editor Spokesman Spokeswoman Analyst Trader Attorney Assistant Associate Administrator Coordinator Engineer " +
    "Consultant Directors Executive Agent Representative Chief Vice Head Developer Employee Employees Shareholders Member Managing",
);
/** Words that are not in names, after which a name begins. */
const BREAKS = wordSet(
  "The This That A An Or But For From With To On At By As If When While Since Both Between Dear Please Also Our Your Their His " +
    "Her Its Mr Mrs Ms Dr Subject Company Copyright Is Are Was Will Has Have Not No Under Per Via Versus Join Visit View Contact " +
    "Call Email Welcome About Against Into Joins Buys Sells Sues Names Acquires Former Rival Parent Source SOURCE Release Briefing " +
    "Re RE FW Fw Jan. Feb. Mar. Apr. Jun. Jul. Aug. Sep. Sept. Oct. Nov. Dec. January February March April June July August " +
    "September October November December Monday Tuesday Wednesday Thursday Friday Saturday Sunday Approval Request One Two Some Once Hey Most",
);
/** News agencies, written before the names in headlines; of longer names the last two words. */
const NEWS_AGENCIES: ReadonlySet<string> = new Set([
  ...["Comtex", "COMTEX", "AFX", "Reuters", "Newswire", "Newswires"],
  ...["Business Wire", "News Agency", "Press International", "Kyodo News", "Business Journal"],
]);
/** Abbreviations inside names. */
const ABBREVIATIONS = wordSet(
  "St. Bros. Co. Cos. Inc. Corp. Ltd. Fin. Intl. Wm. Jos. Chas. Geo. Natl. Assoc. Assn. Mfg. Tech. Pvt.",
);
/** Generic words: a name needs another word. */
const GENERIC = wordSet(
  "company companies corporation corp inc llc ltd limited partnership partners subsidiary affiliate securities services " +
    "service the a an new and technologies technology power energy systems solutions industries holdings holding group " +
    "resources international enterprises associates communications capital financial trading marketing management " +
    "consulting software networks products pipeline gas oil electric america north south east west us usa uk global " +
    "finance state foreign publishing shipping property deal it california texas arizona florida nevada oregon ohio " +
    "national american operations investments properties bank insurance co sons organization agency department " +
    "title private public construction holding parent operating production innovative plant clearing xyz abc",
);

/** Words that make an expansion an organization. */
const HEADS = wordSet(
  "Commission Company Corporation Board Association Council Institute University Authority Agency Department Bank Committee " +
    "Organization Organisation Federation Union Foundation Group Exchange Office Bureau Society Operator District " +
    "Trust Administration Service Services College Ministry Partnership Coalition Alliance Center Centre Fund",
);
/** An expansion in parentheses after its acronym. */
const ACRONYM_BEFORE = /(?<![\w&])([A-Z][A-Z&]{1,7}) $/;
const EXPANSION = /\(([^()\n]{5,90})\)/y;
/** An acronym in parentheses after its expansion. */
const ACRONYM = /\((?:the )?["“]?([A-Z][A-Z&]{1,7})["”]?\)/y;
const LETTER_BEFORE = /\p{L} $/u;
const MINOR = wordSet("of and the for on in & de la");

/**
 * Organizations that a text names by a legal form or by name and acronym: `Reed Mooring, Inc.`, `Harbor Board (HB)`.
 */
export function organizations(text: string): readonly string[] {
  const found: string[] = [];
  if (BEGINNING_OF_FORM.test(text)) addWithLegalForm(text, found);
  if (text.includes("(")) addWithAcronym(text, found);
  return found;
}

function addWithLegalForm(text: string, found: string[]): void {
  for (const { 0: match, index: at } of matchesOf(LEGAL_FORM, text)) {
    const [form, index] = [match.slice(1), at + 1];
    if (!NAME_END.test(text.slice(Math.max(0, at - 3), at))) continue;
    const before = text.slice(Math.max(0, index - REACH), index);
    const name = capitalizedEnd(before, form);
    const key = organizationKey(name);
    if (key === "" || key.split(" ").every((word) => GENERIC.has(word) || word.length === 1)) continue;
    const comma = before.trimEnd().endsWith(",") ? "," : "";
    if (comma !== "" && form === "Company") continue;
    found.push(`${name}${comma} ${form}${text[index + form.length] === "." ? "." : ""}`);
  }
}

function addWithAcronym(text: string, found: string[]): void {
  for (let at = text.indexOf("("); at !== -1; at = text.indexOf("(", at + 1)) {
    const expanded = expandedBefore(text, at);
    if (expanded !== null) found.push(expanded);
    ACRONYM.lastIndex = at;
    const acronym = LETTER_BEFORE.test(text.slice(Math.max(0, at - 3), at)) ? ACRONYM.exec(text)?.[1] : undefined;
    if (acronym === undefined) continue;
    const expansion = expansionOf(acronym, text.slice(Math.max(0, at - 1 - REACH), at - 1));
    if (expansion !== null && HEADS.has(headOf(expansion.split(" ")))) found.push(`${expansion} (${acronym})`);
  }
}

/** `Harbor Board (HB)` for `HB (Harbor Board)`. @param at of the parenthesis */
function expandedBefore(text: string, at: number): string | null {
  const acronym = ACRONYM_BEFORE.exec(text.slice(Math.max(0, at - 10), at))?.[1];
  if (acronym === undefined) return null;
  EXPANSION.lastIndex = at;
  const inside = EXPANSION.exec(text)?.[1]?.replace(/^[Tt]he /, "");
  if (inside === undefined || expansionOf(acronym, inside) !== inside) return null;
  return HEADS.has(headOf(inside.split(" "))) ? `${inside} (${acronym})` : null;
}

/** The head of a noun phrase: the word before `of` and the like, or the last one. */
function headOf(words: readonly string[]): string {
  const minor = words.findIndex((word, at) => at > 0 && MINOR.has(word) && !/^(?:and|&)$/.test(word));
  return words.at(minor === -1 ? -1 : minor - 1)!;
}

/** The form that is equal for all spellings of an organization: without legal form, acronym, signs and accents. */
export function organizationKey(name: string): string {
  const bare = name.replace(/ \([A-Z&]+\)$/, "").replaceAll(/ & /g, " and ");
  return foldKey(bare)
    .replace(
      /(?:,? (?:inc|corp|corporation|incorporated|l\.?l\.?c|ltd|limited|l\.?l\.?p|l\.p|gmbh|s\.?p\.?a|s\.a|b\.v|n\.v|oyj?|plc|pty|ag|kg|sarl|s\.r\.l|a\/s|ltda|(?:and )?co|company)\.?)+$/,
      "",
    )
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** Characters of a line that may have been wrapped. */
const WRAPPED = 45;
/** End of a line that continues on the next one. */
const GOES_ON = /(?:&|\b(?:and|of|the))\s*$/;
/** `NYSE: HRBR`, after which a name may begin. */
const LISTED = /\b(?:NYSE|NASDAQ|Nasdaq|AMEX|TSE|TSX|LSE): ?[A-Z]{1,5}\b/g;
const ENDS_OF_PHRASES = /[;:!?"“”()[\]|<>~\t]|=(?:[\dA-F]{2}(?= ))?|(?<!(?<!\p{L})\p{L})\*|--| [-–—]+(?: |$)/u;

/**
 * The capitalized words at the end of a text, without words that begin a phrase; "" if the name may be incomplete.
 */
function capitalizedEnd(before: string, form: string): string {
  const lineStart = before.lastIndexOf("\n") + 1;
  const words = phraseEnd(before.slice(lineStart));
  const from = nameStart(words);
  if (from !== 0 || !isWrapped(before.slice(0, Math.max(0, lineStart - 1)), words.length))
    return nameAt(from, words, form);
  const previousLine = before.lastIndexOf("\n", lineStart - 2) + 1;
  const joined = phraseEnd(before.slice(previousLine).replace(/\s*\n\s*/, " "));
  const start = nameStart(joined);
  // A number ends a column, not a line.
  return start === 0 || /\d\s*$/.test(before.slice(0, lineStart)) ? "" : nameAt(start, joined, form);
}

/** The words after the last sign that ends a phrase. */
function phraseEnd(line: string): readonly string[] {
  return line.replaceAll(LISTED, ";").split(ENDS_OF_PHRASES).at(-1)!.trim().replace(/,$/, "").split(/ +/);
}

/** Position of the first word of the name at the end; -1 if the name is too long. */
function nameStart(words: readonly string[]): number {
  let from = words.length;
  while (from > 0 && words.length - from <= MAX_WORDS && continuesName(words, from)) from--;
  return words.length - from > MAX_WORDS ? -1 : from;
}

/** @param from as returned by `nameStart` */
function nameAt(from: number, words: readonly string[], form: string): string {
  if (from === -1) return "";
  const outside = words[from - 1] ?? "";
  // The name of a firm lists its partners.
  const isFirm = /^L\.?L\.?P/.test(form);
  // The end of `Upgrades/Downgrades Harbor Inc` is not a name, and that of `Reed, Lund & Kai Inc` is incomplete.
  const isCut =
    outside.includes("/") || (/^\p{Lu}.*,$/u.test(outside) && (isFirm || form[0] === "&" || words.includes("&", from)));
  return isCut ? "" : nameIn(words.slice(from), isFirm);
}

/** The name at the end of capitalized words. */
function nameIn(words: readonly string[], isFirm: boolean): string {
  const isCompany = words.at(-1) === "Company";
  const begins = isCompany ? words.slice(0, -1) : words;
  let from =
    begins.findLastIndex(
      (word, at) => breaks(word, words[at - 1] ?? "") || endsAgency(words, at) || endsFirm(words, at),
    ) + 1;
  const and = isFirm ? -1 : words.lastIndexOf("and");
  // `Harbor and Lines Inc` may be one name or two.
  if (and === from + 1 && words.length - and === 2) return "";
  // `Harbor Oil and Gas Ltd.`, but not `Harbor Inc. and Power Ltd.`
  const isOneName =
    !words[and - 1]?.endsWith(".") && words.slice(and + 1).every((word) => GENERIC.has(word.toLowerCase()));
  if (!isOneName && and >= from && (and - from > 1 || words.length - and > 2)) from = and + 1;
  while (from < words.length && isOutside(words[from]!)) from++;
  if (isTicker(words[from] ?? "", words.slice(from + 1).join(""))) from++;
  if (POSSESSIVE.test(words[from] ?? "") && from + 1 < words.length) return "";
  return words.slice(from).join(" ").replace(DATELINE, "");
}

/** `INDIANAPOLIS-` before the name of a firm in a report. */
const DATELINE = /^\p{Lu}{4,20}-(?=\p{Lu}\p{Ll})/u;

/** `Harbor's Kai Lines Inc`, of which the first word may be the name or not. */
const POSSESSIVE = /['’]s$/;

/** `Houston-based`, `CIO`, `04AM`, `EST`, `8-JUN-01` and `5.2`, after which a name begins. */
const ENDS_BEFORE_NAME =
  /-(?:Based|\p{Ll}{2,12}ed)$|^C[AEFIMOST]O,?$|^\d{1,2}(?:AM|PM)$|^(?:ET|[ECMP][SD]T|GMT|UTC)$|^\d{1,2}-\p{L}{3}-\d{2,4}$|^\d{1,6}\.\d{1,4}$/u;

/** True for the last word of a news agency before another name; `Reuters Limited` is one itself. */
function endsAgency(words: readonly string[], at: number): boolean {
  const isLast = at + 1 === words.length;
  return !isLast && (NEWS_AGENCIES.has(words[at]!) || NEWS_AGENCIES.has(`${words[at - 1]} ${words[at]}`));
}

const ENDED_FORM = /^(?:Inc|Corp|Ltd)\.$/;
const FURTHER_FORM = /^(?:Co|Corp|Inc|Ltd|LLC|L\.L\.C|AG|SA)\b/;

/** True for the end of another name: `Kai Inc. Harbor Oil Co.`, but not `Kai Corp. Ltd.` */
function endsFirm(words: readonly string[], at: number): boolean {
  const next = words[at + 1];
  return next !== undefined && ENDED_FORM.test(words[at]!) && !FURTHER_FORM.test(next);
}

/** True for a word after which a name begins. */
function breaks(word: string, before: string): boolean {
  if (word === "the") return !CONNECTORS.has(before) && before !== "for";
  if (word === "of") return !(HEADS.has(before) || before === "Sons");
  return BREAKS.has(word) || ROLES.has(word.replace(/,$/, "")) || ENDS_BEFORE_NAME.test(word);
}

/** Maximum letters of a stock ticker symbol. */
const MAX_TICKER = 5;

/** Minimum letters of a ticker symbol of which the last need not be in the name: `HRBX`. */
const MIN_LONG_TICKER = 4;

/** True for `HRBR` before `HARBOR`: its letters are those of the name, in order. */
function isTicker(word: string, name: string): boolean {
  if (word.length < 2 || word.length > MAX_TICKER || /[^A-Z]/.test(word) || name[0]?.toUpperCase() !== word[0])
    return false;
  let at = 0;
  for (const letter of name.toUpperCase()) if (letter === word[at]) at++;
  return at >= (word.length < MIN_LONG_TICKER ? word.length : word.length - 1);
}

/** True if a name at the beginning of a line may begin on the line before. */
function isWrapped(before: string, words: number): boolean {
  const last = before.slice(before.lastIndexOf("\n") + 1);
  return GOES_ON.test(last) || (last.length > WRAPPED && (words === 1 || /\p{Lu}[\p{L}]*$/u.test(last)));
}

const isOutside = (word: string): boolean => word === "And" || CONNECTORS.has(word) || !/\p{L}/u.test(word);

/** A capitalized word, or one like `i2`, `eBay` or `3Com`. */
const PART = /^(?:[\p{Lu}\p{N}]|\p{Ll}{1,2}[\p{Lu}\p{N}])[\p{L}\p{N}.'’&/*-]*$/u;
const INITIALS = /^(?:\p{Lu}\.){1,4}$/u;
/** True when the word before belongs to the name that begins at `from`. */
function continuesName(words: readonly string[], from: number): boolean {
  const word = words[from - 1]!;
  const isLast = from === words.length;
  if (CONNECTORS.has(word)) return !isLast;
  if (word === "for") return !isLast && HEADS.has(words[from - 2] ?? "");
  // A comma or a full stop ends what was before it; an abbreviation of a name does not.
  if (!isLast && /,$/.test(word)) return false;
  if (word.endsWith(".") && !INITIALS.test(word) && !ABBREVIATIONS.has(word)) return BREAKS.has(word);
  return PART.test(word) && !word.includes("/");
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
