import type { OutlookItem } from "../mail/records/item.ts";
import type { Finding } from "../mail/records/message.ts";
import { wordSet } from "../mail/words/word-table.ts";
import { CalendarFindings, type ContentLine, readContentLines, readText, splitTexts } from "./content-lines.ts";

/** Maximum cards read from one file; an address book of a large company has 100,000. */
export const MAX_CARDS = 200_000;
/** Maximum fields of a card; address books have about 120. */
const MAX_CARD_FIELDS = 300;
/** Maximum characters of one value; a longer one is a picture or an attack. */
const MAX_VALUE_LENGTH = 256 * 1024;

/** First line of a card. */
const BEGINNING = /^BEGIN:VCARD[ \t]{0,100}$/gim;

/** Fields that describe the card and not the person. */
const OF_THE_CARD = wordSet("BEGIN END VERSION PRODID REV UID KIND X-ADDRESSBOOKSERVER-KIND CLIENTPIDMAP SORT-STRING");
/** Binary properties: only their presence is recorded. */
const BINARY: Readonly<Record<string, string>> = {
  PHOTO: "has_picture",
  LOGO: "has_logo",
  SOUND: "has_sound",
  KEY: "has_key",
};
/** Properties with one value, and the address book field of each. */
const FIELDS: Readonly<Record<string, string>> = {
  FN: "display_name",
  NICKNAME: "nickname",
  TITLE: "job_title",
  ROLE: "profession",
  URL: "web_page",
  FBURL: "free_busy_address",
  NOTE: "body",
  CATEGORIES: "categories",
  IMPP: "instant_messaging",
  LANG: "language",
};
/** Properties with several parts; null parts have no field. */
const STRUCTURED: Readonly<Record<string, readonly (string | null)[]>> = {
  N: ["surname", "given_name", "middle_name", "title", "suffix"],
  ORG: ["company", "department", "office"],
};
const ADDRESS_PARTS = ["post_office_box", null, "street", "city", "state", "postal_code", "country"] as const;
const DATES: Readonly<Record<string, string>> = { BDAY: "birthday", ANNIVERSARY: "anniversary" };
/** Field of a telephone number by the words of its type; the first row whose words all occur. */
const TELEPHONES: readonly (readonly [readonly string[], string])[] = [
  [["FAX", "HOME"], "home_fax"],
  [["FAX", "WORK"], "business_fax"],
  [["FAX"], "primary_fax"],
  [["PAGER"], "pager"],
  [["TEXTPHONE"], "text_telephone"],
  [["CELL"], "mobile_phone"],
  [["CAR"], "car_phone"],
  [["HOME"], "home_phone"],
  [["WORK"], "business_phone"],
  [["PREF"], "primary_phone"],
  [[], "other_phone"],
];
const RELATED: Readonly<Record<string, string>> = { CHILD: "children", SPOUSE: "spouse", "CO-WORKER": "manager" };
/** The prefix of extended properties that our own exports write. */
const OWN_PREFIX = "X-ARCHIVETOOL-";

/**
 * The cards of a vCard file (RFC 6350; versions 3.0 and 2.1 as far as they differ): contacts, and groups as
 * distribution lists. Other properties become fields under their own names. Never throws.
 */
export function readCards(text: string): { items: readonly OutlookItem[]; findings: readonly Finding[] } {
  const findings = new CalendarFindings();
  const starts = [...text.matchAll(BEGINNING)].map(({ index }) => index);
  if (starts.length > MAX_CARDS)
    findings.add("cards-too-many", `more than ${MAX_CARDS} cards in one file: the rest was ignored`);
  const items = starts
    .slice(0, MAX_CARDS)
    .map((start, at) => readCard(readContentLines(text.slice(start, starts[at + 1] ?? text.length), findings)));
  return { items, findings: findings.list() };
}

function readCard(lines: Iterable<ContentLine>): OutlookItem {
  const card = new CardFields();
  let isGroup = false;
  for (const line of lines) {
    if (line.name === "END") break;
    if (line.name.endsWith("KIND")) isGroup ||= line.value.trim().toLowerCase() === "group";
    if (!OF_THE_CARD.has(line.name)) addLine(line, card);
  }
  const { fields } = card;
  const subject = fields["display_name"] ?? fields["company"] ?? fields["email_1"] ?? "";
  return { kind: isGroup ? "distribution_list" : "contact", subject, fields };
}

/** The fields of a card that is being read. */
class CardFields {
  readonly fields: Record<string, string> = {};
  private count = 0;

