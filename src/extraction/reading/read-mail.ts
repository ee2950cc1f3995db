import { receivedByStore } from "../../mail/dates/plausible-dates.ts";
import type { Message } from "../../mail/records/message.ts";
import { parseMessage } from "../../mime/parse-message.ts";
import type { SourceItem } from "../../sources/reading/source.ts";

export type Mail = Extract<SourceItem, { kind: "rfc5322" }>;

/**
 * The message, or what the reader threw: the caller reports it when it comes to that mail.
 * @param charset of 8-bit text that names none; null to guess it
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
