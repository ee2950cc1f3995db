import { EARLIEST_INSTANT, type Instant, LATEST_INSTANT } from "../../mail/dates/instant.ts";
import { REVIEW_STATES } from "../../mail/notebook.ts";
import { ATTACHMENT_TYPES } from "../../mail/records/attachment-types.ts";
import { ordinalOf } from "../../mail/records/ids.ts";
import { ITEM_KINDS } from "../../mail/records/item.ts";
import type { MentionKind } from "../../mail/records/mention.ts";
import { kindTokens, MESSAGE_KINDS } from "../../mail/records/message-kind.ts";
import { foldKey } from "../../mail/words/fold-key.ts";
import { tokensOf } from "../../text/tokens/tokens.ts";
import type { Trait } from "../indexing/message-facts.ts";
import type { SearchField } from "../indexing/search-field.ts";
import { stemPattern } from "../indexing/stem-pattern.ts";
import { FACET_OF_HAS } from "../indexing/valued-messages.ts";
import type { Phrase } from "./phrase.ts";
import { parseAmounts } from "./query-amounts.ts";
import { parseAge, parseTypedDates } from "./query-dates.ts";
import { queryTokens } from "./query-tokens.ts";

/** A word of every gap that redaction leaves: `[REDACTED:email]`. */
const REDACTED_TOKEN = "redacted";

/** What an operator queries: a field of the index, or columns and tables of the archive. */
export type QueriedField =
  | SearchField
  | "topic"
  | "mailbox"
  | "place"
  | "id"
  | "file"
  | "person"
  | "thread"
  | "similar"
  | "domain"
  | "list"
  | "lang"
  | "type"
  | "larger"
  | "smaller"
  | "source"
  | "label"
  | "trait"
  | "tag"
  | "note"
  | "review"
  | "redacted"
  | "undated"
  | "valued"
  | MentionKind;

/** An operator with a valid value. */
export type OperatorCondition =
  | { readonly kind: "field"; readonly field: QueriedField; readonly text: string; readonly tokens: readonly string[] }
  | { readonly kind: "date"; readonly first: Instant; readonly last: Instant }
  /** The words of the text in all inflected forms. */
  | { readonly kind: "words"; readonly tokens: readonly string[] }
  | (Phrase & { readonly kind: "phrase" });

/** Parses the value of an operator; returns null if it is invalid. */
type ValueReader = (value: string, now: Instant) => OperatorCondition | null;

/** A value of words, all of which the field must contain. */
function words(field: QueriedField): ValueReader {
  return (value) => {
    const tokens = queryTokens(value, true);
    return tokens.length === 0 ? null : { kind: "field", field, text: value, tokens };
  };
}

/** Words by their stems. */
function readStem(written: string): OperatorCondition | null {
  const tokens = queryTokens(written, true).map(stemPattern);
  if (tokens.length === 0) return null;
  return tokens.length === 1 ? { kind: "words", tokens } : { kind: "phrase", tokens, signs: [], distance: null };
}

const KIND_TOKENS: ReadonlySet<string> = new Set([
  ...MESSAGE_KINDS.flatMap(kindTokens),
  ...["event", "appointment", ...ITEM_KINDS].map((kind) => kind.replaceAll("_", "")),
]);

/** A kind is one word, in any notation: `meeting_request`, `meeting-request`, `"meeting request"`. */
function readKind(value: string): OperatorCondition | null {
  const token = tokensOf(value).join("");
  return !KIND_TOKENS.has(token) ? null : { kind: "field", field: "kind", text: value, tokens: [token] };
}

/** A Message-ID without angle brackets. */
export function readId(value: string): OperatorCondition | null {
  const text = value.replace(/^<(.*)>$/, "$1");
  return text === "" ? null : { kind: "field", field: "id", text, tokens: [] };
}

