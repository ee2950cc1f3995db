import type { Instant } from "../../mail/dates/instant.ts";
import { addressText } from "../../mail/records/address.ts";
import type { CalendarEvent } from "../../mail/records/calendar-event.ts";
import { ordinalOf } from "../../mail/records/ids.ts";
import { type ArchivedItem, itemDate } from "../../mail/records/item.ts";
import type { IndexedDocument } from "./index-builder.ts";
import type { ValueField } from "./search-field.ts";
import type { IndexedText } from "./search-source.ts";

/** Indexed fields of an event or item. */
export interface IndexedRecord extends Pick<IndexedDocument, "subject" | "body" | "fields"> {
  /** The parts of the body, which is one per line. */
  readonly passages: readonly string[];
  readonly ordinal: number;
  /** The sorting date, also used by `after:`, `before:` and `on:`. */
  readonly date: Instant | null;
  readonly kind: string;
  readonly source: number;
  readonly mailbox: string;
}

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();
const EVENT_KIND = "event";
/** Words that `kind:` finds events by. */
const EVENT_KINDS = `${EVENT_KIND}\nappointment`;

export function indexedEvent(event: CalendarEvent): IndexedRecord {
  const { organizer, attendees, description, location, categories, attachments } = event;
  const files = attachments.flatMap(({ filename, linkTarget }) => [filename, linkTarget ?? ""]);
  const [from, to] = [organizer === null ? "" : addressText(organizer), attendees.map(addressText)];
  return {
    ordinal: ordinalOf("event", event.id) ?? 0,
    date: event.start,
    kind: EVENT_KIND,
    source: event.source,
    mailbox: event.mailbox,
    subject: ENCODER.encode(event.subject),
    ...bodyOf([description, location, from, ...to, ...categories, ...files]),
    fields: fieldTexts([
      ["kind", EVENT_KINDS],
      ["from", from],
      ["to", lines(to)],
    ]),
  };
}

export function indexedItem(item: ArchivedItem): IndexedRecord {
  const values = Object.values(item.fields);
  // The owner of a card, or the members of a list.
  const people = item.kind === "contact" ? [item.subject, ...values.filter((value) => value.includes("@"))] : [];
  return {
    ordinal: ordinalOf("item", item.id) ?? 0,
    date: itemDate(item),
    kind: item.kind,
    source: item.source,
    mailbox: item.mailbox,
    subject: ENCODER.encode(item.subject),
    ...bodyOf(values),
    fields: fieldTexts([
      ["kind", item.kind.replaceAll("_", "")],
      ["to", lines(item.kind === "distribution_list" ? [item.fields["members"] ?? ""] : people)],
    ]),
  };
}

/** The text again, for snippets and phrases. */
export function indexedText({ subject, body, passages }: IndexedRecord): IndexedText {
  return {
    subject: () => subject,
    body: () => body,
    passages: () => passages.map((passage) => ENCODER.encode(passage)),
    files: () => [],
  };
}

/** The values of a field, split again. */
export function valuesOf({ fields }: IndexedRecord, wanted: ValueField): readonly string[] {
  return fields.flatMap(({ field, text }) => (field === wanted ? DECODER.decode(text).split("\n") : []));
}

function bodyOf(passages: readonly string[]): Pick<IndexedRecord, "body" | "passages"> {
  return { body: ENCODER.encode(lines(passages)), passages };
}

function lines(texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n");
}

function fieldTexts(texts: readonly (readonly ["kind" | "from" | "to", string])[]): IndexedRecord["fields"] {
  return texts.flatMap(([field, text]) => (text === "" ? [] : [{ field, text: ENCODER.encode(text) }]));
}
