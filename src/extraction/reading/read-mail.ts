import { receivedByStore } from "../../mail/dates/plausible-dates.ts";
import type { Message } from "../../mail/records/message.ts";
import { parseMessage } from "../../mime/parse-message.ts";
import type { SourceItem } from "../../sources/reading/source.ts";

export type Mail = Extract<SourceItem, { kind: "rfc5322" }>;

/**
 * Returns the message, or the error of the reader, to be reported in mail order. @param charset of 8-bit text without
 * one; null to guess it
 */
export function readMail(mail: Mail, charset: string | null): Message | Error {
  try {
    return withStoredDate(parseMessage(mail.bytes, charset), mail, charset);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Dates a message without a plausible date by when its store received it. */
function withStoredDate(read: Message, mail: Mail, charset: string | null): Message {
  if (read.envelope.receivedAt !== null) return read;
  const storedAt = mail.storedAt();
  const isUnread = read.findings.some(({ code }) => code === "date-unreadable");
  const message = isUnread ? parseMessage(mail.bytes, charset, storedAt) : read;
  const { sentAt } = message.envelope;
  const received = storedAt === null ? null : receivedByStore(sentAt, storedAt);
  return received === null ? message : { ...message, envelope: { ...message.envelope, receivedAt: received } };
}
