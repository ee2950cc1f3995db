import { ordinalOf } from "../mail/ids.ts";
import { EARLIEST_INSTANT, type Instant, LATEST_INSTANT } from "../mail/instant.ts";
import { tokensOf } from "../text/tokens.ts";
import { parseDateSpan } from "./query-dates.ts";
import type { SearchField } from "./search-field.ts";

/** What an operator names: a field of the index, or what the columns and tables of the archive tell. */
export type QueriedField = SearchField | "topic" | "mailbox" | "place" | "id" | "person" | "thread";

/** An operator with a value that it takes. */
export type OperatorCondition =
  | { readonly kind: "field"; readonly field: QueriedField; readonly text: string; readonly tokens: readonly string[] }
  | { readonly kind: "date"; readonly first: Instant; readonly last: Instant };

/** Reads the value of an operator; null for one that it does not take. */
type ValueReader = (value: string) => OperatorCondition | null;

/** The value in words, all of which must be in the field. */
function words(field: QueriedField): ValueReader {
  return (value) => {
    const tokens = tokensOf(value);
    return tokens.length === 0 ? null : { kind: "field", field, text: value, tokens };
  };
}

/** A kind is one word, however it is written: `meeting_request`, `meeting-request`, `"meeting request"`. */
function readKind(value: string): OperatorCondition | null {
  const token = tokensOf(value).join("");
  return token === "" ? null : { kind: "field", field: "kind", text: value, tokens: [token] };
}

/** A Message-ID, as it is written, but without angle brackets. */
function readId(value: string): OperatorCondition | null {
  const text = value.replace(/^<(.*)>$/, "$1");
  return text === "" ? null : { kind: "field", field: "id", text, tokens: [] };
}

function readThread(value: string): OperatorCondition | null {
  const text = value.toLowerCase();
  return ordinalOf("thread", text) === null ? null : { kind: "field", field: "thread", text, tokens: [] };
}

function readHas(value: string): OperatorCondition | null {
  const isKnown = ["attachment", "attachments"].includes(value.toLowerCase());
  return isKnown ? { kind: "field", field: "has", text: value, tokens: ["attachment"] } : null;
}

function dates(bounds: (first: Instant, last: Instant) => readonly [Instant, Instant]): ValueReader {
  return (value) => {
    const span = parseDateSpan(value);
    if (span === null) return null;
    const [first, last] = bounds(span.first, span.last);
    return { kind: "date", first, last };
  };
}

/** The operators, by the word before the colon. */
const OPERATORS: Readonly<Record<string, ValueReader>> = {
  from: words("from"),
  to: words("to"),
  cc: words("cc"),
  person: words("person"),
  subject: words("subject"),
  filename: words("filename"),
  in: words("mailbox"),
  mailbox: (value) => (value === "" ? null : { kind: "field", field: "place", text: value, tokens: [] }),
  id: readId,
  thread: readThread,
  topic: words("topic"),
  has: readHas,
  kind: readKind,
  is: readKind,
  after: dates((first) => [first, LATEST_INSTANT]),
  before: dates((_, last) => [EARLIEST_INSTANT, last]),
  on: dates((first, last) => [first, last]),
};

/** @param name lower case. */
export function isOperator(name: string): boolean {
  return Object.hasOwn(OPERATORS, name);
}

/** Null where there is no such operator, or it takes no such value. */
export function readOperator(name: string, value: string): OperatorCondition | null {
  return isOperator(name) ? OPERATORS[name]!(value) : null;
}
