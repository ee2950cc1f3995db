import type { ExtraField } from "yauzl";
import { readFully } from "../files/read-fully.ts";
import { SLASH } from "../mail/words/ascii.ts";
import { zipEntryName } from "./entry-name.ts";

/** Data for reading one file of a zip file. Plain data that can be posted to threads. */
export interface ZipMember {
  readonly name: string;
  /** Start of its local header. */
  readonly headerAt: number;
  /** Upper bound if only the next member shows the end. */
  readonly packedBytes: number;
  /** Null if undeclared: the directory of the file is lost. */
  readonly sizeBytes: number | null;
  readonly crc: number | null;
  /** Compression method; null if encrypted. */
  readonly method: number | null;
}

/** A range of bytes in a file. */
export interface DirectoryPlace {
  readonly start: number;
  readonly bytes: number;
}

/** Signatures (APPNOTE.TXT 4.3.7, 4.3.9, 4.3.12, 4.3.14 to 4.3.16). */
const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const ZIP64_END = 0x06064b50;
const ZIP64_LOCATOR = 0x07064b50;
/** Bytes of the fixed parts. */
const LOCAL_BYTES = 30;
const CENTRAL_BYTES = 46;
const END_BYTES = 22;
const ZIP64_LOCATOR_BYTES = 20;
const ZIP64_END_BYTES = 56;
/** The longest comment after the end record. */
const COMMENT_BYTES = 0xffff;
/** Marks a number that is in the zip64 field, and the id of that field. */
const ELSEWHERE = 0xffffffff;
const ZIP64_FIELD = 0x0001;
const ENCRYPTED = 0x0041;
/** The sizes follow the content. */
const SIZES_FOLLOW = 0x0008;
/** Bytes read at a time of the directory, and when searching for the next header. An entry has at most 197 kB. */
const CHUNK_BYTES = 1 << 20;

/** Finds the directory of a zip file; null if it is missing or inconsistent. */
export function findDirectory(descriptor: number, sizeBytes: number): DirectoryPlace | null {
  const place = placeOfDirectory(descriptor, sizeBytes);
  if (place === null || !(place.start + place.bytes <= sizeBytes)) return null;
  let end = place.start;
  for (const { at, bytes } of centralEntries(descriptor, place)) end = at + bytes.length;
  return end === place.start + place.bytes ? place : null;
}

/** Consecutive entries of the directory. */
function* centralEntries(
  descriptor: number,
  { start, bytes }: DirectoryPlace,
): Generator<{ readonly at: number; readonly bytes: Buffer }> {
  const window = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, bytes));
  const end = start + bytes;
  let base = start;
  let filled = 0;
  for (let at = start; at + CENTRAL_BYTES <= end; ) {
    let entry = entryAt(window.subarray(at - base, filled));
    if (entry === null) {
      base = at;
      filled = readFully(descriptor, window.subarray(0, Math.min(window.length, end - at)), at);
      entry = entryAt(window.subarray(0, filled));
    }
    if (entry === null) return;
    yield { at, bytes: entry };
    at += entry.length;
  }
}

/** The entry at the start of these bytes; null if there is none or it is incomplete. */
function entryAt(bytes: Buffer): Buffer | null {
  if (bytes.length < CENTRAL_BYTES || bytes.readUInt32LE(0) !== CENTRAL) return null;
  const length = CENTRAL_BYTES + bytes.readUInt16LE(28) + bytes.readUInt16LE(30) + bytes.readUInt16LE(32);
  return length <= bytes.length ? bytes.subarray(0, length) : null;
}

/** The members that the directory lists, in its order. */
export function* readDirectory(descriptor: number, place: DirectoryPlace): Generator<ZipMember> {
  for (const { bytes: entry } of centralEntries(descriptor, place)) {
    const nameEnd = CENTRAL_BYTES + entry.readUInt16LE(28);
    const rawName = entry.subarray(CENTRAL_BYTES, nameEnd);
    if (rawName.at(-1) === SLASH) continue;
    const extraFields = readExtraFields(entry.subarray(nameEnd, nameEnd + entry.readUInt16LE(30)));
    const numbers = new Zip64Numbers(extraFields);
    const sizeBytes = numbers.value(entry.readUInt32LE(24));
    const packedBytes = numbers.value(entry.readUInt32LE(20));
    const headerAt = numbers.value(entry.readUInt32LE(42));
    const method = methodOf(entry.readUInt16LE(8), entry.readUInt16LE(10));
    const crc = entry.readUInt32LE(16);
    yield { name: zipEntryName(rawName, extraFields), headerAt, packedBytes, sizeBytes, crc, method };
  }
}

/** Start of a member's content, after its local header; null if there is none. */
export function contentStart(descriptor: number, headerAt: number): number | null {
  const header = Buffer.alloc(LOCAL_BYTES);
  if (readFully(descriptor, header, headerAt) < LOCAL_BYTES || header.readUInt32LE(0) !== LOCAL) return null;
  return headerAt + LOCAL_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
}

function methodOf(flags: number, method: number): number | null {
  return (flags & ENCRYPTED) === 0 ? method : null;
}

/** Location of the directory, from the record at the end of the file. */
function placeOfDirectory(descriptor: number, sizeBytes: number): DirectoryPlace | null {
  const tail = Buffer.allocUnsafe(Math.min(sizeBytes, END_BYTES + COMMENT_BYTES));
  const base = sizeBytes - tail.length;
  if (readFully(descriptor, tail, base) < tail.length) return null;
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== END || at + END_BYTES + tail.readUInt16LE(at + 20) > tail.length) continue;
    const place = { start: tail.readUInt32LE(at + 16), bytes: tail.readUInt32LE(at + 12) };
    if (place.start !== ELSEWHERE && place.bytes !== ELSEWHERE && tail.readUInt16LE(at + 10) !== 0xffff) return place;
    return zip64Place(descriptor, base + at - ZIP64_LOCATOR_BYTES) ?? place;
  }
  return null;
}

