import { detached } from "../../columns/detached-text.ts";
import { NO_ENTRY } from "../../columns/hash-index.ts";
import { NumberedTexts } from "../../columns/numbered-texts.ts";
import {
  PagedFloat64Column,
  PagedUint8Column,
  PagedUint32Column,
  type StoredColumn,
} from "../../columns/paged-column.ts";
import type { PagedMemory } from "../../columns/paged-memory.ts";
import type { Instant } from "../../mail/dates/instant.ts";
import type { Address } from "../../mail/records/address.ts";
import { addressKey } from "./address-form.ts";
import { AddressRecords } from "./address-records.ts";
import { isDirectoryName } from "./directory-name.ts";
import { type CountedText, countedTexts, type FlatTexts, flatTexts, type Weight, withText } from "./text-counts.ts";

/** The header field of an address. */
type AddressRole = "from" | "to" | "cc" | "bcc" | "reply_to" | "sender";

/** Key, spellings and names of an address. */
type AddressRow = readonly [key: string, spellings: FlatTexts, names: FlatTexts];

/** Maximum distinct spellings of an address; only generated mail has more. */
const MAX_SPELLINGS = 8;
/** Maximum distinct display names of an address; with more, it is shared and no name identifies its owner. */
const MAX_NAMES = 32;
/** Maximum own addresses of an author, and authors of an address, for them to count. */
const MAX_OWN_ADDRESSES = 4;
/** Longest display name that is parsed as an address. */
const MAX_SPELLED_CHARACTERS = 1_024;

/**
 * Interns every address of an archive while messages are read. An address is identified by its key (`addressKey`: the
 * spelling in lower case), or by its folded name if it is only a name. Indices are dense, in order of first appearance,
 * at most 2^30. The first addresses stay in memory as objects of about 400 bytes; the others are stored in pages.
 */
export class AddressBook {
  private readonly keys: NumberedTexts;
  private readonly records: AddressRecords;
  private readonly uses: PagedUint32Column;
  private readonly lastUsed: PagedFloat64Column;
  /** 1 if an export contained a name for the address. */
  private readonly isExported: PagedUint8Column;
  /** Cache of some spellings, so that the common lookup needs no folding; cleared when full. */
  private indices = new Map<string, number>();
  private readonly listKeys: NumberedTexts;
  /** Keys of an author and of another address that the author gives as their own, separated by a line end. */
  private readonly ownKeys: NumberedTexts;

  constructor(private readonly memory: PagedMemory) {
    this.keys = new NumberedTexts(memory);
    this.records = new AddressRecords(memory);
    this.uses = new PagedUint32Column(memory);
    this.lastUsed = new PagedFloat64Column(memory);
    this.isExported = new PagedUint8Column(memory);
    this.listKeys = new NumberedTexts(memory);
    this.ownKeys = new NumberedTexts(memory);
  }

  get size(): number {
    return this.keys.size;
  }

  /**
   * Counts one use of an address and returns its index. A name that is an address itself (`a@b.c` or a directory name,
   * without addr-spec) is treated as one. Names in Reply-To do not count: lists write the author's name before their
   * own address there.
   */
  observe(address: Address, role: AddressRole, at: Instant | null): number {
    const isNameOnly = address.email.trim() === "";
    const spelling = isNameOnly ? spelledAddress(address.name) : address.email;
    const index = spelling === null ? this.internName(address.name) : this.intern(spelling);
    const record = this.records.open(index);
    this.uses.set(index, this.uses.at(index) + 1);
    if (at !== null && at > this.lastUsed.at(index)) this.lastUsed.set(index, at);
    if (spelling !== null) record.spellings = withText(record.spellings, spelling, ONCE, MAX_SPELLINGS);
    if (address.name !== "" && !(isNameOnly && spelling !== null))
      record.names = withText(record.names, address.name, NAME_WEIGHT[role], MAX_NAMES);
    return index;
  }

