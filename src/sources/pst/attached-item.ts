import { itemCard } from "../../calendar/item-card.ts";
import { CalendarWriter } from "../../calendar/write-calendar.ts";
import type { CalendarEntry } from "../../mail/records/calendar-event.ts";
import type { CalendarPart } from "../../mail/records/message.ts";
import { isAnswer, readAppointment } from "../../mapi/appointments/appointment.ts";
import { readItemFields } from "../../mapi/item-fields.ts";
import type { ItemFile, ItemFiles } from "../../mapi/message/attachment-parts.ts";
import { readMapiMessage, senderAddress } from "../../mapi/message/mapi-message.ts";
import { fingerprintOf } from "../../mapi/objects/fingerprint.ts";
import { NO_DIRECTORY, type X500Directory } from "../../mapi/objects/mapi-address.ts";
import { treatmentOf } from "../../mapi/objects/message-class.ts";
import type { MessageObject } from "../../mapi/objects/message-object.ts";
import { readableBody, richBodies } from "../../mapi/rtf/rich-body.ts";
import { fullRange } from "../../properties/byte-range.ts";
import { PID } from "../../properties/property-ids.ts";

/** Memory for the small values of one item while they are hashed. */
const SCRATCH_BYTES = 64 << 10;
const PRODUCER = "archivetool";

/**
 * Writes an item other than a message as a file: a contact as vCard, an appointment as iCalendar, any other as text
 * with one field per line; and a message about a meeting as iTIP.
 */
export const ITEM_FILES: ItemFiles = { fileOf: itemFile, invitationOf };

function itemFile(item: MessageObject): ItemFile | null {
  const treatment = treatmentOf(item);
  if (treatment === "mail" || treatment === "meeting") return null;
  const sha256 = sha256Of(item);
  if (treatment === "appointment") {
    const entries = entriesOf(item, { fallbackUid: `sha256:${sha256}`, known: NO_DIRECTORY });
    if (isFilled(entries)) return fileOf("ics", "text/calendar", calendarText(entries, null));
  }
  const { properties } = item;
  const kind = treatment === "appointment" ? "other" : treatment;
  const read = readItemFields(properties, kind, properties.time(PID.creationTime));
  const card = itemCard({ id: `sha256:${sha256}`, ...read });
  if (card !== null) return fileOf("vcf", "text/vcard", card);
  const lines = Object.entries(read.fields).map(([name, value]) => `${name}: ${value}`);
  return fileOf("txt", "text/plain", [`subject: ${read.subject}`, ...lines, ""].join("\n"));
}

function fileOf(extension: string, mediaType: string, text: string): ItemFile {
  const bytes = Buffer.from(text, "utf8");
  return { extension, mediaType, bytes: () => bytes };
}

/** A reply goes to the organizer of the meeting (RFC 5546 section 3.2.3). */
function invitationOf(item: MessageObject, known: X500Directory): CalendarPart | null {
  if (treatmentOf(item) !== "meeting") return null;
  const entries = entriesOf(item, { fallbackUid: `sha256:${sha256Of(item)}`, known });
  const method = entries[0]?.method ?? null;
  if (!isFilled(entries) || method === null) return null;
  const organizer = isAnswer(method) ? (readMapiMessage(item, known).envelope.to[0] ?? null) : null;
  const [first, ...others] = entries;
  return { text: calendarText([{ ...first, organizer: first.organizer ?? organizer }, ...others], method), method };
}

function sha256Of(item: MessageObject): string {
  return fingerprintOf(item, fullRange(Buffer.allocUnsafeSlow(SCRATCH_BYTES))).sha256;
}

type FilledEntries = readonly [CalendarEntry, ...CalendarEntry[]];

function isFilled(entries: readonly CalendarEntry[]): entries is FilledEntries {
  return entries.length > 0;
}

function entriesOf(
  item: MessageObject,
  { fallbackUid, known }: { readonly fallbackUid: string; readonly known: X500Directory },
): readonly CalendarEntry[] {
  const { properties } = item;
  return readAppointment(item, {
    messageClass: properties.text(PID.messageClass) ?? "",
    ...senderAddress(item, known),
    description: readableBody(richBodies(properties)),
    createdAt: properties.time(PID.creationTime),
    updatedAt: properties.time(PID.lastModificationTime),
    fallbackUid,
  }).map(({ entry }) => entry);
}

/** Equal entries give equal bytes. */
function calendarText(entries: FilledEntries, method: string | null): string {
  const pieces: string[] = [];
  const [{ updatedAt, createdAt, start }] = entries;
  const head = { producer: PRODUCER, madeAt: updatedAt ?? createdAt ?? start ?? 0, method };
  const writer = new CalendarWriter(head, (piece) => pieces.push(piece));
  for (const entry of entries) writer.describeZone(entry);
  for (const entry of entries) writer.add(entry);
  writer.end();
  return pieces.join("");
}
