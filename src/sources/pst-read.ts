import { hash } from "node:crypto";
import type { CalendarEntry } from "../mail/calendar-event.ts";
import type { ItemKind } from "../mail/item.ts";
import type { Finding, Message } from "../mail/message.ts";
import { readAppointment } from "../pst/appointment.ts";
import { bufferOf } from "../pst/byte-range.ts";
import type { Damage } from "../pst/damage.ts";
import { type MessageObject, readMessageObject } from "../pst/message-object.ts";
import { PROPERTY_SET } from "../pst/named-properties.ts";
import type { Properties } from "../pst/properties.ts";
import { PID } from "../pst/property-ids.ts";
import { richBodies } from "../pst/rich-body.ts";
import type { Store } from "../pst/store.ts";
import { itemParts, listParts } from "./pst-attachments.ts";
import { type Fingerprint, fingerprintOf } from "./pst-fingerprint.ts";
import { readPstItem } from "./pst-item.ts";
import { partContext, readPstMessage, senderAddress } from "./pst-message.ts";
import type { ItemPlace, PstNode, SourceItem } from "./source.ts";

type Treatment = "mail" | "meeting" | "appointment" | ItemKind;

/** What becomes of an item, by the beginning of its message class (lower case); the first that fits counts. */
const TREATMENTS: readonly { readonly prefix: string; readonly as: Treatment }[] = [
  { prefix: "ipm.note", as: "mail" },
  { prefix: "ipm.schedule.meeting", as: "meeting" },
  { prefix: "ipm.appointment", as: "appointment" },
  { prefix: "ipm.ole.class.{00061055", as: "appointment" },
  { prefix: "ipm.contact", as: "contact" },
  { prefix: "ipm.distlist", as: "distribution_list" },
  { prefix: "ipm.taskrequest", as: "mail" },
  { prefix: "ipm.task", as: "task" },
  { prefix: "ipm.stickynote", as: "note" },
  { prefix: "ipm.activity", as: "journal" },
  { prefix: "ipm.post", as: "mail" },
  { prefix: "report.", as: "mail" },
  { prefix: "ipm.recall", as: "mail" },
  { prefix: "ipm.outlook.recall", as: "mail" },
  { prefix: "ipm.sharing", as: "mail" },
  { prefix: "ipm.replication", as: "mail" },
  { prefix: "ipm.conflict", as: "mail" },
  { prefix: "ipm.microsoft", as: "other" },
  { prefix: "ipm.configuration", as: "other" },
];

/** `PidTagMessageFlags`, `PidTagLastVerbExecuted`, `PidTagFlagStatus` as the words of the archive. */
const READ_FLAG = 1;
const UNSENT_FLAG = 8;
const REPLIED_VERBS: ReadonlySet<number> = new Set([102, 103]);
const FORWARDED_VERB = 104;
const FOLLOW_UP = 2;
const KEYWORDS = { set: PROPERTY_SET.publicStrings, name: "Keywords" } as const;

/** Reads one node of a unit: the item it holds, with an entry more for each changed occurrence of a recurring appointment. */
export function readPstNode(store: Store, node: PstNode): readonly SourceItem[] {
  const place: ItemPlace = { mailbox: node.mailbox, location: locationOf(node) };
  // What an earlier item left, such as notes of attachments read late, is not this one's.
  store.database.startItem();
  const entry = node.blocks ?? store.database.node(node.nid);
  const object = entry === null ? null : readMessageObject(store, entry, 0);
  if (object === null) return [lostItem(store, node, place)];
  const fingerprint = fingerprintOf(store, object);
  const treatment = treatmentOf(object);
  if (treatment === "mail" || treatment === "meeting") return [mailItem(store, { object, node, place, fingerprint, treatment })];
  const entries = treatment === "appointment" ? appointmentItems(store, object, place, fingerprint) : [];
  const attachments = itemParts(store, object, partContext(store, null));
  const read: SourceItem[] = [...entries];
  // A calendar entry has no place for attachments: they are kept as an item beside it.
  if (entries.length === 0 || attachments.length > 0) {
    const item = readPstItem(object.properties, treatment === "appointment" ? "other" : treatment);
    const fields = attachments.length === 0 ? item.fields : { ...item.fields, attachments: listParts(attachments) };
    const location = entries.length === 0 ? place.location : `${place.location}/attachments`;
    read.push({ kind: "item", item: { ...item, fields }, attachments, sha256: fingerprint.sha256, mailbox: place.mailbox, location });
  }
  // These items have no findings of their own: what was lost of them is noted beside them.
  return [...read, ...store.database.log.drain().map((damage) => noteOf(damage, place, fingerprint.sha256))];
}

/** Where an item of a store is. */
export function locationOf({ nid, blocks }: PstNode): string {
  return blocks === null || nid !== 0 ? `nid:${nid.toString(16)}` : `bid:${blocks.dataBid.toString(16)}`;
}

