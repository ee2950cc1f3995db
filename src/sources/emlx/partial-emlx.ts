import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync } from "node:fs";
import { systemErrorCode } from "../../errors.ts";
import { compareNames, decodePath, encodePath } from "../../files/path-text.ts";
import { readFully } from "../../files/read-fully.ts";
import { type MimeEntity, readStructure } from "../../mime/body/structure.ts";
import { findField } from "../../mime/syntax/header-block.ts";

/** End of the name of a message whose attachments Apple Mail stores separately. */
const PARTIAL = /^(.*?)([^/]+)\.partial\.emlx$/i;
/** The directory of messages; the directory of attachments is its sibling. */
const MESSAGES = /(^|\/)Messages\/$/;
/** Mail up to 10.5 stored a part as sent, next to its message: `123.2.emlxpart`. */
const SENT_PART = /^([^.]+)\.[\d.]{1,100}\.emlxpart$/i;
/** Attachments of one message, `Attachments/123/`. */
const ATTACHMENTS_OF_ONE = /^(.*?(?:^|\/))Attachments\/([^/]+)\/$/;
/** Header field with the length of a part that is stored elsewhere. */
const LENGTH_FIELD = "x-apple-content-length";
/** Characters of encoded text on a line (RFC 2045 section 6.7 and 6.8). */
const LINE_LENGTH = 76;
/** 2 GiB - 1: the largest message that is read. */
const MESSAGE_BYTES_MAX = 2 ** 31 - 1;

interface JoinedMessage {
  readonly message: Buffer;
  /** Number of parts that are neither in the message nor next to it. */
  readonly missing: number;
}

/** True for the name of a message that lacks its attachments. */
export function isPartialName(name: string): boolean {
  return PARTIAL.test(name);
}

/**
 * Joins a message with its separately stored attachments: `Messages/123.partial.emlx` with
 * `Attachments/123/2/plan.pdf` as its second part, encoded as its header declares. Missing parts are omitted. @param
 * path of the message, as reversible text
 */
export function joinParts(message: Buffer, path: string): JoinedMessage {
  const pieces: Buffer[] = [];
  let copied = 0;
  let missing = 0;
  let size = message.length;
  for (const { entity, number } of emptyParts(readStructure(message))) {
    const content = partBeside(path, number, entity);
    if (content === null || size + content.length > MESSAGE_BYTES_MAX) {
      if (hasLength(entity)) missing++;
      continue;
    }
    size += content.length;
    pieces.push(message.subarray(copied, entity.bodyStart));
    // The line break that ends the header also precedes the boundary if there is no other.
    if (!isBehindBlankLine(entity)) pieces.push(lineEndOf(entity));
    pieces.push(content);
    copied = entity.end;
  }
  return { message: pieces.length === 0 ? message : Buffer.concat([...pieces, message.subarray(copied)]), missing };
}

/** A part of a message, with its number: `2`, or `1.2` for the second part of the first. */
interface NumberedPart {
  readonly entity: MimeEntity;
  readonly number: string;
}

/** Parts without a body that have a name or whose header declares its length, in message order. */
function emptyParts(root: MimeEntity): readonly NumberedPart[] {
  const found: NumberedPart[] = [];
  const stack: NumberedPart[] = [{ entity: root, number: "" }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { entity, number } = next;
    if (entity.mediaType.startsWith("multipart/")) stack.push(...partsOf(next).toReversed());
    else if ((entity.filename !== "" || hasLength(entity)) && isBlank(entity))
      found.push({ entity, number: number === "" ? "1" : number });
  }
  return found;
}

function hasLength({ headers }: MimeEntity): boolean {
  return findField(headers, LENGTH_FIELD) >= 0;
}

function partsOf({ entity, number }: NumberedPart): readonly NumberedPart[] {
  return entity.children.map((child, at) => ({
    entity: child,
    number: number === "" ? `${at + 1}` : `${number}.${at + 1}`,
  }));
}

function isBlank({ source, bodyStart, end }: MimeEntity): boolean {
  for (let at = bodyStart; at < end; at++) if (source[at]! > SPACE) return false;
  return true;
}

const SPACE = 0x20;

function isBehindBlankLine({ source, bodyStart }: MimeEntity): boolean {
  return source[bodyStart - 1] === LF && source[source[bodyStart - 2] === CR ? bodyStart - 3 : bodyStart - 2] === LF;
}

const LF = 0x0a;

function lineEndOf({ source, bodyStart }: MimeEntity): Buffer {
  return Buffer.from(source[bodyStart - 2] === CR ? "\r\n" : "\n");
}

const CR = 0x0d;

