import { textHash } from "../../columns/key-nodes.ts";
import type { PagedMemory } from "../../columns/paged-memory.ts";
import { addressKey } from "../../contacts/addresses/address-form.ts";
import { authorKey, authorName } from "../../contacts/author-key.ts";
import type { ArchiveWriter } from "../../store/contract/archive-writer.ts";
import { type PackedQuotations, QuotationColumns, type QuotationLinks } from "../../threading/quotations.ts";
import type { Ledger } from "../ledger/deduplicate.ts";
import type { NumberedContacts } from "./contact-phase.ts";

/** Quotations of messages as numbers, over the whole archive: later runs read no text again. */
const QUOTATIONS_KEY = "extraction:quotations";

/** Quotations of earlier runs and of this one. */
interface QuotationSources {
  readonly writer: ArchiveWriter;
  readonly memory: PagedMemory;
  /** Releases the memory. */
  readonly added: QuotationColumns;
}

/** Finds quoted messages. An earlier archive without this data is treated as having no quotes. */
export async function findQuotations(
  ledger: Ledger,
  contacts: NumberedContacts,
  { writer, memory, added }: QuotationSources,
): Promise<QuotationLinks> {
  const stored = await writer.getMeta(QUOTATIONS_KEY);
  const fresh = added.messageCount;
  const columns = fresh === ledger.messageCount ? added : new QuotationColumns(memory);
  if (columns !== added) {
    if (stored instanceof Uint8Array) columns.addPacked(decodeQuotations(stored));
    while (columns.messageCount + fresh < ledger.messageCount) columns.addUnknown();
    columns.addPacked(added.pack());
    added.clear();
  }
  if (fresh > 0 || stored === null) await writer.setMeta(QUOTATIONS_KEY, encodeQuotations(columns));
  const found = ledger.findQuoted(columns, memory, authorTest(ledger, contacts));
  columns.clear();
  return found;
}

/** Two lengths, then the openings, the numbers and the counts; little-endian, like every supported processor. */
function encodeQuotations(columns: QuotationColumns): Uint8Array {
  const { messageCount: messages, numberCount: length } = columns;
  const bytes = new Uint8Array((HEAD_WORDS + messages + length) * Int32Array.BYTES_PER_ELEMENT + messages);
  const words = new Int32Array(bytes.buffer, 0, HEAD_WORDS + messages + length);
  words.set([messages, length]);
  columns.packInto({
    openings: words.subarray(HEAD_WORDS, HEAD_WORDS + messages),
    numbers: words.subarray(HEAD_WORDS + messages),
    counts: bytes.subarray(words.byteLength),
  });
  return bytes;
}

/** The two lengths. */
const HEAD_WORDS = 2;

function decodeQuotations(stored: Uint8Array): PackedQuotations {
  const bytes = new Uint8Array(stored);
  const [messages, length] = new Int32Array(bytes.buffer, 0, 2) as unknown as readonly [number, number];
  const openings = new Int32Array(bytes.buffer, 8, messages);
  const numbers = new Int32Array(bytes.buffer, 8 + openings.byteLength, length);
  return { openings, numbers, counts: bytes.subarray(8 + openings.byteLength + numbers.byteLength) };
}

/** Size of the cache of contact names, which is cleared when full. */
const REMEMBERED_AUTHORS = 1 << 14;

/**
 * Tests whether a name or an address belongs to the contact of an address. Names of contacts are collected on first
 * use.
 */
function authorTest(
  { book }: Ledger,
  { contactOf, addressesOf }: NumberedContacts,
): (address: number, name: number, key: number) => boolean {
  const known = new Map<number, ReadonlySet<number>>();
  return (address, name, key) => {
    const contact = contactOf.at(address);
    let hashes = known.get(contact);
    if (hashes === undefined) {
      hashes = new Set(addressesOf(contact).flatMap((member) => hashesOf(book, member)));
      if (known.size === REMEMBERED_AUTHORS) known.clear();
      known.set(contact, hashes);
    }
    return (name !== 0 && hashes.has(name)) || (key !== 0 && hashes.has(key));
  };
}

/** Hashes of the keys and names of an address; a local part that spells a name counts as one. */
function hashesOf(book: Ledger["book"], address: number): readonly number[] {
  const hashes: number[] = [];
  const key = book.keyOf(address);
  if (key !== "") hashes.push(textHash(addressKey(key)));
  const local = key.slice(0, Math.max(0, key.indexOf("@")));
  if (/[._]/.test(local)) hashes.push(textHash(authorName(local.replaceAll(/[._]+/g, " "))));
  for (const { text } of book.namesOf(address)) {
    const { name } = authorKey(text);
    if (name !== "") hashes.push(textHash(name));
  }
  return hashes;
}
