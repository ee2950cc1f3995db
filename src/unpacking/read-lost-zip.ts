import { closeSync, createReadStream, fstatSync, openSync } from "node:fs";
import { crc32, createInflateRaw } from "node:zlib";
import { systemErrorCode } from "../errors.ts";
import { encodePath } from "../files/path-text.ts";
import { readFully } from "../files/read-fully.ts";
import type { ArchiveReading } from "./archive-reading.ts";
import { entryPath } from "./entry-path.ts";
import { DEFLATED, STORED } from "./zip-entry.ts";
import { localMember, nextHeader, type ZipMember } from "./zip-member-list.ts";

/** Bytes read and inflated at a time. */
const CHUNK_BYTES = 128 * 1024;
/** Lost members after which the rest is not read: bytes that only look like a header cost as much as a member. */
const MAX_LOST_MEMBERS = 10_000;
/** Unpacked bytes in which an incomplete mailbox has its second message, or is long enough to be kept without one. */
const MAILBOX_BYTES = 1 << 20;
/** First bytes of a mailbox, and of its next message. */
export const SEPARATOR = Buffer.from("From ");
export const NEXT_SEPARATOR = Buffer.from("\nFrom ");
/** The checksum after the content of a member, with and without a signature before it (APPNOTE.TXT 4.3.9). */
const DESCRIPTOR_BYTES = 8;

interface LocatedMember {
  readonly member: ZipMember;
  /** Start of its content. */
  readonly start: number;
}

/** Findings about a member before it is written. */
interface Survey {
  readonly isKept: boolean;
  readonly isWhole: boolean;
  readonly packedBytes: number;
}

/**
 * Reads a zip file whose directory is lost, such as an incomplete download, by the local headers of its members. Members
 * that are complete are unpacked, and an incomplete mailbox with several messages. Returns the number of other members
 * and incomplete ones. @throws ArchiveError UNSAFE_ARCHIVE; errors of the sink; the reason of the signal
 */
export async function readLostZip(path: string, reading: ArchiveReading): Promise<number> {
  const descriptor = openSync(encodePath(path), "r");
  let lost = 0;
  try {
    const file = { path, descriptor, sizeBytes: fstatSync(descriptor).size };
    for (let at = 0; at >= 0 && lost < MAX_LOST_MEMBERS; ) {
      reading.signal.throwIfAborted();
      const found = localMember(descriptor, at);
      let end = at + 1;
      if (found !== null && !found.isDirectory) {
        const { isKept, isWhole, packedBytes } = await surveyMember(file, found, reading);
        end = found.start + packedBytes;
        if (isKept) await unpackMember(path, { ...found, packedBytes }, reading);
        if (!isWhole) lost++;
      }
      at = nextHeader(descriptor, end, file.sizeBytes);
    }
    return lost;
  } finally {
    closeSync(descriptor);
  }
}

/** False for an encrypted member, and for one whose end is unknown: only deflated data show it. */
function isReadable({ method, sizeBytes }: ZipMember): boolean {
  return method === DEFLATED || (method === STORED && sizeBytes !== null);
}

interface OpenZip {
  readonly path: string;
  readonly descriptor: number;
  readonly sizeBytes: number;
}

/** Reads a member to its end, and compares it with its checksum. */
async function surveyMember(
  { path, descriptor, sizeBytes }: OpenZip,
  { member, start }: LocatedMember,
  reading: ArchiveReading,
): Promise<Survey> {
  if (!isReadable(member))
    return { isKept: false, isWhole: false, packedBytes: member.sizeBytes === null ? 0 : member.packedBytes };
  const sample: Buffer[] = [];
  let bytes = 0;
  let crc = 0;
  const end = member.sizeBytes === null ? sizeBytes : Math.min(sizeBytes, start + member.packedBytes);
  const { packedBytes, isEnded } = await inflateMember(path, { ...member, start, end }, (chunk) => {
    reading.signal.throwIfAborted();
    reading.ledger.expand(chunk.length);
    if (bytes < MAILBOX_BYTES) sample.push(Buffer.from(chunk));
    bytes += chunk.length;
    crc = crc32(chunk, crc);
  });
  const isWhole =
    isEnded &&
    (member.crc === null
      ? isDescribed(descriptor, start + packedBytes, crc)
      : member.crc === crc && member.sizeBytes === bytes);
  return { isKept: isWhole || isLongMailbox(sample), isWhole, packedBytes };
}

/** True if the checksum after a member is this one, missing or lost as well. */
function isDescribed(descriptor: number, at: number, crc: number): boolean {
  const bytes = Buffer.alloc(DESCRIPTOR_BYTES);
  if (readFully(descriptor, bytes, at) < bytes.length) return true;
  if (localMember(descriptor, at) !== null) return true;
  return bytes.readUInt32LE(0) === crc || bytes.readUInt32LE(4) === crc;
}

/** True for the beginning of a mailbox that is worth reading without its end. */
function isLongMailbox(sample: readonly Buffer[]): boolean {
  const head = Buffer.concat(sample);
  if (!head.subarray(0, SEPARATOR.length).equals(SEPARATOR)) return false;
  return head.length >= MAILBOX_BYTES || head.includes(NEXT_SEPARATOR);
}

async function unpackMember(
  path: string,
  { member, start, packedBytes }: LocatedMember & { readonly packedBytes: number },
  { ledger, sink, signal }: ArchiveReading,
): Promise<void> {
  const inside = entryPath(member.name);
  ledger.admit(inside, "file", 0);
  sink.openFile(inside);
  try {
    await inflateMember(path, { ...member, start, end: start + packedBytes }, (chunk) => {
      signal.throwIfAborted();
      sink.write(chunk);
    });
  } finally {
    sink.closeFile();
  }
}

interface PackedContent {
  readonly method: number | null;
  readonly start: number;
  readonly end: number;
}

/** Unpacks content up to its end or damage. Returns the packed bytes it has, and true if it is not cut or damaged. */
async function inflateMember(
  path: string,
  { method, start, end }: PackedContent,
  take: (chunk: Buffer) => void,
): Promise<{ readonly packedBytes: number; readonly isEnded: boolean }> {
  if (start >= end) return { packedBytes: 0, isEnded: method === STORED };
  const packed = createReadStream(encodePath(path), { start, end: end - 1, highWaterMark: CHUNK_BYTES });
  const inflate = method === STORED ? null : createInflateRaw({ chunkSize: CHUNK_BYTES });
  if (inflate !== null) packed.on("error", (error) => inflate.destroy(error)).pipe(inflate);
  let isEnded = true;
  try {
    for await (const chunk of (inflate ?? packed) as AsyncIterable<Buffer>) take(chunk);
  } catch (error) {
    if (!systemErrorCode(error)?.startsWith("Z_")) throw error;
    isEnded = false;
  } finally {
    packed.destroy();
  }
  return { packedBytes: inflate?.bytesWritten ?? end - start, isEnded };
}
