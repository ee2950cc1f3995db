import { type CompoundStorage, openCompoundFile } from "../../compound/compound-file.ts";
import { storageFile } from "../../compound/compound-writer.ts";
import type { Finding } from "../../mail/records/message.ts";
import type { WarningCode } from "../../mail/records/warning-codes.ts";
import { NO_NAMES, type PropertyNames, readPropertyNames } from "../../properties/named-properties.ts";
import { Properties } from "../../properties/properties.ts";
import { bytesOf, TYPE } from "../../properties/property-bytes.ts";
import { PID } from "../../properties/property-ids.ts";
import type { TextCharsets } from "../../properties/text-code-page.ts";
import { messageCharsets } from "../objects/message-charsets.ts";
import {
  type AttachmentObject,
  attachmentObject,
  MAX_ATTACHMENTS,
  MAX_EMBEDDED_DEPTH,
  MAX_RECIPIENTS,
  type MessageObject,
  type Recipient,
  recipientOf,
} from "../objects/message-object.ts";
import { MsgProperties, PROPERTY_HEADER, PROPERTY_STREAM, streamName, VALUE_STREAM } from "./msg-properties.ts";

/** Storages of a message ([MS-OXMSG] 2.2), in upper case. */
const NAMES = "__NAMEID_VERSION1.0";
const RECIPIENT = "__RECIP_VERSION1.0_#";
const ATTACHMENT = "__ATTACH_VERSION1.0_#";
const EMBEDDED = streamName(PID.attachData, TYPE.object);

/** Content of a .msg file. */
interface MsgFile {
  readonly object: MessageObject;
  /** Unreadable parts so far. */
  damage(): readonly Finding[];
}

/** Data shared by all objects of a file. */
interface MsgContext {
  readonly names: PropertyNames;
  /** Possible charsets of 8-bit texts without one. */
  readonly charsets: TextCharsets;
  readonly limits: Set<string>;
}

/**
 * Reads the message of a .msg file ([MS-OXMSG]); null if it is not a compound file or belongs to another program.
 * @param charsets of 8-bit texts without a declared one
 */
export function openMsg(bytes: Buffer, charsets: TextCharsets = []): MsgFile | null {
  const file = openCompoundFile(bytes);
  if (file === null || !holdsMessage(file.root)) return null;
  const names = file.root.storages.get(NAMES);
  const context: MsgContext = {
    names: names === undefined ? NO_NAMES : readPropertyNames(new MsgProperties(names, PROPERTY_HEADER.names)),
    charsets,
    limits: new Set(),
  };
  const found = (code: WarningCode, messages: Iterable<string>): Finding[] =>
    [...messages].map((message) => ({ code, message }));
  return {
    object: readMessage(file.root, context, 0),
    damage: () => [...found("structure-damaged", file.faults), ...found("limit-reached", context.limits)],
  };
}

/** Old documents of Word and Excel, and objects of other programs, are compound files as well. */
function holdsMessage({ streams }: CompoundStorage): boolean {
  return streams.has(PROPERTY_STREAM) || [...streams.keys()].some((name) => VALUE_STREAM.test(name));
}

function readMessage(storage: CompoundStorage, context: MsgContext, depth: number): MessageObject {
  const source = new MsgProperties(storage, depth === 0 ? PROPERTY_HEADER.message : PROPERTY_HEADER.embedded);
  const charsets = messageCharsets(new Properties(source, { charsets: [], names: context.names }), context.charsets);
  const properties = new Properties(source, { charsets, names: context.names });
  return {
    properties,
    recipients: readRecipients(storage, context, charsets),
    attachments: readAttachments(storage, context, { charsets, depth }),
    depth,
  };
}

/** Storages with a prefix, by number: `…#00000000`, `…#00000001`. */
function numbered(storage: CompoundStorage, prefix: string): readonly CompoundStorage[] {
  const names = [...storage.storages.keys()].filter((name) => name.startsWith(prefix)).sort();
  return names.map((name) => storage.storages.get(name)!);
}

function upTo<T>(values: readonly T[], most: number, note: (message: string) => void, what: string): readonly T[] {
  if (values.length > most) note(`more than ${most} ${what}`);
  return values.slice(0, most);
}

function readRecipients(storage: CompoundStorage, context: MsgContext, charsets: TextCharsets): readonly Recipient[] {
  const found = upTo(
    numbered(storage, RECIPIENT),
    MAX_RECIPIENTS,
    (message) => context.limits.add(message),
    "recipients",
  );
  return found.map((recipient) =>
    recipientOf(new Properties(new MsgProperties(recipient, PROPERTY_HEADER.part), { charsets, names: context.names })),
  );
}

/** The message whose attachments are read. */
interface Holder {
  readonly charsets: TextCharsets;
  readonly depth: number;
}

function readAttachments(storage: CompoundStorage, context: MsgContext, holder: Holder): readonly AttachmentObject[] {
  const found = upTo(
    numbered(storage, ATTACHMENT),
    MAX_ATTACHMENTS,
    (message) => context.limits.add(message),
    "attachments",
  );
  return found.map((attachment) => attachmentOf(attachment, context, holder));
}

function attachmentOf(storage: CompoundStorage, context: MsgContext, holder: Holder): AttachmentObject {
  const source = new MsgProperties(storage, PROPERTY_HEADER.part);
  const properties = new Properties(source, { charsets: holder.charsets, names: context.names });
  const embedded = storage.storages.get(EMBEDDED) ?? null;
  return attachmentObject(properties, {
    hasObject: embedded !== null,
    data(method) {
      const data = bytesOf(source, PID.attachData);
      return data ?? (method === "ole" && embedded !== null ? storageFile(embedded) : Buffer.alloc(0));
    },
    storage: () => embedded,
    embedded: () =>
      embedded === null || !holdsMessage(embedded) ? null : readEmbedded(embedded, context, holder.depth),
  });
}

function readEmbedded(storage: CompoundStorage, context: MsgContext, depth: number): MessageObject | null {
  if (depth < MAX_EMBEDDED_DEPTH) return readMessage(storage, context, depth + 1);
  context.limits.add(`messages nested deeper than ${MAX_EMBEDDED_DEPTH}`);
  return null;
}
