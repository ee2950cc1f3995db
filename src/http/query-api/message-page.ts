import { Utf8Buffer } from "../../columns/utf8-buffer.ts";
import { jsonLine } from "../../document/json-line.ts";
import { writeFoldedJsonText } from "../../document/json-text.ts";
import type { ListedMessage } from "../../mail/archive.ts";
import type { MessageWire } from "./wire.ts";
import { messageWire } from "./wire-records.ts";

/** Placeholder for a text. Quotes in JSON strings are escaped, so this occurs nowhere else. */
const EMPTY_BODY = '"body":""';

/**
 * A record with a list of messages without bodies. A page of a thousand is mostly bodies: they are copied as UTF-8
 * from the store to the response, with collapsed white space, and never become strings.
 */
export class MessagePage {
  readonly record: object;

  /** @param recordOf returns the whole record with its list of messages */
  constructor(
    readonly messages: readonly ListedMessage[],
    recordOf: (messages: readonly MessageWire[]) => object,
  ) {
    this.record = recordOf(messages.map((message) => messageWire(message, "")));
  }
}

/** JSON of a response, in the envelope of its surface if it has one. */
export function answerJson(answer: object, envelope: (record: object) => object = (record) => record): string | Buffer {
  if (!(answer instanceof MessagePage)) return jsonLine(envelope(answer));
  return withBodies(jsonLine(envelope(answer.record)), answer.messages);
}

function withBodies(line: string, messages: readonly ListedMessage[]): Buffer {
  const out = new Utf8Buffer();
  // Enough for nearly every page: growing a buffer copies it.
  out.reserve(messages.reduce((bytes, { body }) => bytes + body.length, 2 * line.length));
  let from = 0;
  for (const { body } of messages) {
    const to = line.indexOf(EMPTY_BODY, from) + EMPTY_BODY.length - 1;
    out.text(line.slice(from, to));
    writeFoldedJsonText(body, out);
    from = to;
  }
  out.text(line.slice(from));
  return out.view();
}
