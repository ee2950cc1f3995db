import type { MessageEnvelope } from "../mail/message.ts";
import { readEnvelope } from "./envelope.ts";
import { parseHeaderBlock } from "./header-block.ts";
import { readListMail } from "./list-author.ts";

/**
 * Reads a header that stands alone, as Outlook keeps the transport headers of a message: the envelope `parseMessage`
 * gives, without looking for the parts of a body that is not there.
 * @param text decoded Unicode; fields are read from its UTF-8 bytes, so that raw 8-bit words and encoded words come out
 * alike.
 */
export function parseMessageHeader(text: string): MessageEnvelope {
  const fields = parseHeaderBlock(Buffer.from(text, "utf8"));
  return readListMail(fields, readEnvelope(fields)).envelope;
}
