import type { Message } from "../src/mail/records/message.ts";
import { parseMessage } from "../src/mime/parse-message.ts";

/** Maximum levels of nested messages; chains of forwards are shorter. */
const MAX_MESSAGE_DEPTH = 50;
/** Maximum nested messages read from one message. */
const MAX_NESTED_MESSAGES = 1000;

/**
 * Every message attached to a message, and those attached to them, in part order, for searching forwarded mail. Encoded
 * attachments (base64, which violates RFC 2046 5.2.1) are followed too. Messages are read one at a time, on demand.
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

/** Last part first, because a stack returns them in reverse order. */
function attachedTo(message: Message, depth: number): Waiting[] {
  const found = message.attachments.filter(
    (part) => part.mediaType === "message/rfc822" || part.mediaType === "message/global",
  );
  return found.reverse().map((part) => ({ depth, bytes: () => Buffer.from(part.bytes()) }));
}
