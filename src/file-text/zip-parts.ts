import { inflateRawSync } from "node:zlib";
import { systemErrorCode } from "../errors.ts";
import { UnreadFile } from "./file-text.ts";

/**
 * The files inside a zip-based document (APPNOTE.TXT), in memory: office documents are a few hundred kilobytes, and are
 * read together with their message.
 */

const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
/** Maximum length of the comment after the directory. */
const MAX_COMMENT_BYTES = 0xffff;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 0x0001;

/** Maximum entries: a presentation of a thousand slides has five thousand. */
const MAX_ENTRIES = 20_000;
/** Maximum unpacked bytes of one part: larger ones are not text, or a bomb. */
const MAX_PART_BYTES = 32 << 20;

/** Bytes that may still be unpacked; 0 after the limit was exceeded. */
export interface ExtractionQuota {
  bytes: number;
}

/** Reason for a file that unpacks to more than allowed. */
export const UNPACKS_TOO_MUCH = "it exceeds the size limit when unpacked";

interface Entry {
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly packedBytes: number;
  readonly localAt: number;
}

/**
 * Unpacks parts of a document by name; of two with the same name, the last counts. Throws if the zip file is invalid.
 */
export class ZipParts {
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly bytes: Buffer,
    private readonly room: ExtractionQuota,
  ) {
    let at = bytes.readUInt32LE(endOf(bytes) + 16);
    const count = bytes.readUInt16LE(endOf(bytes) + 10);
    for (let index = 0; index < Math.min(count, MAX_ENTRIES); index++) {
      if (bytes.readUInt32LE(at) !== ENTRY_SIGNATURE) throw new UnreadFile("the directory of the file is damaged");
      const nameBytes = bytes.readUInt16LE(at + 28);
      const name = bytes.toString("utf8", at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes).replaceAll("\\", "/");
      this.entries.set(name, {
        method: bytes.readUInt16LE(at + 10),
        isEncrypted: (bytes.readUInt16LE(at + 8) & ENCRYPTED) !== 0,
        packedBytes: bytes.readUInt32LE(at + 20),
        localAt: bytes.readUInt32LE(at + 42),
      });
      at += ENTRY_BYTES + nameBytes + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    }
  }

  get names(): readonly string[] {
    return [...this.entries.keys()];
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  /** Returns null for a missing part. Throws for one that is damaged, encrypted or too large. */
  part(name: string): Buffer | null {
    const entry = this.entries.get(name);
    if (entry === undefined) return null;
    const { bytes } = this;
    const { method, isEncrypted, packedBytes, localAt } = entry;
    if (isEncrypted) throw new UnreadFile("it is encrypted");
    if (bytes.readUInt32LE(localAt) !== LOCAL_SIGNATURE) throw new UnreadFile("a part is not at its declared location");
    const start = localAt + LOCAL_BYTES + bytes.readUInt16LE(localAt + 26) + bytes.readUInt16LE(localAt + 28);
    const packed = bytes.subarray(start, start + packedBytes);
    if (method !== STORED && method !== DEFLATED) throw new UnreadFile("a part uses an unsupported compression method");
    const limit = Math.min(MAX_PART_BYTES, this.room.bytes);
    const part = method === STORED ? packed : inflated(packed, limit);
    if (part === null || part.length > limit) {
      this.room.bytes = 0;
      throw new UnreadFile(UNPACKS_TOO_MUCH);
    }
    this.room.bytes -= part.length;
    return part;
  }
}

/** Returns null above the limit. */
function inflated(packed: Buffer, limit: number): Buffer | null {
  try {
    return inflateRawSync(packed, { maxOutputLength: limit + 1 });
  } catch (error) {
    if (systemErrorCode(error) === "ERR_BUFFER_TOO_LARGE") return null;
    throw error;
  }
}

/** Finds the end record, which a comment may follow. */
function endOf(bytes: Buffer): number {
  const first = Math.max(0, bytes.length - END_BYTES - MAX_COMMENT_BYTES);
  for (let at = bytes.length - END_BYTES; at >= first; at--) if (bytes.readUInt32LE(at) === END_SIGNATURE) return at;
  throw new UnreadFile("it ends before its directory");
}