function zip64Place(descriptor: number, at: number): DirectoryPlace | null {
  const locator = Buffer.alloc(ZIP64_LOCATOR_BYTES);
  if (at < 0 || readFully(descriptor, locator, at) < locator.length || locator.readUInt32LE(0) !== ZIP64_LOCATOR)
    return null;
  const record = Buffer.alloc(ZIP64_END_BYTES);
  const recordAt = Number(locator.readBigUInt64LE(8));
  if (!Number.isSafeInteger(recordAt) || readFully(descriptor, record, recordAt) < record.length) return null;
  if (record.readUInt32LE(0) !== ZIP64_END) return null;
  return { start: Number(record.readBigUInt64LE(48)), bytes: Number(record.readBigUInt64LE(40)) };
}

function readExtraFields(bytes: Buffer): ExtraField[] {
  const fields: ExtraField[] = [];
  for (let at = 0; at + 4 <= bytes.length; ) {
    const end = at + 4 + bytes.readUInt16LE(at + 2);
    if (end > bytes.length) break;
    fields.push({ id: bytes.readUInt16LE(at), data: bytes.subarray(at + 4, end) });
    at = end;
  }
  return fields;
}

/** Reads the numbers of a zip64 field in order (APPNOTE.TXT 4.5.3). */
class Zip64Numbers {
  private readonly data: Buffer;
  private at = 0;

  constructor(fields: readonly ExtraField[]) {
    this.data = fields.find(({ id }) => id === ZIP64_FIELD)?.data ?? Buffer.alloc(0);
  }

  value(written: number): number {
    if (written !== ELSEWHERE || this.at + 8 > this.data.length) return written;
    const number = Number(this.data.readBigUInt64LE(this.at));
    this.at += 8;
    return number;
  }
}

/** The members by their local headers, as far as these are readable. */
export function* readLocalHeaders(descriptor: number, sizeBytes: number): Generator<ZipMember> {
  for (let at = 0; at >= 0; ) {
    const found = localMember(descriptor, at);
    if (found === null) {
      at = nextHeader(descriptor, at + 1, sizeBytes);
      continue;
    }
    const { member, start } = found;
    const next = member.sizeBytes === null ? nextHeader(descriptor, start, sizeBytes) : start + member.packedBytes;
    if (!found.isDirectory) yield { ...member, packedBytes: (next < 0 ? sizeBytes : next) - start };
    at = next;
  }
}

/** A member by its local header. */
interface LocalMember {
  readonly member: ZipMember;
  readonly isDirectory: boolean;
  /** Start of its content. */
  readonly start: number;
}

/** The member whose local header is here, or null. */
export function localMember(descriptor: number, at: number): LocalMember | null {
  const header = Buffer.alloc(LOCAL_BYTES);
  if (readFully(descriptor, header, at) < LOCAL_BYTES || header.readUInt32LE(0) !== LOCAL) return null;
  const names = Buffer.alloc(header.readUInt16LE(26) + header.readUInt16LE(28));
  if (readFully(descriptor, names, at + LOCAL_BYTES) < names.length) return null;
  const isDirectory = names.subarray(0, header.readUInt16LE(26)).at(-1) === SLASH;
  return { member: memberAt(at, header, names), isDirectory, start: at + LOCAL_BYTES + names.length };
}

/** The fields of a local header. @param names its name, then its extra fields */
function memberAt(headerAt: number, header: Buffer, names: Buffer): ZipMember {
  const rawName = names.subarray(0, header.readUInt16LE(26));
  const extraFields = readExtraFields(names.subarray(rawName.length));
  const numbers = new Zip64Numbers(extraFields);
  const declared = numbers.value(header.readUInt32LE(22));
  const packedBytes = numbers.value(header.readUInt32LE(18));
  const isDeclared = (header.readUInt16LE(6) & SIZES_FOLLOW) === 0;
  return {
    name: zipEntryName(rawName, extraFields),
    headerAt,
    packedBytes,
    sizeBytes: isDeclared ? declared : null,
    crc: isDeclared ? header.readUInt32LE(14) : null,
    method: methodOf(header.readUInt16LE(6), header.readUInt16LE(8)),
  };
}

const LOCAL_SIGNATURE = Buffer.from("PK\x03\x04", "latin1");

/** Bytes after the content of a member that usually contain the next header. */
const NEAR_BYTES = 64;

/** Start of the next member header; -1 if there is none. */
export function nextHeader(descriptor: number, from: number, sizeBytes: number): number {
  const near = Buffer.allocUnsafe(NEAR_BYTES);
  const nearAt = near.subarray(0, readFully(descriptor, near, from)).indexOf(LOCAL_SIGNATURE);
  if (nearAt >= 0) return from + nearAt;
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  // A signature may cross two chunks.
  for (let at = from; at < sizeBytes; at += CHUNK_BYTES - LOCAL_SIGNATURE.length + 1) {
    const count = readFully(descriptor, chunk, at);
    const found = chunk.subarray(0, count).indexOf(LOCAL_SIGNATURE);
    if (found >= 0) return at + found;
    if (count < CHUNK_BYTES) break;
  }
  return -1;
}