/** The encoded body of a separately stored part; null if it is missing. */
function partBeside(path: string, number: string, entity: MimeEntity): Buffer | null {
  const [, directory, stem] = PARTIAL.exec(path)!;
  const sent = readRegular(`${directory}${stem}.${number}.emlxpart`);
  if (sent !== null) return sent;
  if (!MESSAGES.test(directory!)) return null;
  const beside = `${directory!.replace(MESSAGES, "$1")}Attachments/`;
  const levels = [beside, `${beside}${stem}/`, `${beside}${stem}/${number}/`];
  if (!levels.every(isDirectory)) return null;
  const names = namesIn(levels.at(-1)!);
  const name = names.find((file) => file === entity.filename) ?? names[0];
  const bytes = name === undefined ? null : readRegular(levels.at(-1)! + name);
  return bytes === null ? null : encodedBody(bytes, entity);
}

/** Links are not followed: their targets may be outside the source. */
function isDirectory(path: string): boolean {
  return lstatSync(encodePath(path.slice(0, -1)), { throwIfNoEntry: false })?.isDirectory() === true;
}

function namesIn(directory: string): readonly string[] {
  const names = readdirSync(encodePath(directory), { encoding: "buffer" }).map((name) => decodePath(name));
  return names.filter((name) => !name.startsWith(".")).sort(compareNames);
}

/** Does not follow links or wait for a FIFO. Windows has neither flag. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
/** Error codes for a file that is missing or not readable. */
const NOT_READ: ReadonlySet<string> = new Set([
  "ENOENT",
  "ENOTDIR",
  "EACCES",
  "EPERM",
  "ELOOP",
  "ENAMETOOLONG",
  "EISDIR",
]);

function readRegular(path: string): Buffer | null {
  try {
    const descriptor = openSync(encodePath(path), OPEN_FLAGS);
    try {
      const stats = fstatSync(descriptor);
      if (!stats.isFile() || stats.size > MESSAGE_BYTES_MAX) return null;
      const bytes = Buffer.allocUnsafeSlow(stats.size);
      return bytes.subarray(0, readFully(descriptor, bytes, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (NOT_READ.has(systemErrorCode(error) ?? "")) return null;
    throw error;
  }
}

/** The bytes of a file in the encoding that its part declares; null for obsolete encodings. */
function encodedBody(bytes: Buffer, entity: MimeEntity): Buffer | null {
  const lineEnd = lineEndOf(entity).toString("latin1");
  if (entity.encoding === "identity") return bytes;
  if (entity.encoding === "base64") return Buffer.from(base64Lines(bytes, lineEnd), "latin1");
  return entity.encoding === "quoted-printable" ? quotedPrintable(bytes, lineEnd) : null;
}

function base64Lines(bytes: Buffer, lineEnd: string): string {
  const encoded = bytes.toString("base64");
  const lines: string[] = [];
  for (let at = 0; at < encoded.length; at += LINE_LENGTH) lines.push(encoded.slice(at, at + LINE_LENGTH));
  return lines.join(lineEnd);
}

/** Encodes every byte except letters and digits, without reading the content. */
function quotedPrintable(bytes: Buffer, lineEnd: string): Buffer {
  const lines: string[] = [];
  let line = "";
  for (const byte of bytes) {
    const written = PLAIN[byte]!;
    if (line.length + written.length >= LINE_LENGTH) {
      lines.push(`${line}=`);
      line = "";
    }
    line += written;
  }
  lines.push(line);
  return Buffer.from(lines.join(lineEnd), "latin1");
}

const PLAIN: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  const char = String.fromCharCode(byte);
  return /[A-Za-z0-9]/.test(char) ? char : `=${byte.toString(16).toUpperCase().padStart(2, "0")}`;
});

/** True for a directory of attachments that are read as parts of a message. @param prefix as in `WalkedDirectory` */
export function holdsJoinedParts(root: string, prefix: string): boolean {
  const [, above, stem] = ATTACHMENTS_OF_ONE.exec(prefix) ?? [];
  if (stem === undefined) return false;
  const message = `${root}/${above}Messages/${stem}.partial.emlx`;
  return lstatSync(encodePath(message), { throwIfNoEntry: false })?.isFile() === true;
}

/** The files of a directory, except those read as parts of a message in it. */
export function withoutSentParts(files: readonly string[]): readonly string[] {
  if (!files.some((name) => SENT_PART.test(name))) return files;
  const messages = new Set(files);
  return files.filter((name) => {
    const [, stem] = SENT_PART.exec(name) ?? [];
    return stem === undefined || !messages.has(`${stem}.partial.emlx`);
  });
}
