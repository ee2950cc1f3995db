import type { Message } from "../src/mail/records/message.ts";
import { parseMessage } from "../src/mime/parse-message.ts";

/** Maximum levels of nested messages that are followed; forwards of forwards end long before. */
const MAX_MESSAGE_DEPTH = 50;
/** Nested messages read of one message. */
const MAX_NESTED_MESSAGES = 1000;

/**
 * Every message attached to a message, and those attached to them, in the order of the parts: for search over forwarded
 * mail. Encoded attachments (base64, against RFC 2046 5.2.1) are followed too. Read one at a time, as they are asked
 * for.
 */
export function* nestedMessages(message: Message): Generator<Message, void, undefined> {
  const waiting = attachedTo(message, 1);
  for (let count = 0; count < MAX_NESTED_MESSAGES; count++) {
    const next = waiting.pop();
    if (next === undefined) return;
    const nested = parseMessage(next.bytes());
    yield nested;
    if (next.depth < MAX_MESSAGE_DEPTH) waiting.push(...attachedTo(nested, next.depth + 1));
  }
}

interface Waiting {
  readonly depth: number;
  bytes(): Buffer;
}

/** Last part first: the stack gives them back in order. */
function attachedTo(message: Message, depth: number): Waiting[] {
  const found = message.attachments.filter(
    (part) => part.mediaType === "message/rfc822" || part.mediaType === "message/global",
  );
  return found.reverse().map((part) => ({ depth, bytes: () => Buffer.from(part.bytes()) }));
}