  /**
   * Counts the name of an address from an address book entry. Addresses that occur in no mail are skipped: without
   * mail there is no contact. It counts neither as a use nor as a spelling.
   */
  observeEntry(entry: Address): void {
    const index = this.indexOf(addressKey(entry.email));
    if (index === undefined || entry.name === "") return;
    const record = this.records.open(index);
    record.names = withText(record.names, entry.name, ONCE, MAX_NAMES);
  }

  /**
   * Counts the name of an address from an export. Stored separately from names in header fields, which take
   * precedence in any order of sources. @param index from `observe` @param weight occurrences in total and in From
   */
  observeExportedName(index: number, name: string, weight: Weight): void {
    const record = this.records.open(index);
    this.isExported.set(index, 1);
    record.exportedNames = withText(record.exportedNames, name, weight, MAX_NAMES);
  }

  /**
   * Marks the address of a mailing list, which need not have been observed yet. @param key as `addressKey` gives it.
   */
  observeList(key: string): void {
    if (this.listKeys.find(key) === NO_ENTRY) this.listKeys.numberOf(detached(key));
  }

  /** True for the address of a mailing list. */
  isList(index: number): boolean {
    return this.listKeys.size > 0 && this.listKeys.find(this.keys.at(index)) !== NO_ENTRY;
  }

  /** Keys of all mailing list addresses, in insertion order. */
  *lists(): Generator<string> {
    for (let number = 0; number < this.listKeys.size; number++) yield this.listKeys.at(number);
  }

  /** Notes that an author gives other addresses as their own. @param author negative if unknown: nothing is noted */
  observeOwnAddresses(author: number, addresses: readonly string[]): void {
    if (author < 0) return;
    for (const address of addresses) this.observeOwnKeys(`${this.keys.at(author)}\n${addressKey(address)}`);
  }

  /** @param keys from `ownKeysOfAll` */
  observeOwnKeys(keys: string): void {
    if (this.ownKeys.find(keys) === NO_ENTRY) this.ownKeys.numberOf(detached(keys));
  }

  /** All that `observeOwnAddresses` noted, each once, as texts to store. */
  *ownKeysOfAll(): Generator<string> {
    for (let number = 0; number < this.ownKeys.size; number++) yield this.ownKeys.at(number);
  }

  /** Authors with other addresses that they give as their own, which occur in mail, in no particular order. */
  *ownAddresses(): Generator<readonly [author: number, address: number]> {
    const pairs: (readonly [number, number])[] = [];
    const counts = new Map<string, number>();
    const countOf = (side: string): number => counts.get(side) ?? 0;
    for (const keys of this.ownKeysOfAll()) {
      const [author, address] = keys.split("\n").map((key) => this.indexOf(key));
      if (author === undefined || address === undefined || author === address) continue;
      pairs.push([author, address]);
      for (const side of [`from ${author}`, `of ${address}`]) counts.set(side, countOf(side) + 1);
    }
    // Programs and secretaries name the addresses of others.
    for (const [author, address] of pairs)
      if (countOf(`from ${author}`) <= MAX_OWN_ADDRESSES && countOf(`of ${address}`) <= MAX_OWN_ADDRESSES)
        yield [author, address];
  }

  /** All that `observeExportedName` counted, in the order of the addresses. */
  *exportedNames(): Generator<{ readonly key: string; readonly names: readonly CountedText[] }> {
    for (let index = 0; index < this.size; index++) {
      if (this.isExported.at(index) === 1)
        yield { key: this.keys.at(index), names: this.records.at(index).exportedNames };
    }
  }

  /** True if a header has already given the address this name; false for an address that was not observed. */
  hasName({ name, email }: Address): boolean {
    const index = this.indexOf(addressKey(email));
    return index !== undefined && this.records.at(index).names.some(({ text }) => text === name);
  }

