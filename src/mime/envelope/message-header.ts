import type { MessageEnvelope } from "../../mail/records/message.ts";
import { parseHeaderBlock } from "../syntax/header-block.ts";
import { readEnvelope } from "./envelope.ts";
import { type ListMail, readListMail } from "./list-author.ts";

/**
 * Parses a header without a body, such as the transport headers that Outlook stores: the same fields as `parseMessage`,
 * without looking for parts.
 * @param text decoded Unicode; fields are parsed from its UTF-8 bytes, so that raw 8-bit words and encoded words give
 * the same result.
 */
export function parseMessageHeader(text: string): ListMail {
  const fields = parseHeaderBlock(Buffer.from(text, "utf8"));
  return readListMail(fields, readEnvelope(fields));
}

/** Finds the author of list mail without a header: from `Ann Reed via Mill List` and Reply-To. */
export function withoutHeader(envelope: MessageEnvelope): ListMail {
  return readListMail(NO_FIELDS, envelope);
}

const NO_FIELDS = parseHeaderBlock(Buffer.alloc(0));