/** A value other than words: `read` converts it, or returns null if it is invalid. */
function value(field: QueriedField, read: (value: string) => string | null): ValueReader {
  return (written) => {
    const text = read(written);
    return text === null || text === "" ? null : { kind: "field", field, text, tokens: [] };
  };
}

/** Values of `has:` and `is:`, and their traits. */
const TRAIT_OF_HAS: Readonly<Record<string, Trait>> = { calendar: "calendar", findings: "findings", copies: "copies" };
const TRAITS_OF_IS: readonly Trait[] = ["reply", "forward", "automatic", "unread", "flagged"];

const readTrait = (trait: Trait): OperatorCondition => ({ kind: "field", field: "trait", text: trait, tokens: [] });

function readHas(written: string): OperatorCondition | null {
  const word = written.toLowerCase();
  if (word === "attachment" || word === "attachments")
    return { kind: "field", field: "has", text: written, tokens: ["attachment"] };
  if (word === "note" || word === "notes") return { kind: "field", field: "note", text: "note", tokens: [] };
  if (Object.hasOwn(FACET_OF_HAS, word)) return { kind: "field", field: "valued", text: word, tokens: [] };
  return Object.hasOwn(TRAIT_OF_HAS, word) ? readTrait(TRAIT_OF_HAS[word]!) : null;
}

/** A state of the message, or its kind. */
function readIs(written: string): OperatorCondition | null {
  const word = written.toLowerCase();
  if (word === "undated") return { kind: "field", field: "undated", text: word, tokens: [] };
  if (word === "redacted") return { kind: "field", field: "redacted", text: word, tokens: [REDACTED_TOKEN] };
  const trait = TRAITS_OF_IS.find((known) => known === word);
  return trait === undefined ? readKind(written) : readTrait(trait);
}

