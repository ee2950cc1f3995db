import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { encode } from "iconv-lite";
import { expect } from "vitest";
import { composeContent } from "../../src/extraction/reading/message-content.ts";
import type { AttachmentPart, Message } from "../../src/mail/records/message.ts";
import { parseMessage } from "../../src/mime/parse-message.ts";
import type { PropertyName } from "../../src/properties/named-properties.ts";
import { PID } from "../../src/properties/property-ids.ts";
import { openSource } from "../../src/sources/formats/detect-format.ts";
import type { SourceItem, SourceLimits } from "../../src/sources/reading/source.ts";
import { keptItemsOf } from "../kept-items.ts";
import { MsgWriter } from "../msg-writer/msg-writer.ts";
import { itemsOfStore } from "../pst-writer/items-of-store.ts";
import { binary, integer, string8, text, type WrittenProperty } from "../pst-writer/property-writer.ts";
import type { StoreFormat } from "../pst-writer/pst-writer.ts";
import { mailProperties, type WrittenAttachment, type WrittenMessage } from "../pst-writer/store-writer.ts";

/** Input of a case: the expected value of its row, and a separate directory. */
export interface Given {
  readonly expected: string;
  readonly directory: string;
}

/** Saves a file in the directory of a case. @returns its path */
export function saved({ directory }: Given, name: string, bytes: Buffer): string {
  const path = join(directory, name);
  writeFileSync(path, bytes);
  return path;
}

/** Result of the reader, and the value that it must match if that is not the expected value itself. */
interface InputReading {
  readonly result: unknown;
  readonly matcher?: unknown;
}

export type Case = (given: Given) => InputReading | Promise<InputReading>;
export type CaseRow = readonly [id: string, read: Case];
export type Named = (name: PropertyName) => number;

export const SENT = Date.UTC(2021, 4, 14, 12);
export const MAIL = mailProperties({ subject: "Plan", body: "Text.", sentAt: SENT, from: "ann@x.example" });
export const without = (properties: readonly WrittenProperty[], ...ids: readonly number[]) =>
  properties.filter(({ id }) => !ids.includes(id));
export const NO_BODY = without(MAIL, PID.body);
export const SENDER_ONLY = without(MAIL, PID.subject, PID.body);
/** 29 bytes. */
export const DATA = Buffer.from("29 bytes of some short words!");
export const UNICODE: StoreFormat = { layout: "unicode", encoding: "permute" };
export const ANSI: StoreFormat = { layout: "ansi", encoding: "permute" };

export type Mail = Extract<SourceItem, { kind: "object" }>;

export function mailOf(items: readonly SourceItem[]): Mail {
  const [item] = items;
  if (item?.kind !== "object") throw new Error(`no message: ${item?.kind}`);
  return item;
}

export async function itemsOf(path: string, charset?: string): Promise<readonly SourceItem[]> {
  const limits: SourceLimits = { password: null, skipProtected: false, ...(charset === undefined ? {} : { charset }) };
  return keptItemsOf((await openSource(path, limits)).units());
}

/** Result of reading a message in a .msg file. */
export async function inMsg(given: Given, made: (named: Named) => WrittenMessage): Promise<Mail> {
  const writer = new MsgWriter();
  const bytes = writer.write(made((name) => writer.named(name)));
  return mailOf(await itemsOf(saved(given, "made.msg", bytes)));
}

export async function inStore(message: WrittenMessage, format = UNICODE): Promise<Mail> {
  return mailOf(await itemsOfStore(format, () => [message]));
}

export const bodyOf = (message: Message): string => composeContent(message).body.trim();

// Texts in charsets.

interface Labels {
  readonly own?: number;
  readonly sent?: number;
  readonly locale?: number;
  readonly headers?: string;
}

const labelled = ({ own, sent, locale, headers }: Labels): readonly WrittenProperty[] => [
  ...(own === undefined ? [] : [integer(PID.messageCodePage, own)]),
  ...(sent === undefined ? [] : [integer(PID.internetCodePage, sent)]),
  ...(locale === undefined ? [] : [integer(PID.messageLocaleId, locale)]),
  ...(headers === undefined ? [] : [text(PID.transportHeaders, headers)]),
];

