import { ArchiveError } from "../../errors.ts";
import type { Archive, ArchivedMessage, EncodedMessage, SearchFilter } from "../../mail/archive.ts";
import type { WordMatch } from "../../mail/exploration.ts";
import type { MessageId } from "../../mail/records/ids.ts";

/** Selects messages that match all given conditions. */
export interface Selection {
  /** Query; null for all messages. */
  readonly query: string | null;
  /** How its words combine. */
  readonly match: WordMatch;
  /** Excludes messages that match this query; null for none. */
  readonly withheld: string | null;
  readonly filter: SearchFilter;
  readonly threadId: string | null;
  /** Messages that this contact sent or received. */
  readonly contactId: string | null;
  /** Individually selected messages. */
  readonly messageIds: readonly string[] | null;
  /** Name of a mailbox, in any occurrence of a message. */
  readonly mailbox: string | null;
}

interface Selected {
  /** In order; null for every message. */
  readonly ids: readonly MessageId[] | null;
  /** Messages that match all conditions but are withheld. */
  readonly withheldCount: number;
}

/**
 * Throws NOT_FOUND if the thread, contact or mailbox does not exist, and INVALID_ARGUMENT if the withhold query cannot
 * be interpreted.
 */
export async function selectMessages(archive: Archive, selection: Selection): Promise<Selected> {
  const selected = await fittingMessages(archive, selection);
  const { withheld } = selection;
  if (withheld === null) return { ids: selected, withheldCount: 0 };
  const [problem] = await queryProblems(archive, withheld, "all");
  if (problem !== undefined) throw new ArchiveError("INVALID_ARGUMENT", `nothing is exported: ${problem}`);
  const isWithheld = new Set(await archive.search.matching(withheld, {}, "all"));
  const all = selected ?? (await archive.search.matching("", {}, "all"));
  const ids = all.filter((id) => !isWithheld.has(id)).sort(byOrdinal);
  return { ids, withheldCount: all.length - ids.length };
}

async function fittingMessages(archive: Archive, selection: Selection): Promise<readonly MessageId[] | null> {
  const conditions: (readonly MessageId[])[] = [];
  const { query, match, filter, threadId, contactId, messageIds, mailbox } = selection;
  if (query !== null || Object.keys(filter).length > 0)
    conditions.push(await archive.search.matching(query ?? "", filter, match));
  if (threadId !== null) {
    const thread = await archive.threads.get(threadId);
    if (thread === null) throw new ArchiveError("NOT_FOUND", `Thread ${threadId} not found`);
    conditions.push(thread.messageIds);
  }
  if (contactId !== null) {
    const contact = await archive.contacts.get(contactId);
    if (contact === null) throw new ArchiveError("NOT_FOUND", `Contact ${contactId} not found`);
    conditions.push(contact.messageIds);
  }
  if (messageIds !== null) conditions.push(await messagesNamed(archive, messageIds));
  if (mailbox !== null) conditions.push(await messagesIn(archive, mailbox));
  const [first, ...others] = conditions;
  if (first === undefined) return null;
  const sets = others.map((ids) => new Set(ids));
  return first.filter((id) => sets.every((ids) => ids.has(id))).sort(byOrdinal);
}

/** One sentence per part of the query that could not be interpreted. */
export async function queryProblems(
  archive: Archive,
  query: string | null,
  match: WordMatch,
): Promise<readonly string[]> {
  if (query === null) return [];
  const [hits] = await archive.explore.hits([{ query, match }]);
  return hits!.problems;
}

async function messagesNamed(archive: Archive, ids: readonly string[]): Promise<readonly MessageId[]> {
  const found: MessageId[] = [];
  for (const id of new Set(ids)) {
    const message = await archive.messages.get(id);
    if (message === null) throw new ArchiveError("NOT_FOUND", `Message ${id} not found`);
    found.push(message.id);
  }
  return found;
}

/** Messages in a mailbox, by any of their locations. */
async function messagesIn(archive: Archive, mailbox: string): Promise<readonly MessageId[]> {
  const isThere = (await archive.messages.mailboxes()).some((total) => total.mailbox === mailbox);
  if (!isThere)
    throw new ArchiveError("NOT_FOUND", `Mailbox ${mailbox} not found`, {
      hint: "archivetool stats lists the mailboxes",
    });
  const ids: MessageId[] = [];
  for await (const batch of archive.messages.scan()) {
    for (const message of batch) {
      if (message.mailbox === mailbox || message.occurrences.some((place) => place.mailbox === mailbox))
        ids.push(message.id);
    }
  }
  return ids;
}

/** Longer ids have larger numbers; ids of equal length are compared as text. */
function byOrdinal(left: string, right: string): number {
  return left.length - right.length || (left < right ? -1 : left > right ? 1 : 0);
}

/** The selected messages, one at a time. */
export async function* walkSelected(
  archive: Archive,
  ids: readonly MessageId[] | null,
): AsyncGenerator<ArchivedMessage> {
  if (ids === null) {
    for await (const batch of archive.messages.scan()) {
      for (const message of batch) yield withText(message);
    }
    return;
  }
  for (const id of ids) {
    const message = await archive.messages.get(id);
    if (message !== null) yield message;
  }
}

/** Most formats use the bytes of the original: the text is decoded on demand. */
function withText({ sortedAt: _, body: bytes, ...message }: EncodedMessage): ArchivedMessage {
  return {
    ...message,
    get body() {
      return Buffer.from(bytes).toString();
    },
  };
}