/** A note about the place: no item, but the report shall tell. */
export function noteOf(damage: Damage, place: ItemPlace, sha256: string | null): SourceItem {
  return { kind: "note", code: damage.code, message: damage.message, sha256, ...place };
}

/** What was listed and cannot be read is a lost item; what only a scan found may be a page of long ago and is noted. */
function lostItem(store: Store, node: PstNode, place: ItemPlace): SourceItem {
  const entry = node.blocks ?? store.database.node(node.nid);
  const raw = entry === null ? null : store.database.readBlock(entry.dataBid);
  const sha256 = raw === null ? null : hash("sha256", bufferOf(raw));
  const reasons = store.database.log.drain().map(({ message }) => message);
  const message = entry === null ? "listed in its folder, but not in the store" : `not readable: ${reasons.join("; ") || "no properties"}`;
  const code = entry === null ? "item-missing" : "item-damaged";
  return { kind: node.origin === "recovered" ? "note" : "damaged", code, message, sha256, ...place };
}

function treatmentOf(object: MessageObject): Treatment {
  const { properties, recipients } = object;
  const messageClass = properties.text(PID.messageClass)?.toLowerCase() ?? "ipm.note";
  const row = TREATMENTS.find(({ prefix }) => messageClass.startsWith(prefix));
  if (row !== undefined) return row.as;
  // Classes of add-ins are mail when somebody sent them to somebody.
  const isSent = recipients.length > 0 || properties.has(PID.transportHeaders) || properties.has(PID.senderName);
  return isSent || messageClass === "ipm" ? "mail" : "other";
}

interface MailContext {
  readonly object: MessageObject;
  readonly node: PstNode;
  readonly place: ItemPlace;
  readonly fingerprint: Fingerprint;
  readonly treatment: "mail" | "meeting";
}

function mailItem(store: Store, context: MailContext): SourceItem {
  const { object, node, place, fingerprint, treatment } = context;
  const { sha256, sizeBytes } = fingerprint;
  const message = readPstMessage(store, object);
  const calendar = treatment === "meeting" ? appointmentEntries(store, object, { description: message.textBody ?? "", sha256 }) : [];
  const damage = store.database.log.drain();
  const flags = flagsOf(object.properties, node.origin);
  const read = damage.length === 0 && calendar.length === 0 ? message : withCalendar(message, calendar, damage);
  return { kind: "mapi", message: read, flags, calendar, sha256, sizeBytes, mailbox: place.mailbox, location: place.location };
}

/** Appointment data of the properties stands for the iCalendar text of the same meeting. */
function withCalendar(message: Message, calendar: readonly CalendarEntry[], damage: readonly Finding[]): Message {
  const findings = [...message.findings, ...damage];
  return { ...message, findings, calendarParts: calendar.length > 0 ? [] : message.calendarParts };
}

function appointmentItems(store: Store, object: MessageObject, place: ItemPlace, fingerprint: Fingerprint): readonly SourceItem[] {
  const description = richBodies(object.properties).textBody ?? "";
  const entries = appointmentEntries(store, object, { description, sha256: fingerprint.sha256 });
  return entries.map((entry, index) => ({
    kind: "appointment",
    entry,
    sha256: fingerprint.sha256,
    mailbox: place.mailbox,
    location: index === 0 ? place.location : `${place.location}/occurrence:${index}`,
  }));
}

function appointmentEntries(
  store: Store,
  object: MessageObject,
  of: { readonly description: string; readonly sha256: string },
): ReturnType<typeof readAppointment> {
  const { properties } = object;
  return readAppointment(object, {
    messageClass: properties.text(PID.messageClass) ?? "",
    ...senderAddress(store, object),
    description: of.description.trim(),
    createdAt: properties.time(PID.creationTime),
    updatedAt: properties.time(PID.lastModificationTime),
    fallbackUid: `sha256:${of.sha256}`,
  });
}

function flagsOf(properties: Properties, origin: PstNode["origin"]): readonly string[] {
  const flags: string[] = [];
  const bits = properties.integer(PID.messageFlags) ?? 0;
  const verb = properties.integer(PID.lastVerbExecuted) ?? 0;
  if ((bits & READ_FLAG) !== 0) flags.push("seen");
  if (REPLIED_VERBS.has(verb)) flags.push("replied");
  if (properties.integer(PID.flagStatus) === FOLLOW_UP) flags.push("flagged");
  if ((bits & UNSENT_FLAG) !== 0) flags.push("draft");
  if (verb === FORWARDED_VERB) flags.push("forwarded");
  for (const category of properties.texts(properties.named(KEYWORDS))) flags.push(`label:${category}`);
  if (origin !== "listed") flags.push(origin);
  return flags;
}
