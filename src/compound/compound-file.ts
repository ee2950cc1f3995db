import { type DirectoryEntry, ENTRY_SIZE, readEntry } from "./directory-entry.ts";
import { SectorChains } from "./sector-chains.ts";

/** The first bytes of every compound file ([MS-CFB] 2.2). */
const COMPOUND_SIGNATURE = Buffer.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1);
/** Maximum directory entries read: a message has one per value, so 20,000 attachments with 12 values each fit. */
const MAX_ENTRIES = 1_000_000;
/** No entry ([MS-CFB] 2.6.1). */
const NO_ENTRY = 0xffff_ffff;
const HEADER_SIZE = 512;

/** A storage: streams and storages by name, like a directory. Keys are in upper case for comparison. */
export interface CompoundStorage {
  readonly name: string;
  readonly classId: Buffer | null;
  readonly streams: ReadonlyMap<string, CompoundStream>;
  readonly storages: ReadonlyMap<string, CompoundStorage>;
}

/** A stream of bytes, assembled when read; of a damaged stream, the part that is readable. */
interface CompoundStream {
  readonly name: string;
  bytes(): Buffer;
}

/** Descriptions of damage, each once. */
interface CompoundDamage {
  readonly faults: ReadonlySet<string>;
}

/** An opened compound file. */
interface CompoundFile extends CompoundDamage {
  readonly root: CompoundStorage;
}

/** True for bytes that begin like a compound file. */
export function hasCompoundSignature(head: Buffer): boolean {
  return head.subarray(0, COMPOUND_SIGNATURE.length).equals(COMPOUND_SIGNATURE);
}

/**
 * Opens an in-memory compound file ([MS-CFB]). Returns null if the bytes are not one. Of a damaged file, everything
 * reachable is read.
 */
export function openCompoundFile(bytes: Buffer): CompoundFile | null {
  if (!hasCompoundSignature(bytes) || bytes.length < HEADER_SIZE) return null;
  const faults = new Set<string>();
  const chains = SectorChains.open(bytes, faults);
  if (chains === null) return null;
  const directory = chains.directory(MAX_ENTRIES * ENTRY_SIZE);
  const entries: DirectoryEntry[] = [];
  for (let at = 0; at + ENTRY_SIZE <= directory.length; at += ENTRY_SIZE)
    entries.push(readEntry(directory, at, chains.majorVersion));
  const root = entries[0];
  if (root === undefined || root.kind !== "root") return null;
  chains.useMiniStream(root);
  return { root: readStorages(entries, chains, faults), faults };
}

interface OpenStorage extends Pick<CompoundStorage, "name" | "classId"> {
  readonly streams: Map<string, CompoundStream>;
  readonly storages: Map<string, OpenStorage>;
}

/**
 * Storages from the root down. Every entry belongs to one storage: a second reference is damage, and would form a
 * cycle.
 */
function readStorages(entries: readonly DirectoryEntry[], chains: SectorChains, faults: Set<string>): CompoundStorage {
  const root = emptyStorage(entries[0]!);
  const seen = new Uint8Array(entries.length);
  seen[0] = 1;
  /** Entries still to be visited, with their storage. */
  const waiting: { readonly place: number; readonly parent: OpenStorage }[] = [
    { place: entries[0]!.child, parent: root },
  ];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { place, parent } = next;
    if (place === NO_ENTRY) continue;
    const entry = entries[place];
    if (entry === undefined || entry.kind === "unused" || seen[place] === 1) {
      faults.add("the directory points to a missing entry, or twice to the same entry");
      continue;
    }
    seen[place] = 1;
    waiting.push({ place: entry.left, parent }, { place: entry.right, parent });
    if (entry.kind === "stream") addNew(parent.streams, entry.name, streamOf(entry, chains));
    else {
      const storage = emptyStorage(entry);
      addNew(parent.storages, entry.name, storage);
      waiting.push({ place: entry.child, parent: storage });
    }
  }
  return root;
}

function emptyStorage({ name, classId }: DirectoryEntry): OpenStorage {
  return { name, classId, streams: new Map(), storages: new Map() };
}

function addNew<T>(named: Map<string, T>, name: string, value: T): void {
  const key = name.toUpperCase();
  if (!named.has(key)) named.set(key, value);
}

function streamOf(entry: DirectoryEntry, chains: SectorChains): CompoundStream {
  let bytes: Buffer | null = null;
  return {
    name: entry.name,
    bytes() {
      bytes ??= chains.stream(entry);
      return bytes;
    },
  };
}
