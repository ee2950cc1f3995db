import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { readCalendar } from "../src/calendar/read-calendar.ts";
import type { Address } from "../src/mail/records/address.ts";
import type { AttachmentPart, Message } from "../src/mail/records/message.ts";
import { parseMessage } from "../src/mime/parse-message.ts";
import { PID } from "../src/properties/property-ids.ts";
import { FileSink } from "../test/pst-writer/file-sink.ts";
import { binary, boolean, integer, text, time, type WrittenProperty } from "../test/pst-writer/property-writer.ts";
import {
  StoreWriter,
  type WrittenAttachment,
  type WrittenMessage,
  type WrittenRecipient,
} from "../test/pst-writer/store-writer.ts";
import type { ExampleCompany, ExampleMessage } from "./company/company.ts";
import { eventProperties, OUTLOOK_FOLDERS } from "./company/outlook-items.ts";

/** The office mailbox once more, as Outlook exports it. */
export const PST_NAME = "halvorsen-pike.pst";

const READ_FLAG = 1;
const REPLIED_TO_SENDER = 102;
/** `PidTagAttachFlags`: the attachment is shown in the HTML body. */
const SHOWN_IN_HTML = 4;
const UTF8_CODE_PAGE = 65_001;
const CLASSES: ReadonlyMap<string | null, string> = new Map([
  ["REQUEST", "IPM.Schedule.Meeting.Request"],
  ["CANCEL", "IPM.Schedule.Meeting.Canceled"],
]);

/**
 * Writes the mail of the office, with its calendar, contacts, task and note, as a Unicode PST: the same bytes on every
 * run.
 */
export function writePst(company: ExampleCompany, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const sink = new FileSink(path);
  const store = new StoreWriter(sink, { layout: "unicode", encoding: "permute" });
  const folders = new Map<string, number>();
  for (const message of company.messages) {
    for (const { folder, isAnswered } of message.filings.filter(({ owner }) => owner === "office")) {
      const nid = folders.get(folder) ?? store.addFolder(folder);
      folders.set(folder, nid);
      store.addMessage(nid, writtenMail(store, message, isAnswered));
    }
  }
  for (const { name, items } of OUTLOOK_FOLDERS) {
    const nid = store.addFolder(name);
    for (const item of items) store.addMessage(nid, item(store));
  }
  store.finish();
  sink.close();
}

function writtenMail(store: StoreWriter, { raw, sentAt }: ExampleMessage, isAnswered: boolean): WrittenMessage {
  const message = parseMessage(raw);
  const { envelope } = message;
  const method = message.calendarParts[0]?.method ?? null;
  const properties: WrittenProperty[] = [
    text(PID.messageClass, CLASSES.get(method) ?? "IPM.Note"),
    text(PID.transportHeaders, raw.toString("latin1", 0, raw.indexOf("\r\n\r\n") + 4)),
    text(PID.subject, envelope.subject),
    time(PID.clientSubmitTime, envelope.sentAt ?? sentAt),
    time(PID.deliveryTime, envelope.receivedAt ?? sentAt),
    integer(PID.messageFlags, READ_FLAG),
    integer(PID.internetCodePage, UTF8_CODE_PAGE),
    ...bodies(message),
    ...eventOf(store, message),
  ];
  if (envelope.messageId !== null) properties.push(text(PID.internetMessageId, `<${envelope.messageId}>`));
  if (envelope.from !== null) properties.push(...authorProperties(envelope.from));
  if (isAnswered) properties.push(integer(PID.lastVerbExecuted, REPLIED_TO_SENDER));
  const recipients = [
    ...envelope.to.map(recipientOf(1)),
    ...envelope.cc.map(recipientOf(2)),
    ...envelope.bcc.map(recipientOf(3)),
  ];
  return { properties, recipients, attachments: message.attachments.map(writtenAttachment) };
}

function bodies({ textBody, htmlBody }: Message): readonly WrittenProperty[] {
  return [
    ...(textBody === null ? [] : [text(PID.body, textBody.replaceAll("\n", "\r\n"))]),
    ...(htmlBody === null ? [] : [binary(PID.html, Buffer.from(htmlBody.replaceAll("\n", "\r\n"), "utf8"))]),
  ];
}

/** Outlook keeps the event of an invitation as properties of the mail, and no iCalendar part. */
function eventOf(store: StoreWriter, { calendarParts }: Message): readonly WrittenProperty[] {
  const entry = calendarParts.flatMap((part) => readCalendar(part).entries)[0];
  if (entry === undefined || entry.start === null) return [];
  const { uid, location, start, end, allDay, sequence } = entry;
  return eventProperties(store, { uid, location, start, end: end ?? start, isAllDay: allDay, sequence });
}

function authorProperties({ name, email }: Address): readonly WrittenProperty[] {
  return [
    text(PID.senderName, name || email),
    text(PID.senderAddressType, addressType(email)),
    text(PID.senderEmail, email),
    text(PID.sentRepresentingName, name || email),
    text(PID.sentRepresentingAddressType, addressType(email)),
    text(PID.sentRepresentingEmail, email),
  ];
}

function recipientOf(type: WrittenRecipient["type"]): (address: Address) => WrittenRecipient {
  return ({ name, email }) => ({ type, name: name || email, email, addressType: addressType(email) });
}

/** X.500 names of the old Exchange server begin with a slash. */
function addressType(email: string): string {
  return email.startsWith("/") ? "EX" : "SMTP";
}

function writtenAttachment(part: AttachmentPart): WrittenAttachment {
  const properties = [
    text(PID.attachLongFilename, part.filename),
    text(PID.attachMimeTag, part.mediaType),
    ...(part.contentId === null ? [] : [text(PID.attachContentId, part.contentId)]),
    ...(part.disposition === "inline"
      ? [integer(PID.attachFlags, SHOWN_IN_HTML), boolean(PID.attachmentHidden, true)]
      : []),
  ];
  return { properties, data: Buffer.from(part.bytes()) };
}
