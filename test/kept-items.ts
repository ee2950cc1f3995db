import type { Message } from "../src/mail/message.ts";
import type { SourceItem } from "../src/sources/source.ts";

/**
 * The items of a reader, to be looked at later. Attachments share memory with the item that is read next: their bytes
 * are copied at once.
 */
export function keptItems(items: Iterable<SourceItem>): readonly SourceItem[] {
  const kept: SourceItem[] = [];
  for (const item of items) kept.push(item.kind === "mapi" ? { ...item, message: withBytes(item.message) } : item);
  return kept;
}

function withBytes(message: Message): Message {
  const attachments = message.attachments.map((part) => {
    const bytes = Buffer.from(part.bytes());
    return { ...part, bytes: () => bytes };
  });
  return { ...message, attachments };
}
