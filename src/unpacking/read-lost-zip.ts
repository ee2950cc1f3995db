import { closeSync, createReadStream, fstatSync, openSync } from "node:fs";
import { createInflateRaw } from "node:zlib";
import { systemErrorCode } from "../errors.ts";
import { encodePath } from "../files/path-text.ts";
import type { ArchiveReading } from "./archive-reading.ts";
import { entryPath } from "./entry-path.ts";
import { DEFLATED, STORED } from "./zip-entry.ts";
import { localMember, nextHeader, type ZipMember } from "./zip-member-list.ts";

/** Bytes read and inflated at a time. */
const CHUNK_BYTES = 128 * 1024;

/**
 * Reads a zip file whose directory is lost, such as an incomplete download: members one after the other by their local
 * headers, the last one up to its end. Encrypted members are omitted. @throws ArchiveError UNSAFE_ARCHIVE; errors of
 * the sink; the reason of the signal
 */
export async function readLostZip(path: string, reading: ArchiveReading): Promise<void> {
  const descriptor = openSync(encodePath(path), "r");
  try {
    const sizeBytes = fstatSync(descriptor).size;
    for (let at = 0; at >= 0; ) {
      reading.signal.throwIfAborted();
      const found = localMember(descriptor, at);
      if (found === null) at = nextHeader(descriptor, at + 1, sizeBytes);
      else {
        const { member, start, isDirectory } = found;
        const read = isDirectory ? 0 : await unpackMember(path, { member, start }, reading);
        at = nextHeader(descriptor, start + (member.sizeBytes === null ? read : member.packedBytes), sizeBytes);
      }
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Unpacks a member as far as it is readable. Returns its packed bytes. */
async function unpackMember(path: string, content: MemberContent, reading: ArchiveReading): Promise<number> {
  const { ledger, sink } = reading;
  const inside = entryPath(content.member.name);
  if (inside === "" || !isReadable(content.member)) return 0;
  ledger.admit(inside, "file", 0);
  sink.openFile(inside);
  try {
    return await copyContent(path, content, reading);
  } finally {
    sink.closeFile();
  }
}

interface MemberContent {
  readonly member: ZipMember;
  readonly start: number;
}

/** False for an encrypted or empty member, and for one whose end is unknown: only deflated data show it. */
function isReadable({ method, sizeBytes, packedBytes }: ZipMember): boolean {
  return sizeBytes === null ? method === DEFLATED : packedBytes > 0 && (method === DEFLATED || method === STORED);
}

async function copyContent(
  path: string,
  { member: { method, sizeBytes, packedBytes }, start }: MemberContent,
  { ledger, sink, signal }: ArchiveReading,
): Promise<number> {
  const end = sizeBytes === null ? Number.POSITIVE_INFINITY : start + packedBytes - 1;
  const packed = createReadStream(encodePath(path), { start, end, highWaterMark: CHUNK_BYTES });
  const inflate = method === STORED ? null : createInflateRaw({ chunkSize: CHUNK_BYTES });
  if (inflate !== null) packed.on("error", (error) => inflate.destroy(error)).pipe(inflate);
  try {
    for await (const chunk of (inflate ?? packed) as AsyncIterable<Buffer>) {
      signal.throwIfAborted();
      ledger.expand(chunk.length);
      sink.write(chunk);
    }
  } catch (error) {
    if (!systemErrorCode(error)?.startsWith("Z_")) throw error;
  } finally {
    packed.destroy();
  }
  return inflate?.bytesWritten ?? packedBytes;
}
