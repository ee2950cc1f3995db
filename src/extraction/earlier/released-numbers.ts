import type { PagedInt32Column } from "../../columns/paged-column.ts";
import type { AddressBook } from "../../contacts/addresses/address-book.ts";
import type { ContactOrdinal, ThreadOrdinal } from "../../mail/records/ordinal.ts";
import type { ArchiveWriter } from "../../store/contract/archive-writer.ts";
import type { RestoredMessages } from "./earlier-archive.ts";

/**
 * Numbers left unused by corrections, by their previous address or message: undoing the correction gives the contact
 * and the thread their number back.
 */
export interface ReleasedNumbers {
  /** By address key. */
  readonly contacts: ReadonlyMap<string, ContactOrdinal>;
  /** By message index. */
  readonly threads: ReadonlyMap<number, ThreadOrdinal>;
}

const RELEASED_KEY = "extraction:released-numbers";

export async function readReleased(writer: ArchiveWriter): Promise<ReleasedNumbers> {
  const stored = await writer.getMeta(RELEASED_KEY);
  const { contacts, threads } = typeof stored === "string" ? (JSON.parse(stored) as StoredNumbers) : NOTHING_RELEASED;
  return { contacts: new Map(contacts), threads: new Map(threads) };
}

interface StoredNumbers {
  readonly contacts: readonly (readonly [string, ContactOrdinal])[];
  readonly threads: readonly (readonly [number, ThreadOrdinal])[];
}

const NOTHING_RELEASED: StoredNumbers = { contacts: [], threads: [] };

/** The numbers that are in use now. */
interface UsedNumbers {
  readonly contacts: Iterable<ContactOrdinal>;
  readonly threads: PagedInt32Column;
}

/** Stores released numbers of the archive. The first owner of a number keeps its claim. */
export async function addReleased(
  writer: ArchiveWriter,
  { contacts, threads }: ReleasedNumbers,
  {
    book,
    restored,
    used,
  }: { readonly book: AddressBook; readonly restored: RestoredMessages; readonly used: UsedNumbers },
): Promise<void> {
  const ofAddresses = new Map(contacts);
  const ofMessages = new Map(threads);
  const usedContacts = new Set(used.contacts);
  for (let address = 0; address < book.size; address++) {
    const key = book.keyOf(address);
    const ordinal = restored.contactOfAddress.get(key);
    if (ordinal !== undefined && !usedContacts.has(ordinal) && !ofAddresses.has(key)) ofAddresses.set(key, ordinal);
  }
  const usedThreads = new Set<number>();
  for (let message = 0; message < used.threads.length; message++) usedThreads.add(used.threads.at(message));
  for (let message = 0; message < restored.thread.length; message++) {
    const ordinal = restored.thread.at(message) as ThreadOrdinal;
    if (!usedThreads.has(ordinal) && !ofMessages.has(message)) ofMessages.set(message, ordinal);
  }
  if (ofAddresses.size + ofMessages.size === 0) return;
  const stored: StoredNumbers = { contacts: [...ofAddresses], threads: [...ofMessages] };
  await writer.setMeta(RELEASED_KEY, JSON.stringify(stored));
}
