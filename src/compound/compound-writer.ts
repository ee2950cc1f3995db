import type { CompoundStorage } from "./compound-file.ts";

/** A storage to be written: streams and storages by name. */
export interface WrittenStorage {
  /** A GUID; missing for a storage of no program. */
  readonly classId?: Buffer | null;
  readonly streams: ReadonlyMap<string, Buffer>;
  readonly storages: ReadonlyMap<string, WrittenStorage>;
}

const END = 0xffff_fffe;
const FREE = 0xffff_ffff;
const FAT_SECTOR = 0xffff_fffd;
const DIFAT_SECTOR = 0xffff_fffc;
const CUTOFF = 4096;
const MINI = 64;
const DIFAT_IN_HEADER = 109;
const NAME_LENGTH_MAX = 31;
const TYPE = { storage: 1, stream: 2, root: 5 } as const;

interface Entry {
  readonly name: string;
  readonly classId: Buffer | null;
  readonly type: number;
  left: number;
  right: number;
  child: number;
  start: number;
  size: number;
  readonly data: Buffer | null;
}

/** An embedded storage as a separate compound file, as its program would save it. */
export function storageFile(storage: CompoundStorage): Buffer {
  const root = copyOf(storage);
  const waiting = [{ from: storage, to: root }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const { name, bytes } of next.from.streams.values()) next.to.streams.set(name, bytes());
    for (const inside of next.from.storages.values()) {
      const copy = copyOf(inside);
      next.to.storages.set(inside.name, copy);
      waiting.push({ from: inside, to: copy });
    }
  }
  return writeCompoundFile(root);
}

interface StorageCopy {
  readonly classId: Buffer | null;
  readonly streams: Map<string, Buffer>;
  readonly storages: Map<string, StorageCopy>;
}

function copyOf({ classId }: CompoundStorage): StorageCopy {
  return { classId, streams: new Map(), storages: new Map() };
}

/** Allocates sectors in order, and records the chain of each. */
class Sectors {
  readonly pieces: Buffer[] = [];
  readonly table: number[] = [];

  constructor(private readonly size: number) {}

  /** @returns the first sector */
  add(data: Buffer): number {
    const count = Math.ceil(data.length / this.size);
    if (count === 0) return END;
    const first = this.table.length;
    for (let index = 0; index < count; index++) this.table.push(index + 1 < count ? first + index + 1 : END);
    this.pieces.push(data, Buffer.alloc(count * this.size - data.length));
    return first;
  }
}

/**
 * Writes a compound file ([MS-CFB]). @param majorVersion 3 has sectors of 512 bytes, 4 of 4,096.
 */
