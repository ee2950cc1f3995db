import type { CalendarEntry } from "../../mail/records/calendar-event.ts";
import type { MessageEnvelope } from "../../mail/records/message.ts";
import type { Packed } from "../../store/tables/column.ts";
import { KEPT_PLACES } from "../../store/tables/message-tables.ts";
import type { StagedAttachment, StagedMessage } from "./staged-message.ts";

/**
 * A staged message as a list, with its fields in the order of the tables. In JSON, field names would make up more than
 * half of it, and take longer to write and read than the values.
 */
export type PackedMessage = readonly [
  attachments: readonly StagedAttachment[],
  calendar: readonly CalendarEntry[],
  ...fields: readonly Packed[],
];

/** Start of the fields. */
const FIELDS_AT = 2;

/** Envelope fields of a staged message. */
export type StagedEnvelope = Omit<MessageEnvelope, "messageId">;
/** The fields of a staged message outside its envelope. */
export type EnvelopeExtras = Omit<StagedMessage, keyof StagedEnvelope>;

/**
 * Packs a message in two parts, or one object with both: spreading the envelope into another object took 50 µs per
 * message, five times the packing.
 */
export function packMessage(envelope: StagedEnvelope, beside: EnvelopeExtras): PackedMessage {
  const packed: [readonly StagedAttachment[], readonly CalendarEntry[], ...Packed[]] = [
    beside.attachments,
    beside.calendar,
  ];
  for (const { field, pack } of KEPT_PLACES) {
    const value = (beside as Readonly<Record<string, unknown>>)[field];
    packed.push(pack(value === undefined ? (envelope as Readonly<Record<string, unknown>>)[field] : value));
  }
  return packed;
}

/** All fields exist from the start: an object that grows takes ten times as long. */
const BLANK: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(
    [...KEPT_PLACES.map(({ field }) => field), "attachments", "calendar"].map((field) => [field, null]),
  ),
  kind: "message",
};

export function unpackMessage(packed: PackedMessage): StagedMessage {
  const fields: Record<string, unknown> = { ...BLANK };
  fields["attachments"] = packed[0];
  fields["calendar"] = packed[1];
  for (let at = 0; at < KEPT_PLACES.length; at++) {
    const { field, unpack } = KEPT_PLACES[at]!;
    fields[field] = unpack(packed[FIELDS_AT + at]!);
  }
  return fields as unknown as StagedMessage;
}
