import { grown } from "../columns/grown.ts";
import type { Address } from "../mail/address.ts";
import type { Instant } from "../mail/instant.ts";
import { addressKey } from "./address-form.ts";
import { type CountedText, CountedTexts, detached } from "./counted-texts.ts";
import { isDirectoryName } from "./directory-name.ts";

/** The header field an address stood in. */
export type AddressRole = "from" | "to" | "cc" | "bcc" | "reply_to" | "sender";

/** Different spellings kept of one address; more come only from generators. */
const MAX_SPELLINGS = 8;
/** Different display names kept of one address; an address with more is shared, and no name says whose it is. */
const MAX_NAMES = 32;
/** Longest display name that is looked at as an address. */
const MAX_SPELLED_CHARACTERS = 1_024;
/** Addresses the columns hold before they grow the first time. */
const FIRST_CAPACITY = 1_024;

/**
 * Every address of an archive, interned while messages stream by. An address is its key (`addressKey`: the spelling in
 * lower case); one that is a name alone is its name folded. Indices are dense and follow first appearance.
 * About 150 bytes an address, 65 a display name.
 */
export class AddressBook {
  /** By key, and by each spelling kept, so that the common lookup needs no folding. */
  private readonly indices = new Map<string, number>();
  private readonly keys: string[] = [];
  private readonly spellings = new CountedTexts(MAX_SPELLINGS);
  private readonly names = new CountedTexts(MAX_NAMES);
  private readonly countedNames = new CountedTexts(MAX_NAMES);
  private readonly listKeys = new Set<string>();
  private uses = new Uint32Array(FIRST_CAPACITY);
  private lastUsed = new Float64Array(FIRST_CAPACITY);

  get size(): number {
    return this.keys.length;
  }

  /**
   * Counts one use of an address and gives its index. A name that is an address itself (`a@b.c` or a directory name,
   * without addr-spec) is taken for one. Names beside a Reply-To do not count: lists write the author's name before
   * their own address there.
   */
  observe(address: Address, role: AddressRole, at: Instant | null): number {
    const isNameOnly = address.email.trim() === "";
    const spelling = isNameOnly ? spelledAddress(address.name) : address.email;
    const index = spelling === null ? this.internName(address.name) : this.intern(spelling);
    this.uses[index]!++;
    if (at !== null && at > this.lastUsed[index]!) this.lastUsed[index] = at;
    if (spelling !== null) this.spellings.add(index, spelling, 1);
    if (address.name !== "" && !(isNameOnly && spelling !== null)) {
      this.names.add(index, address.name, role === "reply_to" ? 0 : 1, role === "from" ? 1 : 0);
    }
    return index;
  }

  /**
   * Counts the name that an entry of somebody's address book gives an address. An address that no mail names is left
   * out: whom nobody wrote to is no contact. It is no use of the address either, nor a spelling of it.
   */
  observeEntry(entry: Address): void {
    const index = this.indices.get(addressKey(entry.email));
    if (index !== undefined && entry.name !== "") this.names.add(index, entry.name, 1);
  }

  /**
   * Counts a name that an export wrote beside the mail for an address without display name. Kept apart from the names
   * of the header, which come first whatever the order of the sources.
   * @param index what `observe` gave. @param own how many times it stood beside From.
   */
  observeExportedName(
    index: number,
    name: string,
    { times, own }: { readonly times: number; readonly own: number },
  ): void {
    this.countedNames.add(index, name, times, own);
  }

  /**
   * Marks the address of a mailing list, which need not have been observed yet. @param key as `addressKey` gives it.
   */
  observeList(key: string): void {
    this.listKeys.add(this.listKeys.has(key) ? key : detached(key));
  }

  /** True for the address of a mailing list. */
  isList(index: number): boolean {
    return this.listKeys.has(this.keys[index]!);
  }

  /** Keys of all addresses of mailing lists, in the order they were marked. */
  lists(): Iterable<string> {
    return this.listKeys;
  }

  /** All that `observeExportedName` counted, in the order of the addresses. */
  *exportedNames(): Generator<{ readonly key: string; readonly names: readonly CountedText[] }> {
    for (let index = 0; index < this.keys.length; index++) {
      const names = this.countedNames.of(index);
      if (names.length > 0) yield { key: this.keys[index]!, names };
    }
  }

  /** True when a header named the address so already; false for an address that was not observed. */
  hasName({ name, email }: Address): boolean {
    const index = this.indices.get(addressKey(email));
    return index !== undefined && this.names.has(index, name);
  }

  /** Index of an address that was observed, by its key; undefined for one that was not. */
  indexOf(key: string): number | undefined {
    return this.indices.get(key);
  }

  private intern(spelling: string): number {
    const known = this.indices.get(spelling);
    if (known !== undefined) return known;
    const key = addressKey(spelling);
    const index = this.indices.get(key) ?? this.append(detached(key));
    if (key !== spelling && this.spellings.of(index).length < MAX_SPELLINGS)
      this.indices.set(detached(spelling), index);
    return index;
  }

  private internName(name: string): number {
    const key = NAME_KEY + name.normalize("NFKC").trim().toLowerCase().replaceAll(/\s+/g, " ");
    return this.indices.get(key) ?? this.append(detached(key));
  }

  private append(key: string): number {
    const index = this.keys.length;
    if (index >= this.uses.length) {
      this.uses = grown(this.uses);
      this.lastUsed = grown(this.lastUsed);
    }
    this.lastUsed[index] = Number.NEGATIVE_INFINITY;
    this.keys.push(key);
    this.indices.set(key, index);
    return index;
  }

  /** Key of an address; "" for one that is a name alone. */
  keyOf(index: number): string {
    const key = this.keys[index]!;
    return key.startsWith(NAME_KEY) ? "" : key;
  }

  /** Spellings as written, in order of first appearance; empty for a name alone. */
  spellingsOf(index: number): readonly CountedText[] {
    return this.spellings.of(index);
  }

  /**
   * Display names as written, in order of first appearance, then those of exports; names seen in Reply-To alone count
   * 0.
   */
  namesOf(index: number): readonly CountedText[] {
    const names = this.names.of(index);
    const exported = this.countedNames.of(index);
    return exported.length === 0 ? names : names.length === 0 ? exported : [...names, ...exported];
  }

  /** Times the address stood in any field. */
  usesOf(index: number): number {
    return this.uses[index]!;
  }

  /** Latest dated use, negative infinity when there is none. */
  lastUsedOf(index: number): number {
    return this.lastUsed[index]!;
  }
}

/** Begins the key of a name alone; no address can begin with it. */
const NAME_KEY = "\0name:";

/** The address a display name consists of, or null. */
function spelledAddress(name: string): string | null {
  const text = name.trim();
  if (text.length > MAX_SPELLED_CHARACTERS) return null;
  if (isDirectoryName(text)) return text;
  return /^[^\s@<>,;"]+@[^\s@<>,;"]+\.[^\s@<>,;."]+$/.test(text) ? text : null;
}
