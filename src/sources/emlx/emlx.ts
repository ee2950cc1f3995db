import { resolve, sep } from "node:path";
import type { Instant } from "../../mail/dates/instant.ts";
import { emlxDate } from "../reading/stored-dates.ts";

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;

/** Digits of the byte count and trailing blanks: Mail pads the number to ten characters. */
const COUNT_LINE_BYTES_MAX = 32;

/** Maximum bytes of the property list read for the flags; known lists have less than 2 KiB. */
const PROPERTIES_BYTES_MAX = 64 * 1024;

/** Bits of `flags` in the property list, in output order. */
const FLAG_BITS: readonly (readonly [number, string])[] = [
  [1 << 0, "seen"],
  [1 << 2, "replied"],
  [1 << 4, "flagged"],
  [1 << 6, "draft"],
  [1 << 1, "deleted"],
  [1 << 8, "forwarded"],
];

interface EmlxFile {
  /** The RFC 5322 message; shares memory with the file. */
  readonly message: Buffer;
  readonly flags: readonly string[];
  /** When Apple Mail received it; null if the file does not record it. */
  readonly receivedAt: Instant | null;
}

/** True for the name of a file of Apple Mail. */
export function isEmlxName(name: string): boolean {
  return /\.emlx$/i.test(name);
}

/**
 * Opens an Apple Mail file: a line with the number of bytes, the message, a property list. A truncated message is
 * read to its end. Returns null if the first line is not a number or no message follows: then it is another kind of
 * file.
 */
export function openEmlx(bytes: Buffer): EmlxFile | null {
  let start = 0;
  let count = 0;
  while (start < COUNT_LINE_BYTES_MAX && isDigit(bytes[start])) {
    count = count * 10 + bytes[start]! - 0x30;
    start++;
  }
  if (start === 0) return null;
  while (start < COUNT_LINE_BYTES_MAX && (bytes[start] === SPACE || bytes[start] === CR)) start++;
  if (bytes[start] !== LF) return null;
  if (count === 0 || start + 1 === bytes.length) return null;
  const end = endOfMessage(bytes, start + 1, Math.min(bytes.length, start + 1 + count));
  const properties = bytes.toString("latin1", end, end + PROPERTIES_BYTES_MAX);
  return {
    message: bytes.subarray(start + 1, end),
    flags: flagsOf(properties),
    receivedAt: emlxDate(properties),
  };
}

const PROPERTIES = "<?xml";
/** Possible beginnings of a property list. */
const PROPERTY_LISTS: readonly string[] = [PROPERTIES, "<!DOCTYPE plist", "<plist", "bplist0"];
/** Ends a property list, and the file. */
const LIST_END = "</plist>";
/** Bytes after a message within which its property list must begin, after line breaks. */
const PROPERTIES_LEAD_BYTES = 64;

/**
 * Returns the end of a message: at its byte count if its property list or nothing follows. Programs that edit such
 * files do not update the count; then the message ends at its property list or at the end of the file.
 */
function endOfMessage(bytes: Buffer, start: number, stated: number): number {
  const following = bytes.toString("latin1", stated, stated + PROPERTIES_LEAD_BYTES).trimStart();
  if (following === "" && !bytes.includes(LIST_END, bytes.length - PROPERTIES_LEAD_BYTES)) return stated;
  if (PROPERTY_LISTS.some((beginning) => following.startsWith(beginning))) return stated;
  const found = bytes.lastIndexOf(PROPERTIES);
  return found > start && bytes.includes("<plist", found) ? found : bytes.length;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

/** `<key>flags</key> <integer>8590195713</integer>`: the numbers are longer than 32 bits. */
function flagsOf(properties: string): readonly string[] {
  const key = properties.indexOf("<key>flags</key>");
  const value =
    key < 0 ? null : /^<key>flags<\/key>\s{0,20}<integer>(\d{1,15})<\/integer>/.exec(properties.slice(key, key + 80));
  if (value === null) return [];
  const low = Number(value[1]) % 2 ** 31;
  return FLAG_BITS.filter(([bit]) => (low & bit) !== 0).map(([, flag]) => flag);
}

/** Directories that Apple Mail creates between a mailbox and its messages: `INBOX.mbox/<UUID>/Data/3/1/Messages`. */
const LAYOUT_LEVEL = /^(?:Messages|Data|\d|[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12})$/;

/**
 * The mailbox that Apple Mail shows for a directory of `.emlx` files. If all its levels are between a mailbox and its
 * messages, the user named the mailbox itself or a directory in it.
 * @param directory path relative to the root
 */
export function emlxMailbox(directory: string, root: string): string {
  const levels = withoutLayout(directory.split("/").filter((level) => level !== ""));
  const outer = resolve(root).split(sep);
  const named = levels.length > 0 ? levels : [withoutLayout(outer).at(-1) || outer.at(-1) || "INBOX"];
  return named
    .map((level) => (/.\.(?:imap)?mbox$/i.test(level) ? level.slice(0, level.lastIndexOf(".")) : level))
    .join("/");
}

function withoutLayout(levels: readonly string[]): readonly string[] {
  return levels.slice(0, levels.findLastIndex((level) => !LAYOUT_LEVEL.test(level)) + 1);
}