  /** Figures of all addresses; the texts are in `rows`. */
  get columns(): readonly StoredColumn[] {
    return [this.uses, this.lastUsed];
  }

  /** Texts of all addresses, except names from exports. */
  *rows(): Generator<AddressRow> {
    for (let index = 0; index < this.size; index++) {
      const { spellings, names } = this.records.at(index);
      yield [this.keys.at(index), flatTexts(spellings), flatTexts(names)];
    }
  }

  /** Adds an address of `rows`. */
  restore([key, spellings, names]: AddressRow): void {
    const record = this.records.open(this.addRecord(key));
    record.spellings = countedTexts(spellings);
    record.names = countedTexts(names);
  }

  /** Index of a known address by key, or undefined. */
  indexOf(key: string): number | undefined {
    const index = this.keys.find(key);
    return index === NO_ENTRY ? undefined : index;
  }

  /** Unique text of any address, also of a name alone: `indexOf` finds it. */
  identityOf(index: number): string {
    return this.keys.at(index);
  }

  private intern(spelling: string): number {
    const known = this.indices.get(spelling);
    if (known !== undefined) return known;
    const index = this.internKey(addressKey(spelling));
    if (this.indices.size >= this.memory.heldObjects) this.indices = new Map();
    // Most spellings equal the key.
    const key = this.keys.at(index);
    this.indices.set(key === spelling ? key : detached(spelling), index);
    return index;
  }

  private internName(name: string): number {
    return this.internKey(NAME_KEY + name.normalize("NFKC").trim().toLowerCase().replaceAll(/\s+/g, " "));
  }

  private internKey(key: string): number {
    const known = this.keys.find(key);
    if (known !== NO_ENTRY) return known;
    this.uses.push(0);
    this.lastUsed.push(Number.NEGATIVE_INFINITY);
    return this.addRecord(detached(key));
  }

  private addRecord(key: string): number {
    this.records.add();
    this.isExported.push(0);
    return this.keys.numberOf(key);
  }

  /** Key of an address; "" for a name alone. */
  keyOf(index: number): string {
    const key = this.keys.at(index);
    return key.startsWith(NAME_KEY) ? "" : key;
  }

  /** Spellings as written, in order of first appearance; empty for a name alone. */
  spellingsOf(index: number): readonly CountedText[] {
    return this.records.at(index).spellings;
  }

  /**
   * Display names as written, in order of first appearance, then those of exports; names only seen in Reply-To count
   * 0.
   */
  namesOf(index: number): readonly CountedText[] {
    const { names, exportedNames } = this.records.at(index);
    return exportedNames.length === 0 ? names : [...names, ...exportedNames];
  }

  /** Names from exports, in order of first appearance. */
  exportedNamesOf(index: number): readonly CountedText[] {
    return this.isExported.at(index) === 1 ? this.records.at(index).exportedNames : [];
  }

  /** Number of uses of the address in any field. */
  usesOf(index: number): number {
    return this.uses.at(index);
  }

  /** Latest dated use, or negative infinity. */
  lastUsedOf(index: number): number {
    return this.lastUsed.at(index);
  }
}

const ONCE: Weight = { times: 1, own: 0 };
/** Weight of a display name in each field. */
const NAME_WEIGHT: Readonly<Record<AddressRole, Weight>> = {
  from: { times: 1, own: 1 },
  to: ONCE,
  cc: ONCE,
  bcc: ONCE,
  reply_to: { times: 0, own: 0 },
  sender: ONCE,
};

/** Prefix of the key of a name alone; addresses cannot begin with it. */
const NAME_KEY = "\0name:";

/** The address a display name consists of, or null. */
function spelledAddress(name: string): string | null {
  const text = name.trim();
  if (text.length > MAX_SPELLED_CHARACTERS) return null;
  if (isDirectoryName(text)) return text;
  return /^[^\s@<>,;"]+@[^\s@<>,;"]+\.[^\s@<>,;."]+$/.test(text) ? text : null;
}
