/** Bytes of an entry of the directory ([MS-CFB] 2.6.1). */
export const ENTRY_SIZE = 128;

/** Offsets within an entry. */
const NAME_LENGTH_AT = 64;
const TYPE_AT = 66;
const LEFT_AT = 68;
const RIGHT_AT = 72;
const CHILD_AT = 76;
const CLASS_AT = 80;
const CLASS_BYTES = 16;
const START_AT = 116;
const SIZE_AT = 120;
const NAME_BYTES_MAX = 64;

type EntryKind = "unused" | "storage" | "stream" | "root";
const KINDS: Readonly<Record<number, EntryKind>> = { 1: "storage", 2: "stream", 5: "root" };

/** A storage or stream in the directory: siblings form a tree by `left` and `right`, children start at `child`. */
export interface DirectoryEntry {
  readonly kind: EntryKind;
  readonly name: string;
  /** Of a storage: the class id of its program (a GUID), or null. */
  readonly classId: Buffer | null;
  readonly left: number;
  readonly right: number;
  readonly child: number;
  /** First sector of its bytes. */
  readonly start: number;
  readonly sizeBytes: number;
}

/** @param majorVersion 3 or 4: files of version 3 may leave old bytes in the upper half of the size. */
export function readEntry(directory: Buffer, at: number, majorVersion: number): DirectoryEntry {
  // The length counts the NUL at the end.
  const nameBytes = Math.max(0, Math.min(directory.readUInt16LE(at + NAME_LENGTH_AT) - 2, NAME_BYTES_MAX));
  const upper = majorVersion === 3 ? 0 : directory.readUInt32LE(at + SIZE_AT + 4);
  return {
    kind: KINDS[directory[at + TYPE_AT]!] ?? "unused",
    name: directory.toString("utf16le", at, at + nameBytes - (nameBytes % 2)),
    classId: classAt(directory, at + CLASS_AT),
    left: directory.readUInt32LE(at + LEFT_AT),
    right: directory.readUInt32LE(at + RIGHT_AT),
    child: directory.readUInt32LE(at + CHILD_AT),
    start: directory.readUInt32LE(at + START_AT),
    sizeBytes: directory.readUInt32LE(at + SIZE_AT) + upper * 0x1_0000_0000,
  };
}

function classAt(directory: Buffer, at: number): Buffer | null {
  for (let byte = at; byte < at + CLASS_BYTES; byte++)
    if (directory[byte] !== 0) return Buffer.from(directory.subarray(at, at + CLASS_BYTES));
  return null;
}