const UNITS: Readonly<Record<string, number>> = { "": 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

/** Parses a size in bytes: `500`, `20k`, `1.5M`, `2 MB`; null for anything else. */
function parseSize(text: string): number | null {
  const match = /^(\d{1,12}(?:\.\d{1,3})?) ?([kmg]?)(?:i?b)?$/i.exec(text);
  return match === null ? null : Math.round(Number(match[1]) * UNITS[match[2]!.toLowerCase()]!);
}

const readSize = (written: string): string | null => parseSize(written)?.toString() ?? null;
const oneOf = (known: readonly string[]) => (written: string) =>
  known.includes(written.toLowerCase()) ? written.toLowerCase() : null;

/** Minimum digits that identify a phone number. */
const MIN_PHONE_DIGITS = 7;

/** An extension at the end, which archives do not contain: `x12`, `ext. 12`, `#12`. */
const EXTENSION = /(?<=\d) ?(?:x|ext\.?|extension|#) ?\d{1,6}$/i;

/** The scheme of RFC 3966. */
const LINK_TO_PHONE = /^tel:/i;
/** Dialed before a country code; `011` may also begin a shorter national number. */
const INTERNATIONAL_PREFIX = /^(?:00|011(?:[\s.-]|(?=\d{10})))/;

/**
 * The digits of a phone number in any notation, after a plus sign if the number is international. `(0)` and a trunk
 * zero are not dialed from abroad.
 */
function readPhone(written: string): string | null {
  const number = written.trim().replace(LINK_TO_PHONE, "").replace(EXTENSION, "");
  if (!/^[\d\s+()./‐‑–-]+$/.test(number)) return null;
  const text = number.replace(INTERNATIONAL_PREFIX, "+");
  const digits = text.replace("(0)", "").replaceAll(/\D/g, "");
  if (digits.length < MIN_PHONE_DIGITS) return null;
  return text.startsWith("+") ? `+${digits}` : digits.replace(/^0+/, "");
}

const readIban = (written: string): string => written.replaceAll(/[\s.-]/g, "").toUpperCase();
const readSite = (written: string): string =>
  written
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/\/.*$/, "");

type DateBounds = (first: Instant, last: Instant) => readonly [Instant, Instant];

const sinceFirst: DateBounds = (first) => [first, LATEST_INSTANT];
const untilLast: DateBounds = (_, last) => [EARLIEST_INSTANT, last];
const within: DateBounds = (first, last) => [first, last];

function dates(bounds: DateBounds): ValueReader {
  return (value) => {
    const span = parseTypedDates(value);
    if (span === null) return null;
    const [first, last] = bounds(span.first, span.last);
    return { kind: "date", first, last };
  };
}

/** Sent on or after the day of an age, or before it. */
function age(bounds: (day: Instant) => readonly [Instant, Instant]): ValueReader {
  return (value, now) => {
    const day = parseAge(value, now);
    if (day === null) return null;
    const [first, last] = bounds(day);
    return { kind: "date", first, last };
  };
}

/** The operators, by the word before the colon. */
const OPERATORS: Readonly<Record<string, ValueReader>> = {
  stem: readStem,
  from: words("from"),
  to: words("to"),
  cc: words("cc"),
  person: words("person"),
  subject: words("subject"),
  filename: words("filename"),
  attachment: words("attachment"),
  in: words("mailbox"),
  mailbox: value("place", (name) => name),
  source: words("source"),
  id: readId,
  sha256: value("file", (written) => (/^[0-9a-f]{64}$/i.test(written) ? written.toLowerCase() : null)),
  thread: value("thread", (written) =>
    ordinalOf("thread", written.toLowerCase()) === null ? null : written.toLowerCase(),
  ),
  similar: value("similar", (written) =>
    ordinalOf("msg", written.toLowerCase()) === null ? null : written.toLowerCase(),
  ),
  domain: value("domain", (written) => written.replace(/^@/, "").toLowerCase()),
  list: words("list"),
  lang: value("lang", (written) => (/^[a-z]{2,3}$/i.test(written) ? written.toLowerCase() : null)),
  type: value("type", oneOf(ATTACHMENT_TYPES)),
  larger: value("larger", readSize),
  smaller: value("smaller", readSize),
  label: words("label"),
  topic: words("topic"),
  mentions: words("mentions"),
  others: words("others"),
  org: words("org"),
  phone: value("phone", readPhone),
  iban: value("iban", readIban),
  amount: value("amount", (written) => (parseAmounts(written) === null ? null : written)),
  site: value("site", readSite),
  reference: words("reference"),
  tag: value("tag", (name) => foldKey(name.trim())),
  review: value("review", (state) => oneOf(REVIEW_STATES)(state.replaceAll("-", "_"))),
  has: readHas,
  kind: readKind,
  is: readIs,
  after: dates(sinceFirst),
  since: dates(sinceFirst),
  before: dates(untilLast),
  until: dates(untilLast),
  on: dates(within),
  date: dates(within),
  newer_than: age((day) => [day, LATEST_INSTANT]),
  older_than: age((day) => [EARLIEST_INSTANT, day - 1]),
};

export const OPERATOR_NAMES: readonly string[] = Object.keys(OPERATORS);

/** Values of operators that accept only certain words. */
export const OPERATOR_WORDS: Readonly<Record<string, readonly string[]>> = {
  has: ["attachment", ...Object.keys(TRAIT_OF_HAS), "note", ...Object.keys(FACET_OF_HAS)],
  is: [...TRAITS_OF_IS, "undated", "redacted", ...MESSAGE_KINDS],
  kind: [...MESSAGE_KINDS, "event", ...ITEM_KINDS],
  type: ATTACHMENT_TYPES,
  review: REVIEW_STATES,
};

/** @param name lower case. */
export function isOperator(name: string): boolean {
  return Object.hasOwn(OPERATORS, name);
}

/** Returns null if the operator or its value is invalid. @param now instant from which ages count */
export function readOperator(name: string, value: string, now: Instant): OperatorCondition | null {
  return isOperator(name) ? OPERATORS[name]!(value, now) : null;
}
