import { gunzipSync, constants as zlib } from "node:zlib";
import { utf16Order } from "../charset/utf-16.ts";
import { writableName } from "../files/path-text.ts";

/** Archive formats; `gz` is one gzip file that is not a tar, `utf-16` a mailbox of UTF-16 text. */
export type ArchiveFormat = "zip" | "tar" | "tar.gz" | "gz" | "utf-16";

/** Extensions of archives, in lower case. */
const FORMAT_OF_ENDING: readonly (readonly [string, ArchiveFormat])[] = [
  [".zip", "zip"],
  [".tar", "tar"],
  [".tar.gz", "tar.gz"],
  [".tgz", "tar.gz"],
  // Matched only after longer extensions.
  [".gz", "gz"],
];

export const ARCHIVE_ENDINGS: readonly string[] = FORMAT_OF_ENDING.map(([ending]) => ending);

/** The archive format according to a file name, and the name without its extension; null if there is none. */
export function archiveOfName(name: string): { readonly format: ArchiveFormat; readonly stem: string } | null {
  const lower = name.toLowerCase();
  const found = FORMAT_OF_ENDING.find(([ending]) => lower.endsWith(ending));
  return found === undefined ? null : { format: found[1], stem: name.slice(0, -found[0].length) };
}

/** Name of an archive's content; never a path that leads elsewhere. */
export function unpackedName(filename: string): string {
  const name = writableName(archiveOfName(filename)?.stem ?? filename);
  return /^\.*$/.test(name) ? "archive" : name;
}

/**
 * Bytes of a file that identify its archive format: enough for the gzip header, which may hold a name, and the packed
 * header of a tar.
 */
export const ARCHIVE_HEAD_BYTES = 8 * 1024;

const GZIP_SIGNATURE = [0x1f, 0x8b, 0x08] as const;
/** A local header; an empty zip begins with its end record. */
const ZIP_SIGNATURES = ["PK\x03\x04", "PK\x05\x06"] as const;

/** Bytes of UTF-16 text that contain the first separator, after a byte order mark and blank lines. */
const WIDE_LEAD_BYTES = 64;
const WIDE_START = /^[\r\n]*From /;

/** True for a mailbox of UTF-16 text. */
function isWideMailbox(head: Buffer): boolean {
  const order = utf16Order(head);
  return order !== null && WIDE_START.test(new TextDecoder(order).decode(head.subarray(0, WIDE_LEAD_BYTES)));
}

const RECORD_BYTES = 512;
const CHECKSUM_OFFSET = 148;
const CHECKSUM_BYTES = 8;

/** Archive format by first bytes, or null. @param head at least ARCHIVE_HEAD_BYTES, or the whole file */
export function archiveFormat(head: Buffer): ArchiveFormat | null {
  if (ZIP_SIGNATURES.includes(head.toString("latin1", 0, 4) as (typeof ZIP_SIGNATURES)[number])) return "zip";
  if (GZIP_SIGNATURE.every((byte, index) => head[index] === byte)) return isTarHeader(inflated(head)) ? "tar.gz" : "gz";
  if (isWideMailbox(head)) return "utf-16";
  return isTarHeader(head) ? "tar" : null;
}

/** The unpacked first bytes of a gzip file: at most 1,032 times the input. */
function inflated(head: Buffer): Buffer {
  try {
    return gunzipSync(head.subarray(0, ARCHIVE_HEAD_BYTES), { finishFlush: zlib.Z_SYNC_FLUSH });
  } catch {
    return Buffer.alloc(0);
  }
}

/** True for a header with a valid checksum: tars older than POSIX have no magic word. */
function isTarHeader(head: Buffer): boolean {
  if (head.length < RECORD_BYTES || head[0] === 0) return false;
  let sum = 0;
  for (let at = 0; at < RECORD_BYTES; at++) {
    const isChecksum = at >= CHECKSUM_OFFSET && at < CHECKSUM_OFFSET + CHECKSUM_BYTES;
    sum += isChecksum ? 0x20 : head[at]!;
  }
  const digits = /^[ 0]*([0-7]{1,7})[\0 ]/.exec(
    head.toString("latin1", CHECKSUM_OFFSET, CHECKSUM_OFFSET + CHECKSUM_BYTES),
  )?.[1];
  return digits !== undefined && Number.parseInt(digits, 8) === sum;
}