export function writeCompoundFile(root: WrittenStorage, majorVersion: 3 | 4 = 3): Buffer {
  const size = majorVersion === 3 ? 512 : 4096;
  const entries: Entry[] = [{ ...NEW_ENTRY, name: "Root Entry", type: TYPE.root, classId: root.classId ?? null }];
  const waiting = [{ place: 0, storage: root }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    waiting.push(...addChildren(entries, next.place, next.storage));
  const sectors = new Sectors(size);
  const mini = new Sectors(MINI);
  for (const entry of entries) {
    if (entry.data === null) continue;
    entry.size = entry.data.length;
    entry.start = (entry.data.length < CUTOFF ? mini : sectors).add(entry.data);
  }
  const miniStream = Buffer.concat(mini.pieces);
  entries[0]!.start = sectors.add(miniStream);
  entries[0]!.size = miniStream.length;
  const miniFat = sectors.add(numbers(mini.table, size, FREE));
  const directory = sectors.add(
    Buffer.concat([...entries.map(directoryEntry), ...padding(entries.length, size / 128)]),
  );
  return withTables(sectors, {
    size,
    majorVersion,
    miniFat,
    miniFatCount: Math.ceil((mini.table.length * 4) / size),
    directory,
  });
}

const NEW_ENTRY = { left: FREE, right: FREE, child: FREE, start: END, size: 0, data: null } as const;

/** Adds the content of a storage, as a tree in name order ([MS-CFB] 2.6.4). @returns its storages */
function addChildren(entries: Entry[], parent: number, storage: WrittenStorage): readonly PlacedStorage[] {
  const children = [
    ...Array.from(storage.streams, ([name, data]) => ({ name: nameOf(name), data, inside: null })),
    ...Array.from(storage.storages, ([name, inside]) => ({ name: nameOf(name), data: null, inside })),
  ].sort((a, b) => a.name.length - b.name.length || (a.name.toUpperCase() < b.name.toUpperCase() ? -1 : 1));
  const first = entries.length;
  const storages: PlacedStorage[] = [];
  for (const { name, data, inside } of children) {
    if (inside !== null) storages.push({ place: entries.length, storage: inside });
    const start = inside === null ? END : 0;
    const type = inside === null ? TYPE.stream : TYPE.storage;
    entries.push({ ...NEW_ENTRY, name, type, start, data, classId: inside?.classId ?? null });
  }
  // Recursive halving: 20 levels for a million entries.
  const link = (from: number, to: number): number => {
    if (from >= to) return FREE;
    const middle = (from + to) >> 1;
    const entry = entries[middle]!;
    entry.left = link(from, middle);
    entry.right = link(middle + 1, to);
    return middle;
  };
  entries[parent]!.child = link(first, entries.length);
  return storages;
}

interface PlacedStorage {
  readonly place: number;
  readonly storage: WrittenStorage;
}

function nameOf(name: string): string {
  return name.slice(0, NAME_LENGTH_MAX);
}

function directoryEntry(entry: Entry): Buffer {
  const bytes = Buffer.alloc(128);
  bytes.write(entry.name, 0, 62, "utf16le");
  bytes.writeUInt16LE((entry.name.length + 1) * 2, 64);
  bytes[66] = entry.type;
  bytes[67] = 1;
  bytes.writeUInt32LE(entry.left, 68);
  bytes.writeUInt32LE(entry.right, 72);
  bytes.writeUInt32LE(entry.child, 76);
  entry.classId?.copy(bytes, 80);
  bytes.writeUInt32LE(entry.start, 116);
  bytes.writeUInt32LE(entry.size, 120);
  return bytes;
}

function padding(count: number, perSector: number): Buffer[] {
  return Array.from({ length: (perSector - (count % perSector)) % perSector }, () => {
    const bytes = Buffer.alloc(128);
    bytes.fill(0xff, 68, 80);
    return bytes;
  });
}

function numbers(values: readonly number[], size: number, fill: number): Buffer {
  const bytes = Buffer.alloc(Math.ceil((values.length * 4) / size) * size);
  for (let at = 0; at < bytes.length; at += 4) bytes.writeUInt32LE(values[at / 4] ?? fill, at);
  return bytes;
}

interface Layout {
  readonly size: number;
  readonly majorVersion: number;
  readonly miniFat: number;
  readonly miniFatCount: number;
  readonly directory: number;
}

/** The sector table contains itself, and so does the list of its sectors beyond the header. */
function withTables(sectors: Sectors, layout: Layout): Buffer {
  const { size } = layout;
  const used = sectors.table.length;
  const perFat = size / 4;
  let fatCount = 0;
  let difatCount = 0;
  for (;;) {
    const fats = Math.ceil((used + fatCount + difatCount) / perFat);
    const difats = Math.ceil(Math.max(0, fats - DIFAT_IN_HEADER) / (perFat - 1));
    if (fats === fatCount && difats === difatCount) break;
    fatCount = fats;
    difatCount = difats;
  }
  const fatSectors = Array.from({ length: fatCount }, (_, index) => used + index);
  const table = [
    ...sectors.table,
    ...fatSectors.map(() => FAT_SECTOR),
    ...Array.from({ length: difatCount }, () => DIFAT_SECTOR),
  ];
  const rest = fatSectors.slice(DIFAT_IN_HEADER);
  const difat = Array.from({ length: difatCount }, (_, index) => {
    const listed = rest.slice(index * (perFat - 1), (index + 1) * (perFat - 1));
    const bytes = numbers(listed, size, FREE);
    bytes.writeUInt32LE(index + 1 < difatCount ? used + fatCount + index + 1 : END, size - 4);
    return bytes;
  });
  const header = Buffer.alloc(size);
  Buffer.from("d0cf11e0a1b11ae1", "hex").copy(header);
  header.writeUInt16LE(0x3e, 24);
  header.writeUInt16LE(layout.majorVersion, 26);
  header.writeUInt16LE(0xfffe, 28);
  header.writeUInt16LE(Math.log2(size), 30);
  header.writeUInt16LE(6, 32);
  header.writeUInt32LE(fatCount, 44);
  header.writeUInt32LE(layout.directory, 48);
  header.writeUInt32LE(CUTOFF, 56);
  header.writeUInt32LE(layout.miniFatCount === 0 ? END : layout.miniFat, 60);
  header.writeUInt32LE(layout.miniFatCount, 64);
  header.writeUInt32LE(difatCount === 0 ? END : used + fatCount, 68);
  header.writeUInt32LE(difatCount, 72);
  for (let index = 0; index < DIFAT_IN_HEADER; index++) header.writeUInt32LE(fatSectors[index] ?? FREE, 76 + 4 * index);
  return Buffer.concat([header, ...sectors.pieces, numbers(table, size, FREE), ...difat]);
}
