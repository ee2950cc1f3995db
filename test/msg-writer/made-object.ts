import type { MessageObject } from "../../src/mapi/objects/message-object.ts";
import { openMsg } from "../../src/mapi/tnef/msg-object.ts";
import type { PropertyName } from "../../src/properties/named-properties.ts";
import type { WrittenProperty } from "../pst-writer/property-writer.ts";
import type { WrittenMessage } from "../pst-writer/store-writer.ts";
import { MsgWriter } from "./msg-writer.ts";

/** A message as read from a .msg file. @param made its properties, given the ids of their names */
export function objectOf(made: (named: (name: PropertyName) => number) => WrittenMessage): MessageObject {
  const writer = new MsgWriter();
  return openMsg(writer.write(made((name) => writer.named(name))))!.object;
}

export const objectWith = (...properties: readonly WrittenProperty[]): MessageObject =>
  objectOf(() => ({ properties }));
