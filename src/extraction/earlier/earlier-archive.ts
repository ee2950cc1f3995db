import { createReadStream, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { PagedInt32Column } from "../../columns/paged-column.ts";
import type { PagedMemory } from "../../columns/paged-memory.ts";
import { PagedTextColumn } from "../../columns/paged-text-column.ts";
import { ArchiveError } from "../../errors.ts";
import { PRIVATE_DIRECTORY } from "../../files/durable-files.ts";
import type { Instant } from "../../mail/dates/instant.ts";
import type { CalendarEvent } from "../../mail/records/calendar-event.ts";
import { isGeneratedMessageId } from "../../mail/records/content-key.ts";
import { ordinalOf } from "../../mail/records/ids.ts";
import type { CopyDifferences } from "../../mail/records/message.ts";
import { indexOf } from "../../mail/records/ordinal.ts";
import type { Provenance } from "../../mail/records/provenance.ts";
import type { Topic } from "../../mail/records/topic.ts";
import { openArchive } from "../../store/archive/open-archive.ts";
import { createArchive } from "../../store/archive/write-archive.ts";
import {
  ARCHIVE_FILE,
  type ArchiveLocation,
  archiveIn,
  isArchiveThere,
  nameOfArchive,
} from "../../store/contract/archive-location.ts";
import type { ArchiveWriter } from "../../store/contract/archive-writer.ts";
import { SCAN_CACHE } from "../../store/contract/reading-memory.ts";
import type { MessagePlacement, RestoredMessage } from "../../store/contract/rows.ts";
import { baseSubject } from "../../threading/base-subject.ts";
import { QuotedMessages } from "../../threading/quoted-messages.ts";
import { restoreExportedNames } from "../ledger/collected-display-names.ts";
import type { CopySkeleton } from "../ledger/copy-evidence.ts";
import type { Ledger } from "../ledger/deduplicate.ts";
import { restoreLedgerState } from "../ledger/ledger-state.ts";
import { DOCUMENT_FILE } from "../publishing/output-files.ts";
import type { DamagedFile } from "../publishing/output-manifest.ts";
import type { RunDirectory } from "../publishing/run-directory.ts";
import { contactRecipients } from "../staging/contact-recipients.ts";
import { wordsOf } from "../staging/duplicate-key.ts";
import { type ItemSkeleton, itemSkeleton } from "../staging/item-skeleton.ts";
import type { MessageHeaderRecord } from "../staging/message-header-record.ts";
import { ContactsByAddress } from "./contacts-by-address.ts";

/** The existing archive of an incremental run, as known before any source is read. */
export interface EarlierArchive {
  readonly location: ArchiveLocation;
  readonly provenance: Provenance;
  readonly messages: number;
  readonly events: readonly CalendarEvent[];
  readonly topics: readonly Topic[];
  readonly items: readonly { readonly ordinal: number; readonly source: number; readonly skeleton: ItemSkeleton }[];
  /** Messages first found in a source. */
  messagesOf(source: number): number;
}

/** Thread, topic (ordinals), quotations and subject of each restored message, mostly stored in a file. */
export interface RestoredMessages {
  readonly thread: PagedInt32Column;
  readonly topic: PagedInt32Column;
  readonly quotes: QuotedMessages;
  readonly subjects: PagedTextColumn;
  readonly contactOfAddress: ContactsByAddress;
}

/** Runs before the first of them is restored. */
export function noMessages(memory: PagedMemory): RestoredMessages {
  return {
    thread: new PagedInt32Column(memory),
    topic: new PagedInt32Column(memory),
    quotes: new QuotedMessages(memory),
    subjects: new PagedTextColumn(memory),
    contactOfAddress: new ContactsByAddress(memory),
  };
}

/** Topics are few by construction; every one is read. */
const ALL_TOPICS = 100_000;

/** Bytes of a document read at a time. */
const DOCUMENT_CHUNK_BYTES = 1 << 20;

/** The existing output of an incremental run. */
interface EarlierOutput {
  readonly run: RunDirectory;
  readonly damaged: readonly DamagedFile[];
}

/**
 * Opens the archive to add to: the store, or an extraction.json if the store is missing or damaged; null if there is
 * neither. @throws ArchiveError ARCHIVE_DAMAGED if the remains are not sufficient
 */
export async function openEarlier(directory: string, { run, damaged }: EarlierOutput): Promise<EarlierArchive | null> {
  const lost = new Map(damaged.map(({ path, what }) => [path, what]));
  const location = archiveIn(directory);
  if (isArchiveThere(location) && !lost.has(ARCHIVE_FILE)) return readEarlierArchive(location);
  const document = join(directory, DOCUMENT_FILE);
  if (!existsSync(document) || lost.has(DOCUMENT_FILE)) {
    if (!lost.has(ARCHIVE_FILE)) return null;
    throw new ArchiveError(
      "ARCHIVE_DAMAGED",
      `cannot add to ${nameOfArchive(location)}: it ${lost.get(ARCHIVE_FILE) === "missing" ? "is missing" : "has changed since it was written"}`,
    );
  }
  return importEarlier(document, run);
}

/** Imports the archive of an extraction.json. Throws NOT_AN_ARCHIVE if the document does not identify its messages. */
async function importEarlier(document: string, run: RunDirectory): Promise<EarlierArchive> {
  // Loaded on demand: few runs start from a document.
  const { importDocument } = await import("../../store/archive/import-document.ts");
  const directory = join(run.root, "imported");
  mkdirSync(directory, { mode: PRIVATE_DIRECTORY });
  const imported = archiveIn(directory);
  const writer = await createArchive(imported);
  let areKeysKnown: boolean;
  try {
    areKeysKnown = await importDocument(
      () => createReadStream(document, { highWaterMark: DOCUMENT_CHUNK_BYTES }),
      writer,
    );
    await writer.finish();
  } catch (error) {
    await writer.abort();
    throw error;
  }
  const earlier = await readEarlierArchive(imported);
  const wasRedacted = earlier.provenance.statistics.piiRedactions > 0;
  if (areKeysKnown && !wasRedacted) return earlier;
  const why = areKeysKnown || wasRedacted ? "was redacted" : "does not record how its messages are identified";
  throw new ArchiveError(
    "NOT_AN_ARCHIVE",
    `${document} ${why}, and its ${ARCHIVE_FILE} is missing: new messages cannot be detected`,
    { hint: "extract all sources again without --incremental" },
  );
}

/** Reads the archive of an earlier run. */
async function readEarlierArchive(location: ArchiveLocation): Promise<EarlierArchive> {
  const archive = await openArchive(location, SCAN_CACHE);
  try {
    const provenance = await archive.provenance();
    const events: CalendarEvent[] = [];
    for await (const batch of archive.events.scan()) events.push(...batch);
    const topics = (await archive.topics.list("frequency", ALL_TOPICS)).items;
    const items: { ordinal: number; source: number; skeleton: ItemSkeleton }[] = [];
    for await (const batch of archive.items.scan())
      for (const item of batch)
        items.push({
          ordinal: ordinalOf("item", item.id)!,
          source: item.source,
          skeleton: itemSkeleton(item, item.mailbox),
        });
    const messagesOf = (source: number): number => {
      const kept = provenance.sources[source]?.counts.kept ?? 0;
      const others = [...items, ...events.map(({ item }) => item)].filter((origin) => origin?.source === source);
      return kept - others.length;
    };
    return {
      location,
      provenance,
      messages: provenance.statistics.totalMessages,
      events,
      topics,
      items,
      messagesOf,
    };
  } finally {
    await archive.close();
  }
}

/**
 * Enters every stored message into the ledger, so that threads and contacts are resolved over the whole archive as a
 * full run would.
 */
export async function restoreLedger(
  ledger: Ledger,
  { writer, memory }: { readonly writer: ArchiveWriter; readonly memory: PagedMemory },
  earlier: EarlierArchive,
): Promise<RestoredMessages> {
  const restored = noMessages(memory);
  for await (const batch of writer.contactAddresses())
    for (const contact of batch) restored.contactOfAddress.enter(contact);
  for (const column of [restored.thread, restored.topic]) column.extend(earlier.messages, 0);
  const isStored = await restoreLedgerState(ledger, writer, earlier.messages);
  if (isStored) await restorePlacements(ledger, writer, restored);
  else await restoreSkeletons(ledger, writer, restored);
  await restoreCopies(ledger, writer, isStored);
  await restoreExportedNames(ledger.book, writer);
  for (const { source, skeleton, ordinal } of earlier.items) ledger.items.restore(skeleton, source, ordinal);
  return restored;
}

/** Restores what the state of the ledger omits. */
async function restorePlacements(ledger: Ledger, writer: ArchiveWriter, restored: RestoredMessages): Promise<void> {
  for await (const batch of writer.placements()) {
    for (const stored of batch) {
      restorePlacement(stored, restored);
      ledger.restoreSource(stored.source);
    }
  }
}

/** @param areIdsKnown true if threads already have the ids of duplicates */
async function restoreCopies(ledger: Ledger, writer: ArchiveWriter, areIdsKnown: boolean): Promise<void> {
  for await (const batch of areIdsKnown ? writer.copiesWithOtherPeople() : writer.copies()) {
    for (const { message, differs } of batch) {
      const copy = contactRecipients(copyOf(differs, ledger.dateOf(indexOf(message))));
      if (areIdsKnown) ledger.copies.add(indexOf(message), copy);
      else ledger.restoreCopy(message, copy);
    }
  }
}

/** Restores messages from their rows. */
async function restoreSkeletons(ledger: Ledger, writer: ArchiveWriter, restored: RestoredMessages): Promise<void> {
  for await (const batch of writer.messageSkeletons()) {
    for (const stored of batch) {
      restorePlacement(stored, restored);
      ledger.restore(skeletonOf(stored), stored.source);
    }
  }
}

function restorePlacement(
  { ordinal, thread, topic, quotes, subject }: MessagePlacement,
  restored: RestoredMessages,
): void {
  const index = indexOf(ordinal);
  restored.thread.set(index, thread);
  restored.topic.set(index, topic);
  for (const id of quotes) restored.quotes.add(index, indexOf(ordinalOf("msg", id)!));
  restored.subjects.push(subject);
}

function skeletonOf(stored: RestoredMessage): MessageHeaderRecord {
  const subject = baseSubject(stored.subject);
  const { from, sender, replyTo, to, cc, bcc } = contactRecipients(stored);
  return {
    kind: "message",
    key: wordsOf(stored.contentKey),
    messageId: isGeneratedMessageId(stored.messageId) ? null : stored.messageId,
    references: stored.inReplyTo.length === 0 ? stored.references : [...stored.references, ...stored.inReplyTo],
    conversationIndexRoot: stored.conversationIndexRoot,
    gmailThreadId: stored.gmailThreadId,
    subjectKey: subject.key,
    isReply: subject.isReply,
    isAutomatic: stored.isAutomatic,
    // Marked over the whole archive, with the names of exports.
    listAddress: null,
    sentAt: stored.sentAt,
    receivedAt: stored.receivedAt,
    mailbox: stored.mailbox,
    from,
    sender,
    replyTo,
    to,
    cc,
    bcc,
    exportedNames: null,
    ownAddresses: [],
  };
}

/** Fields without a difference are those of the message itself. @param sentAt of the message. */
function copyOf(differs: CopyDifferences, sentAt: Instant | null): CopySkeleton {
  const { messageId = null, inReplyTo = [], references = [] } = differs;
  return {
    messageId: messageId !== null && isGeneratedMessageId(messageId) ? null : messageId,
    references: [...references, ...inReplyTo],
    conversationIndexRoot: differs.conversationIndexRoot ?? null,
    gmailThreadId: differs.gmailThreadId ?? null,
    sentAt: differs.sentAt === undefined ? sentAt : differs.sentAt,
    from: differs.from ?? null,
    sender: differs.sender ?? null,
    replyTo: differs.replyTo ?? [],
    to: differs.to ?? [],
    cc: differs.cc ?? [],
    bcc: differs.bcc ?? [],
  };
}