/** HTML of a message in a .msg file and in a store. */
export function html(charset: string, labels: Labels, meta = "", property = binary): Case {
  return async (given) => {
    const head = meta === "" ? "" : `<meta http-equiv="Content-Type" content="text/html; charset=${meta}">`;
    const page = encode(`<html><head>${head}</head><body><p>${given.expected}</p></body></html>`, charset);
    const message = { properties: [...NO_BODY, property(PID.html, page), ...labelled(labels)] };
    const readings = [await inMsg(given, () => message), await inStore(message)];
    const bodies = new Set(readings.map((read) => bodyOf(read.message)));
    return { result: [...bodies], matcher: [given.expected] };
  };
}

/** Body and subject as 8-bit strings. */
export function strings(charset: string, labels: Labels, format = UNICODE): Case {
  return async (given) => {
    const bytes = encode(given.expected, charset);
    const properties = [...SENDER_ONLY, string8(PID.subject, bytes), string8(PID.body, bytes), ...labelled(labels)];
    const read = [await inStore({ properties }, format), await inMsg(given, () => ({ properties }))];
    const checked = format === ANSI ? read.slice(0, 1) : read;
    const result = checked.flatMap(({ message }) => [message.envelope.subject, bodyOf(message)]);
    return { result: [...new Set(result)], matcher: [given.expected] };
  };
}

/** Text of RTF, as the only body of its message. */
export function rtf(source: string, matcher?: (expected: string) => unknown): Case {
  return async (given) => {
    const bytes = Buffer.from(source, "latin1");
    const header = Buffer.alloc(16);
    header.writeUInt32LE(bytes.length + 12, 0);
    header.writeUInt32LE(bytes.length, 4);
    header.write("MELA", 8, "latin1");
    const compressed = binary(PID.rtfCompressed, Buffer.concat([header, bytes]));
    const { message } = await inMsg(given, () => ({ properties: [...NO_BODY, compressed] }));
    return { result: bodyOf(message), matcher: matcher?.(given.expected) ?? given.expected };
  };
}

export const containing = (expected: string): unknown => expect.stringContaining(expected);

// Attachments.

export const filesOf = (parts: readonly AttachmentPart[]): readonly unknown[] =>
  parts.map((part) => [part.filename, part.mediaType, part.bytes().length]);
export const name = (filename: string): WrittenProperty => text(PID.attachLongFilename, filename);
export const withFiles = (...attachments: readonly WrittenAttachment[]): WrittenMessage => ({
  properties: MAIL,
  attachments,
});

/** One attachment, in a store and in a .msg file. */
export function attached(attachment: WrittenAttachment, ...files: readonly unknown[]): Case {
  return async (given) => {
    const message = withFiles(attachment);
    const read = [await inStore(message), await inMsg(given, () => message)];
    return { result: read.map((mail) => filesOf(mail.message.attachments)), matcher: [files, files] };
  };
}

export const heldByMethod = (method: number): Case =>
  attached({ properties: [name(`m${method}.txt`)], data: DATA, method }, [`m${method}.txt`, "text/plain", 29]);

/** An item attached to a message. */
export function attachedItem(made: (named: Named) => readonly WrittenProperty[], type: string, words: string): Case {
  return async (given) => {
    const { message } = await inMsg(given, (named) =>
      withFiles({ properties: [], message: { properties: made(named) } }),
    );
    const [part] = message.attachments;
    return {
      result: [part?.mediaType, Buffer.from(part?.bytes() ?? []).toString()],
      matcher: [type, expect.stringContaining(words)],
    };
  };
}

export const sized = (bytes: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
};

// winmail.dat as an attachment of a mail.

export function contentOf(tnef: Buffer) {
  const mail = [
    "From: ann@x.example",
    "Content-Type: multipart/mixed; boundary=b",
    "",
    "--b",
    "",
    "See below.",
    "--b",
    "Content-Type: application/ms-tnef; name=winmail.dat",
    "Content-Transfer-Encoding: base64",
    "",
    tnef.toString("base64"),
    "--b--",
    "",
  ];
  return composeContent(parseMessage(Buffer.from(mail.join("\r\n"))));
}
