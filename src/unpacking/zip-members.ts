import { closeSync, fstatSync, openSync } from "node:fs";
import { crc32, inflateRawSync } from "node:zlib";
import { ArchiveError } from "../errors.ts";
import { encodePath } from "../files/path-text.ts";
import { readFully } from "../files/read-fully.ts";
import { ByteRanges } from "./byte-ranges.ts";
import type { UnpackLimits } from "./unpack-limits.ts";
import { DEFLATED, STORED } from "./zip-entry.ts";
import {
  contentStart,
  type DirectoryPlace,
  findDirectory,
  readDirectory,
  readLocalHeaders,
  type ZipMember,
} from "./zip-member-list.ts";

/** Maximum bytes read of a member of undeclared size. */
const UNDECLARED_BYTES_MAX = 1 << 30;

/** Content of a member, or why it cannot be read. */
type MemberContent = { readonly bytes: Buffer } | { readonly fault: string };

/**
 * Random access to members of a zip file, without unpacking to disk. If its directory is lost, as in a truncated
 * file, members are found by their local headers.
 */
export class ZipMembers {
  readonly sizeBytes: number;
  private readonly descriptor: number;
  private readonly directory: DirectoryPlace | null;

  /** @throws the error of the system */
  constructor(path: string) {
    this.descriptor = openSync(encodePath(path), "r");
    this.sizeBytes = fstatSync(this.descriptor).size;
    this.directory = findDirectory(this.descriptor, this.sizeBytes);
  }

  /** False if the directory of the file is lost. */
  get isWhole(): boolean {
    return this.directory !== null;
  }

  close(): void {
    closeSync(this.descriptor);
  }

  /** Its files, in order. */
  members(): Generator<ZipMember> {
    return this.directory === null
      ? readLocalHeaders(this.descriptor, this.sizeBytes)
      : readDirectory(this.descriptor, this.directory);
  }

  /** Content of a member, or the fault of a damaged one. @param most maximum bytes */
  read(member: ZipMember, most: number): MemberContent {
    const { method, packedBytes, sizeBytes } = member;
    if (method === null) return { fault: "it is encrypted" };
    if (method !== STORED && method !== DEFLATED) return { fault: `it uses zip compression method ${method}` };
    const declared = sizeBytes ?? Math.min(most, UNDECLARED_BYTES_MAX);
    // Deflate adds a few bytes per block to incompressible data.
    if (declared > most || packedBytes > declared + (declared >>> 3) + 1024)
      return { fault: `it is larger than ${most} bytes` };
    const start = contentStart(this.descriptor, member.headerAt);
    if (start === null) return { fault: "it is not at its declared location" };
    const packed = Buffer.allocUnsafeSlow(Math.max(0, Math.min(packedBytes, this.sizeBytes - start)));
    const got = packed.subarray(0, readFully(this.descriptor, packed, start));
    if (got.length < packedBytes && sizeBytes !== null) return { fault: "it is truncated" };
    return checked(member, method === STORED ? { bytes: withoutCheck(member, got) } : inflated(got, declared));
  }
}

/** Bytes that can follow the content of a member: signature, checksum and sizes (APPNOTE.TXT 4.3.9). */
const CHECK_BYTES = 24;
const CHECK_SIGNATURE = Buffer.from("PK\x07\x08", "latin1");

/** A stored member of undeclared length ends at its data descriptor. */
function withoutCheck({ sizeBytes }: ZipMember, bytes: Buffer): Buffer {
  const end = sizeBytes === null ? bytes.lastIndexOf(CHECK_SIGNATURE) : -1;
  return end >= 0 && end >= bytes.length - CHECK_BYTES ? bytes.subarray(0, end) : bytes;
}

function inflated(packed: Buffer, most: number): MemberContent {
  try {
    return { bytes: inflateRawSync(packed, { maxOutputLength: Math.max(1, most) }) };
  } catch {
    return { fault: "its compressed data is damaged or longer than declared" };
  }
}

function checked({ sizeBytes, crc }: ZipMember, content: MemberContent): MemberContent {
  if ("fault" in content) return content;
  if (sizeBytes !== null && content.bytes.length !== sizeBytes)
    return { fault: "its length differs from the declared length" };
  return crc !== null && crc32(content.bytes) !== crc ? { fault: "it does not match its checksum" } : content;
}

/**
 * Rejects a zip file that would expand to more than it contains: by the declared total, and by members that share
 * packed bytes. @throws ArchiveError UNSAFE_ARCHIVE
 */
export class BoundedMembers {
  private readonly ranges = new ByteRanges();
  private count = 0;
  private expandedBytes = 0;

  /** @param packedBytes size of the whole file */
  constructor(
    private readonly packedBytes: number,
    private readonly limits: UnpackLimits,
  ) {}

  admit({ headerAt, packedBytes, sizeBytes }: ZipMember): void {
    const { maxEntries, maxExpandedBytes, ratioFromBytes, maxRatio } = this.limits;
    this.count++;
    if (this.count > maxEntries) throw refused(`it contains more than ${maxEntries} files`);
    // No other member begins within its header, whatever its length.
    this.ranges.add(headerAt, headerAt + packedBytes + 1);
    this.expandedBytes += sizeBytes ?? 0;
    if (this.expandedBytes > maxExpandedBytes) throw refused(`it declares more than ${maxExpandedBytes} bytes`);
    if (this.expandedBytes > Math.max(ratioFromBytes, this.packedBytes * maxRatio))
      throw refused(`it declares a compression ratio of more than ${maxRatio}`);
  }

  /** Call after all members have been admitted. */
  requireDisjoint(): void {
    if (this.ranges.overlap()) throw refused("files in it overlap");
  }
}

function refused(reason: string): ArchiveError {
  return new ArchiveError("UNSAFE_ARCHIVE", `file rejected: ${reason}`);
}
