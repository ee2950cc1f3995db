import { receivedByStore } from "../../mail/believed-dates.ts";
import type { Message } from "../../mail/message.ts";
import { parseMessage } from "../../mime/parse-message.ts";
import type { SourceItem } from "../../sources/source.ts";

export type Mail = Extract<SourceItem, { kind: "rfc5322" }>;

/**
 * The message, or what the reader threw: the caller reports it when it comes to that mail.
 * @param charset of 8-bit text that names none; null to guess it
 */
export function readMail(mail: Mail, charset: string | null): Message | Error {
  try {
    return withStoredDate(parseMessage(mail.bytes, charset), mail);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** A message without a date that can be right was received when it came into its store. */
function withStoredDate(message: Message, mail: Mail): Message {
  const { sentAt, receivedAt } = message.envelope;
  if (receivedAt !== null) return message;
  const storedAt = mail.storedAt();
  const received = storedAt === null ? null : receivedByStore(sentAt, storedAt);
  return received === null ? message : { ...message, envelope: { ...message.envelope, receivedAt: received } };
}
