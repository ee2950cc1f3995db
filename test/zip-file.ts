import { crc32, deflateRawSync } from "node:zlib";

/** An entry of a test zip file; missing fields are as a correct writer writes them. */
export interface ZipPart {
  readonly name: string | Buffer;
  readonly content?: Buffer | string;
  readonly method?: number;
  /** General purpose flags; bit 11 (UTF-8) by default. */
  readonly flags?: number;
  readonly externalAttributes?: number;
  /** Unpacked size that the directory declares. */
  readonly declaredBytes?: number;
  readonly crc?: number;
  /** Packed bytes that replace those of the content. */
  readonly packed?: Buffer;
  /** Index of the part whose local header this entry references; it has none of its own. */
  readonly sharesHeaderOf?: number;
  /** Sizes and offset in a zip64 field. */
  readonly isZip64?: boolean;
}

/** The upper half of external attributes: a Unix mode. */
export const unixMode = (mode: number): number => (mode << 16) >>> 0;

/** A zip file of the parts, written byte by byte according to APPNOTE.TXT. */
export function buildZip(
  parts: readonly ZipPart[],
  tail: { readonly comment?: string; readonly appended?: Buffer } = {},
): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  const offsets: number[] = [];
  let at = 0;
  for (const part of parts) {
    const name = typeof part.name === "string" ? Buffer.from(part.name) : part.name;
    const content = Buffer.from(part.content ?? "");
    const method = part.method ?? 8;
    const packed = part.packed ?? (method === 8 ? deflateRawSync(content) : content);
    const size = part.declaredBytes ?? content.length;
    const crc = part.crc ?? crc32(content);
    const flags = part.flags ?? 0x800;
    const offset = part.sharesHeaderOf === undefined ? at : offsets[part.sharesHeaderOf]!;
    offsets.push(offset);
    if (part.sharesHeaderOf === undefined) {
      const local = Buffer.alloc(30);
      local.writeUInt32LE(0x04034b50, 0);
      local.writeUInt16LE(20, 4);
      local.writeUInt16LE(flags, 6);
      local.writeUInt16LE(method, 8);
      local.writeUInt32LE(crc, 14);
      local.writeUInt32LE(packed.length, 18);
      local.writeUInt32LE(size % 2 ** 32, 22);
      local.writeUInt16LE(name.length, 26);
      locals.push(local, name, packed);
      at += local.length + name.length + packed.length;
    }
    const extra = part.isZip64 === true ? zip64Field([size, packed.length, offset]) : Buffer.alloc(0);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE((3 << 8) | 45, 4);
    entry.writeUInt16LE(45, 6);
    entry.writeUInt16LE(flags, 8);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(crc, 16);
    entry.writeUInt32LE(part.isZip64 === true ? 0xffffffff : packed.length, 20);
    entry.writeUInt32LE(part.isZip64 === true ? 0xffffffff : size % 2 ** 32, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt16LE(extra.length, 30);
    entry.writeUInt32LE(part.externalAttributes ?? 0, 38);
    entry.writeUInt32LE(part.isZip64 === true ? 0xffffffff : offset, 42);
    entries.push(entry, name, extra);
  }
  const directory = Buffer.concat(entries);
  const comment = Buffer.from(tail.comment ?? "");
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  end.writeUInt16LE(comment.length, 20);
  const zip64 = parts.some((part) => part.isZip64 === true)
    ? zip64End(parts.length, directory.length, at)
    : Buffer.alloc(0);
  return Buffer.concat([...locals, directory, zip64, end, comment, tail.appended ?? Buffer.alloc(0)]);
}

function zip64Field(values: readonly number[]): Buffer {
  const field = Buffer.alloc(4 + 8 * values.length);
  field.writeUInt16LE(0x0001, 0);
  field.writeUInt16LE(8 * values.length, 2);
  for (const [index, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), 4 + 8 * index);
  return field;
}

/** End record and locator of zip64. */
function zip64End(entries: number, directoryBytes: number, offset: number): Buffer {
  const record = Buffer.alloc(56 + 20);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeUInt16LE(45, 12);
  record.writeUInt16LE(45, 14);
  record.writeBigUInt64LE(BigInt(entries), 24);
  record.writeBigUInt64LE(BigInt(entries), 32);
  record.writeBigUInt64LE(BigInt(directoryBytes), 40);
  record.writeBigUInt64LE(BigInt(offset), 48);
  record.writeUInt32LE(0x07064b50, 56);
  record.writeBigUInt64LE(BigInt(offset + directoryBytes), 64);
  record.writeUInt32LE(1, 72);
  return record;
}
