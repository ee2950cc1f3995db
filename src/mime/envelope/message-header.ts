import type { MessageEnvelope } from "../../mail/records/message.ts";
import { parseHeaderBlock } from "../syntax/header-block.ts";
import { readEnvelope } from "./envelope.ts";
import { type ListMail, readListMail } from "./list-author.ts";

/**
 * Reads a header that stands alone, as Outlook keeps the transport headers of a message: what `parseMessage` finds
 * in it, without looking for the parts of a body that is not there.
 * @param text decoded Unicode; fields are read from its UTF-8 bytes, so that raw 8-bit words and encoded words come out
 * alike.
 */
export function parseMessageHeader(text: string): ListMail {
  const fields = parseHeaderBlock(Buffer.from(text, "utf8"));
  return readListMail(fields, readEnvelope(fields));
}

/** Finds the author of mail of a list that has no header at all: `Ann Reed via Mill List` and Reply-To tell as much. */
export function withoutHeader(envelope: MessageEnvelope): ListMail {
  return readListMail(NO_FIELDS, envelope);
}

const NO_FIELDS = parseHeaderBlock(Buffer.alloc(0));