  /** Numbers further values of a field: `home_phone_2`. @param isNumbered true if the first has a number too */
  add(name: string, written: string, isNumbered = false): void {
    const value = written.slice(0, MAX_VALUE_LENGTH).trim();
    if (value === "" || this.count >= MAX_CARD_FIELDS) return;
    let field = isNumbered ? `${name}_1` : name;
    for (let number = 2; Object.hasOwn(this.fields, field); number++) field = `${name}_${number}`;
    this.fields[field] = value;
    this.count++;
  }

  /** Adds a value to a list. */
  join(name: string, written: string): void {
    const known = this.fields[name];
    if (known === undefined) this.add(name, written);
    else if (known.length < MAX_VALUE_LENGTH) this.fields[name] = `${known}; ${written.trim()}`;
  }
}

/** How a line of each of these properties is read. */
const READERS: Readonly<Record<string, (line: ContentLine, card: CardFields) => void>> = {
  EMAIL: (line, card) => card.add("email", readText(line).replace(/^mailto:/i, ""), true),
  TEL: (line, card) => card.add(telephoneField(typesOf(line)), readText(line).replace(/^tel:/i, "")),
  ADR: addAddress,
  MEMBER: (line, card) => card.join("members", line.value.replace(/^mailto:/i, "")),
  "X-ADDRESSBOOKSERVER-MEMBER": (line, card) => card.join("members", line.value),
  RELATED: (line, card) => card.join(relatedField(typesOf(line)), readText(line)),
};

function addLine(line: ContentLine, card: CardFields): void {
  const { name } = line;
  if (Object.hasOwn(READERS, name)) READERS[name]!(line, card);
  else if (Object.hasOwn(STRUCTURED, name)) addParts(partsOf(line), STRUCTURED[name]!, card);
  else if (Object.hasOwn(DATES, name)) card.add(DATES[name]!, dateOf(readText(line)));
  else if (Object.hasOwn(BINARY, name)) card.add(BINARY[name]!, "true");
  else card.add(fieldOf(name), readText(line));
}

/** The name of a field in snake_case words. */
function fieldOf(name: string): string {
  if (Object.hasOwn(FIELDS, name)) return FIELDS[name]!;
  const written = name.startsWith(OWN_PREFIX) ? name.slice(OWN_PREFIX.length) : name;
  return written
    .toLowerCase()
    .split("-")
    .filter((word) => word !== "")
    .join("_");
}

/** Parts at the semicolons that are not escaped. */
function partsOf(line: ContentLine): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  const { value } = line;
  for (let at = 0; at <= value.length; at++) {
    if (value[at] === "\\") at++;
    else if (at === value.length || value[at] === ";") {
      parts.push(readText({ ...line, value: value.slice(start, at) }));
      start = at + 1;
    }
  }
  if (start < value.length) parts.push(value.slice(start));
  return parts;
}

function addParts(parts: readonly string[], names: readonly (string | null)[], card: CardFields): void {
  for (const [at, name] of names.entries()) if (name !== null) card.add(name, parts[at] ?? "");
}

function addAddress(line: ContentLine, card: CardFields): void {
  const types = typesOf(line);
  const kind = types.has("WORK") ? "business" : types.has("HOME") ? "home" : "other";
  const parts = partsOf(line);
  const whole = line.parameters.get("LABEL") ?? parts.filter((part) => part.trim() !== "").join(", ");
  card.add(`${kind}_address`, whole);
  addParts(
    parts,
    ADDRESS_PARTS.map((part) => (part === null ? null : `${kind}_${part}`)),
    card,
  );
}

/** Words of a line's type, upper case; version 2.1 has them as separate parameters. */
function typesOf({ parameters }: ContentLine): ReadonlySet<string> {
  const words = splitTexts(parameters.get("TYPE") ?? "").map((word) => word.trim().toUpperCase());
  return new Set([...words, ...parameters.keys()]);
}

function telephoneField(types: ReadonlySet<string>): string {
  return TELEPHONES.find(([words]) => words.every((word) => types.has(word)))![1];
}

function relatedField(types: ReadonlySet<string>): string {
  const word = Object.keys(RELATED).find((known) => types.has(known));
  return word === undefined ? "related" : RELATED[word]!;
}

/** `19630920` and `1963-09-20T00:00:00Z` as a day; anything else unchanged. */
function dateOf(text: string): string {
  const [, year, month, day] = /^(\d{4})-?(\d{2})-?(\d{2})(?:T|$)/.exec(text.trim()) ?? [];
  return year === undefined ? text : `${year}-${month}-${day}`;
}
