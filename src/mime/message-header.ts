import type { MessageEnvelope } from "../mail/message.ts";
import { isAutomatic } from "./automatic-mail.ts";
import { readEnvelope } from "./envelope.ts";
import { decodedField, parseHeaderBlock } from "./header-block.ts";

/** What the header alone tells of a message. */
export interface MessageHeader {
  readonly envelope: MessageEnvelope;
  readonly gmailThreadId: string | null;
  readonly isAutomatic: boolean;
}

/**
 * Reads a header that stands alone, as Outlook keeps the transport headers of a message: the same fields `parseMessage` gives, without
 * looking for the parts of a body that is not there.
 * @param text decoded Unicode; fields are read from its UTF-8 bytes, so that raw 8-bit words and encoded words come out alike.
 */
export function parseMessageHeader(text: string): MessageHeader {
  const bytes = Buffer.from(text, "utf8");
  const headers = parseHeaderBlock(bytes);
  return {
    envelope: readEnvelope(headers),
    gmailThreadId: decodedField(headers, "x-gm-thrid") || null,
    isAutomatic: isAutomatic(headers),
  };
}
