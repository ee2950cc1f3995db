import { HashIndex, NO_ENTRY } from "../../columns/hash-index.ts";
import { Utf8Buffer } from "../../columns/utf8-buffer.ts";
import type { Instant } from "../../mail/dates/instant.ts";
import { FILE_STATE_BYTES, isSettled, statesIn } from "../../sources/reading/file-state.ts";
import type { WorkUnit } from "../../sources/reading/source.ts";
import type { ArchiveWriter } from "../../store/contract/archive-writer.ts";
import type { FileHashes } from "../staging/message-header-record.ts";

/** An entry is the state of a file and its SHA-256. */
const SHA256_BYTES = 32;
const ENTRY_BYTES = FILE_STATE_BYTES + SHA256_BYTES;

/** Maximum files of a source that are stored, in 200 MB: further ones are read in each run. */
const MAX_KNOWN_FILES = 1 << 22;

/** The stored value for the message files of a source. */
export const knownFilesKey = (source: number): string => `extraction:known-files:${source}`;

/** Message files of a source and their hashes, to be stored for the next run. */
export class KnownFilesBuilder {
  private readonly entries = new Utf8Buffer();

  /** @param listedAt a time before the files were listed */
  constructor(private readonly listedAt: Instant) {}

  /** Adds the message files of a unit; those that were changing when they were listed will be read again. */
  add(unit: WorkUnit, hashes: FileHashes): void {
    if (unit.kind !== "files" || unit.states === undefined) return;
    for (const [file, state] of statesIn(unit.states).entries()) this.addFile(state, hashes[file] ?? null);
  }

  addFile(state: Uint8Array, sha256: string | null): void {
    if (sha256 === null || !isSettled(state, this.listedAt) || this.entries.length >= MAX_KNOWN_FILES * ENTRY_BYTES)
      return;
    this.entries.append(state);
    this.entries.append(Buffer.from(sha256, "hex"));
  }

  bytes(): Uint8Array {
    return this.entries.view();
  }
}

/** Stores values of `KnownFilesBuilder` by source. */
export async function storeKnownFiles(
  writer: Pick<ArchiveWriter, "setMeta">,
  ofSources: ReadonlyMap<number, Uint8Array>,
): Promise<void> {
  for (const [source, files] of ofSources) await writer.setMeta(knownFilesKey(source), files);
}

/** The message files of a source that an earlier run read. */
export class KnownFiles {
  private readonly entries: Buffer;
  private readonly index: HashIndex;

  /** @param stored the value of `KnownFilesBuilder` */
  constructor(stored: Uint8Array) {
    this.entries = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
    this.index = new HashIndex(this.size);
    for (let entry = 0; entry < this.size; entry++) {
      const hash = this.entries.readInt32LE(entry * ENTRY_BYTES);
      for (let found = this.index.first(hash); found !== NO_ENTRY; ) found = this.index.next();
      this.index.add();
    }
  }

  get size(): number {
    return Math.floor(this.entries.length / ENTRY_BYTES);
  }

  /** SHA-256 of each file of a unit; null for those that must be read. */
  hashesOf(unit: WorkUnit): FileHashes {
    if (unit.kind !== "files" || unit.states === undefined) return [];
    return statesIn(unit.states).map((state) => this.hashOf(state));
  }

  private hashOf(state: Uint8Array): string | null {
    const hash = Buffer.from(state.buffer, state.byteOffset).readInt32LE();
    for (let entry = this.index.first(hash); entry !== NO_ENTRY; entry = this.index.next()) {
      const start = entry * ENTRY_BYTES;
      const end = start + FILE_STATE_BYTES;
      if (this.entries.compare(state, 0, FILE_STATE_BYTES, start, end) === 0)
        return this.entries.toString("hex", end, start + ENTRY_BYTES);
    }
    return null;
  }
}
