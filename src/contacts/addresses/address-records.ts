import type { PagedMemory } from "../../columns/paged-memory.ts";
import { PagedObjects } from "../../columns/paged-objects.ts";
import type { CountedTexts } from "./text-counts.ts";

/** The texts of an address and its names. */
interface AddressRecord {
  /** As written. */
  spellings: CountedTexts;
  /** Display names. */
  names: CountedTexts;
  /** Names from exports. */
  exportedNames: CountedTexts;
}

const NO_TEXTS: CountedTexts = [];
/**
 * Divisor of the number of cached records for the size of a generation: small enough that most are collected as young
 * objects.
 */
const OPEN_SHARE = 32;

/**
 * Records of addresses by index. The first stay in memory, since people who appear first appear most. Of the others,
 * memory caches the most recently updated, in two generations; the rest is stored in pages.
 */
export class AddressRecords {
  private readonly records: PagedObjects<AddressRecord>;
  private young = new Map<number, AddressRecord>();
  private old = new Map<number, AddressRecord>();
  /** The record read last, which is not counted yet. */
  private readIndex = -1;
  private readRecord: AddressRecord | null = null;

  constructor(private readonly memory: PagedMemory) {
    this.records = new PagedObjects(memory);
  }

  /** A record for the next index. */
  add(): void {
    const record = { spellings: NO_TEXTS, names: NO_TEXTS, exportedNames: NO_TEXTS };
    if (this.records.hasRoom) this.records.push(record);
    else {
      this.records.reserve();
      this.keep(this.records.length - 1, record);
    }
  }

  /** Opens a record for counting; valid until the next call. */
  open(index: number): AddressRecord {
    return this.records.holds(index) ? this.records.at(index) : (this.young.get(index) ?? this.reopened(index));
  }

  /** A record to be read. */
  at(index: number): Readonly<AddressRecord> {
    if (this.records.holds(index)) return this.records.at(index);
    const open = this.young.get(index) ?? this.old.get(index);
    if (open !== undefined) return open;
    if (this.readIndex !== index || this.readRecord === null) {
      this.readRecord = this.records.at(index);
      this.readIndex = index;
    }
    return this.readRecord;
  }

  private reopened(index: number): AddressRecord {
    const record = this.old.get(index) ?? this.records.at(index);
    this.old.delete(index);
    this.keep(index, record);
    return record;
  }

  private keep(index: number, record: AddressRecord): void {
    if (this.young.size >= this.memory.heldObjects / OPEN_SHARE) {
      for (const [at, earlier] of this.old) this.records.set(at, earlier);
      this.old = this.young;
      this.young = new Map();
    }
    this.young.set(index, record);
    this.readIndex = -1;
  }
}
