import { itemCard } from "../calendar/item-card.ts";
import { CalendarWriter } from "../calendar/write-calendar.ts";
import type { CalendarEntry } from "../mail/calendar-event.ts";
import { readAppointment } from "../mapi/appointment.ts";
import type { ItemFile } from "../mapi/attachment-parts.ts";
import { fingerprintOf } from "../mapi/fingerprint.ts";
import { readItemFields } from "../mapi/item-fields.ts";
import { NO_DIRECTORY } from "../mapi/mapi-address.ts";
import { senderAddress } from "../mapi/mapi-message.ts";
import { treatmentOf } from "../mapi/message-class.ts";
import type { MessageObject } from "../mapi/message-object.ts";
import { readableBody, richBodies } from "../mapi/rich-body.ts";
import { wholeRange } from "../properties/byte-range.ts";
import { PID } from "../properties/property-ids.ts";

/** Memory for the small values of one item while they are hashed. */
const SCRATCH_BYTES = 64 << 10;
const PRODUCER = "archivetool";

/**
 * An item that is attached to mail and is no message, as a file of its own: a contact as vCard, an appointment as
 * iCalendar, any other as text with a field a line. Null for a message.
 */
export function attachedFile(item: MessageObject): ItemFile | null {
  const treatment = treatmentOf(item);
  if (treatment === "mail" || treatment === "meeting") return null;
  const { sha256 } = fingerprintOf(item, wholeRange(Buffer.allocUnsafeSlow(SCRATCH_BYTES)));
  if (treatment === "appointment") {
    const entries = entriesOf(item, `sha256:${sha256}`);
    if (entries.length > 0) return fileOf("ics", "text/calendar", calendarText(entries));
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

function entriesOf(item: MessageObject, fallbackUid: string): readonly CalendarEntry[] {
  const { properties } = item;
  return readAppointment(item, {
    messageClass: properties.text(PID.messageClass) ?? "",
    ...senderAddress(item, NO_DIRECTORY),
    description: readableBody(richBodies(properties)),
    createdAt: properties.time(PID.creationTime),
    updatedAt: properties.time(PID.lastModificationTime),
    fallbackUid,
  }).map(({ entry }) => entry);
}

/** The same entries always give the same bytes. */
function calendarText(entries: readonly CalendarEntry[]): string {
  const pieces: string[] = [];
  const [{ updatedAt, createdAt, start }] = entries as readonly [CalendarEntry, ...CalendarEntry[]];
  const writer = new CalendarWriter(PRODUCER, updatedAt ?? createdAt ?? start ?? 0, (piece) => pieces.push(piece));
  for (const entry of entries) writer.describeZone(entry);
  for (const entry of entries) writer.add(entry);
  writer.end();
  return pieces.join("");
}
