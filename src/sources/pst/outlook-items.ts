import type { CalendarEntry } from "../../mail/records/calendar-event.ts";
import type { Finding, Message } from "../../mail/records/message.ts";
import { readAppointment } from "../../mapi/appointments/appointment.ts";
import type { AppointmentEntry } from "../../mapi/appointments/appointment-series.ts";
import { associatedKind, readAssociatedItem } from "../../mapi/associated-item.ts";
import { readItemFields } from "../../mapi/item-fields.ts";
import { itemParts, listParts } from "../../mapi/message/attachment-parts.ts";
import { partContext, readMapiMessage, senderAddress } from "../../mapi/message/mapi-message.ts";
import type { Fingerprint } from "../../mapi/objects/fingerprint.ts";
import type { UserItemKind } from "../../mapi/objects/item-field-rows.ts";
import type { X500Directory } from "../../mapi/objects/mapi-address.ts";
import { treatmentOf } from "../../mapi/objects/message-class.ts";
import { messageFlags } from "../../mapi/objects/message-flags.ts";
import type { MessageObject } from "../../mapi/objects/message-object.ts";
import { readableBody, richBodies } from "../../mapi/rtf/rich-body.ts";
import { PID } from "../../properties/property-ids.ts";
import { noteOf } from "../reading/place-note.ts";
import type { ItemPlace, SourceItem } from "../reading/source.ts";
import { ITEM_FILES } from "./attached-item.ts";
import type { ItemTimes } from "./pst-folder-rows.ts";

/** An Outlook object and its context. */
interface FoundObject {
  readonly object: MessageObject;
  readonly place: ItemPlace;
  readonly fingerprint: Fingerprint;
  /** X.500 names known from the file. */
  readonly directory: X500Directory;
  /** True for folder-associated items: rules, out-of-office texts. */
  readonly isAssociated: boolean;
  /** Flags by location, in addition to those of its properties. */
  readonly flags: readonly string[];
  /** Unreadable parts since the object was opened. */
  damage(): readonly Finding[];
  /** Times listed by its folder, read on demand, for an item that lacks them. */
  listed(): ItemTimes;
}

/** Times when an object was created and last changed, from the object itself, otherwise from its folder. */
function timesOf({ object, listed }: FoundObject): ItemTimes {
  const createdAt = object.properties.time(PID.creationTime);
  const updatedAt = object.properties.time(PID.lastModificationTime);
  if (createdAt !== null && updatedAt !== null) return { createdAt, updatedAt };
  const dates = listed();
  return { createdAt: createdAt ?? dates.createdAt, updatedAt: updatedAt ?? dates.updatedAt };
}

/** Returns the item of an object, with further entries for changed occurrences of a recurring appointment. */
export function outlookItems(found: FoundObject): readonly SourceItem[] {
  const { object, place, fingerprint } = found;
  if (found.isAssociated) return associatedItems(found);
  const treatment = treatmentOf(object);
  if (treatment === "mail" || treatment === "meeting") return mailItems(found, treatment);
  const entries =
    treatment === "appointment" ? appointmentEntries(found, readableBody(richBodies(object.properties))) : [];
  const read =
    entries.length === 0
      ? [wholeItem(found, treatment === "appointment" ? "other" : treatment)]
      : entries.map(appointmentItems(found));
  // These items have no findings; damage becomes separate notes.
  return [...read, ...found.damage().map((damage) => noteOf(damage, place, fingerprint.sha256))];
}

/** Kept associated messages of a folder; the others are counted when folders are listed. */
function associatedItems({ object, place, fingerprint, damage }: FoundObject): readonly SourceItem[] {
  const { properties } = object;
  const kind = associatedKind(properties.text(PID.messageClass) ?? "");
  const { sha256 } = fingerprint;
  const notes = damage().map((finding) => noteOf(finding, place, sha256));
  if (kind === null) return notes;
  const item = readAssociatedItem(properties, kind);
  return [{ kind: "item", isPart: false, item, attachments: [], sha256, ...place }, ...notes];
}

/** Findings about lost parts of a kept message; links to files do not count. */
const LOSSES: ReadonlySet<string> = new Set(["rtf-damaged", "attached-message-lost", "subject-lost"]);

/** Returns a message, followed by a note for each damage. */
function mailItems(found: FoundObject, treatment: "mail" | "meeting"): readonly SourceItem[] {
  const { object, place, fingerprint, directory } = found;
  const { sha256, sizeBytes } = fingerprint;
  const message = readMapiMessage(object, directory, ITEM_FILES);
  const entries = treatment === "meeting" ? appointmentEntries(found, readableBody(message)) : [];
  const calendar = entries.map(({ entry }) => entry);
  const damage = found.damage();
  const flags = [...messageFlags(object.properties), ...found.flags];
  const read = damage.length === 0 && calendar.length === 0 ? message : withCalendar(message, calendar, damage);
  const rendered = (): Buffer => partContext(directory, { htmlBody: null, files: ITEM_FILES }).render(object);
  const item: SourceItem = {
    kind: "object",
    message: read,
    flags,
    calendar,
    sha256,
    sizeBytes,
    rendered,
    mailbox: place.mailbox,
    location: place.location,
  };
  const losses = [...damage, ...message.findings.filter(({ code }) => LOSSES.has(code))];
  return losses.length === 0 ? [item] : [item, ...losses.map((loss) => noteOf(loss, place, sha256))];
}

/** Appointment properties take precedence over the iCalendar text of the same meeting. */
function withCalendar(message: Message, calendar: readonly CalendarEntry[], damage: readonly Finding[]): Message {
  const findings = [...message.findings, ...damage];
  return { ...message, findings, calendarParts: calendar.length > 0 ? [] : message.calendarParts };
}

/** An item without times, other than mail. */
function wholeItem(found: FoundObject, kind: UserItemKind): SourceItem {
  const { object, place, fingerprint, directory } = found;
  const attachments = itemParts(object, partContext(directory, { htmlBody: null, files: ITEM_FILES }));
  const item = readItemFields(object.properties, kind, timesOf(found).createdAt);
  const fields = attachments.length === 0 ? item.fields : { ...item.fields, attachments: listParts(attachments) };
  return { kind: "item", isPart: false, item: { ...item, fields }, attachments, sha256: fingerprint.sha256, ...place };
}

/** Entries of an appointment with their attachments. All except the first are parts of one item. */
function appointmentItems({ fingerprint, directory, place }: FoundObject) {
  const { sha256 } = fingerprint;
  const { mailbox, location } = place;
  return ({ entry, object }: AppointmentEntry, index: number): SourceItem => ({
    kind: "appointment",
    isPart: index > 0,
    entry,
    attachments:
      object === null ? [] : itemParts(object, partContext(directory, { htmlBody: null, files: ITEM_FILES })),
    sha256,
    mailbox,
    location: index === 0 ? location : `${location}/occurrence:${index}`,
  });
}

function appointmentEntries(found: FoundObject, description: string): readonly AppointmentEntry[] {
  const { object, fingerprint, directory } = found;
  const { properties } = object;
  return readAppointment(object, {
    messageClass: properties.text(PID.messageClass) ?? "",
    ...senderAddress(object, directory),
    description,
    ...timesOf(found),
    fallbackUid: `sha256:${fingerprint.sha256}`,
  });
}
