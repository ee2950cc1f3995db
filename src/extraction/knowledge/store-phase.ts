import { ArchiveError } from "../../errors.ts";
import { itemId, messageId } from "../../mail/records/ids.ts";
import { type ArchivedItem, SAVED_FILES_FIELD } from "../../mail/records/item.ts";
import type { Attachment } from "../../mail/records/message.ts";
import {
  type ContactOrdinal,
  indexOf,
  type MessageIndex,
  type MessageOrdinal,
  ordinalAt,
  type ThreadOrdinal,
  type TopicOrdinal,
} from "../../mail/records/ordinal.ts";
import type { ArchiveWriter } from "../../store/contract/archive-writer.ts";
import type { CopyRow, MessageRow, RecipientRow } from "../../store/contract/rows.ts";
import type { EventListener } from "../extraction-event.ts";
import type { Ledger } from "../ledger/deduplicate.ts";
import type { ChunkFiles } from "../preparing/prepare-phase.ts";
import type { TextFact, TextFacts } from "../preparing/text-facts.ts";
import type { StagedMessage } from "../staging/staged-message.ts";
import { readSegment, recordOf, type StagedEntry, type StagedItem } from "../staging/staged-record.ts";
import { type Action, actionAt, type StagedSegment } from "../staging/staged-segment.ts";
import type { EventMerge } from "./event-merge.ts";
import { itemAttachments, originOf, saveFiles } from "./saved-files.ts";

/** Messages, occurrences or items passed to the store at a time, and reported as progress. */
const INSERT_BATCH = 256;

/** Thread and topic of a message. */
export interface Placement {
  readonly threadOf: (message: MessageIndex) => ThreadOrdinal;
  readonly topicOfThread: (thread: ThreadOrdinal) => TopicOrdinal;
  readonly contactOf: (address: number) => ContactOrdinal;
  readonly quotedBy: (message: MessageIndex) => readonly MessageIndex[];
}

interface StoreRequest {
  readonly chunks: readonly ChunkFiles[];
  readonly facts: TextFacts;
  readonly firstItem: number;
  readonly outputDirectory: string;
  readonly placement: Placement;
  /** The phase whose progress is reported. */
  readonly phase: "topics" | "indexing";
  readonly onEvent: EventListener;
  /** Called with the subject of every stored message. */
  onSubject(message: MessageIndex, subject: string): void;
  /** Called for each further occurrence of a message. */
  onPlace(message: MessageOrdinal): void;
}

/** Stores all rows of the second pass in source order, each completely. Returns the number of new occurrences. */
export async function storeRows(
  request: StoreRequest,
  ledger: Ledger,
  writer: ArchiveWriter,
  events: EventMerge,
): Promise<number> {
  const storing = new Storing(request, ledger, events);
  const entries = foundEntries(request);
  let addedPlaces = 0;
  try {
    for (let isMore = true; isMore; isMore = storing.tellProgress()) {
      // Messages are created while the store consumes them, so their bodies are read from the window of a segment
      // without copying.
      await writer.addMessages(storing.messages(entries));
      const { copies, items } = storing.takeOthers();
      addedPlaces += await writer.addCopies(copies);
      await writer.addItems(items);
      // Threads that have finished can end, which frees their memory.
      await new Promise(setImmediate);
    }
    return addedPlaces;
  } finally {
    // Closes the current segment, also after an error: Windows cannot remove open files.
    entries.return(undefined);
  }
}

interface LocatedEntry {
  readonly entry: StagedEntry;
  readonly facts: StoredFacts;
}

/** All kept entries in source order, with their facts from the second pass. */
function* foundEntries({ chunks, facts }: StoreRequest): Generator<LocatedEntry> {
  let message = 0;
  for (const chunk of chunks)
    for (const { entry, action, segment } of keptEntries(chunk)) {
      const found = action.kind === "kept" ? facts.at(message++) : NOTHING_FOUND;
      yield { entry, facts: { action, segment, ...found } };
    }
}

/** For a record that is not a message. */
const NOTHING_FOUND: TextFact = { language: null, bodyTokens: 0, textKey: null, mentions: [] };

interface KeptEntry {
  readonly entry: StagedEntry;
  readonly action: Action;
  readonly segment: StagedSegment;
}

/**
 * Kept entries of a chunk in order: its redacted records, or those of the first pass without omitted ones. The files
 * remain until the archive is filled, since an interrupted run resumes from them.
 */
function* keptEntries({ segments, prepared }: ChunkFiles): Generator<KeptEntry> {
  const redacted = prepared.rowsPath === null ? null : readSegment(prepared.rowsPath);
  for (const segment of segments) {
    const entries = redacted ?? readSegment(segment.path);
    const actions = segment.actions.packed();
    for (let index = 0; index < actions.length; index++) {
      const action = actionAt(actions, index);
      if (action.kind === "left_out" && redacted !== null) continue;
      const entry = requireNext(entries, prepared.rowsPath ?? segment.path);
      if (action.kind !== "left_out") yield { entry, action, segment };
    }
    if (redacted === null) entries.return(undefined);
  }
  redacted?.return(undefined);
}

function requireNext(entries: Iterator<StagedEntry>, path: string): StagedEntry {
  const next = entries.next();
  if (next.done === true) throw new ArchiveError("COUNTS_DISAGREE", `${path} contains fewer rows than were imported`);
  return next.value;
}

/** The action of a record, and the facts from its text. */
interface StoredFacts extends TextFact {
  readonly action: Action;
  readonly segment: StagedSegment;
}

class Storing {
  /** Ordinals of the last message stored and of the last one reported. */
  private stored = 0;
  private reported = 0;
  private copies: CopyRow[] = [];
  private items: ArchivedItem[] = [];
  private isAtEnd = false;
  private nextItem: number;

  constructor(
    private readonly request: StoreRequest,
    private readonly ledger: Ledger,
    private readonly events: EventMerge,
  ) {
    this.nextItem = request.firstItem;
  }

  /** The messages up to the end of a batch; other records wait for `takeOthers`. */
  *messages(entries: Iterator<LocatedEntry>): Generator<MessageRow> {
    const end = this.reported + INSERT_BATCH;
    while (this.stored < end && this.copies.length < INSERT_BATCH && this.items.length < INSERT_BATCH) {
      const next = entries.next();
      if (next.done === true) {
        this.isAtEnd = true;
        return;
      }
      const row = this.take(next.value);
      if (row !== null) yield row;
    }
  }

  /** Returns the row of a message; keeps other records for `takeOthers`. */
  private take({ entry, facts }: LocatedEntry): MessageRow | null {
    const { action, segment } = facts;
    const record = recordOf(entry);
    if (record.kind === "appointment") {
      this.events.addAppointment(record, segment);
      return null;
    }
    if (record.kind === "item") {
      this.items.push(this.item(record, segment));
      this.nextItem++;
      return null;
    }
    if (action.kind === "copy") {
      const { mailbox, location } = record;
      this.request.onPlace(action.of);
      this.copies.push({ message: action.of, source: segment.source, mailbox, location, found: record });
      return null;
    }
    if (action.kind !== "kept") return null;
    const { ordinal } = action;
    for (const found of record.calendar)
      this.events.add({
        ...{ entry: found, message: ordinal },
        ...{ source: segment.source, mailbox: record.mailbox, origin: null, item: null, duplicates: [] },
      });
    this.request.onSubject(indexOf(ordinal), record.subject);
    this.stored = ordinal;
    return this.messageRow(record, { ordinal, body: entry.body }, facts);
  }

  /** Occurrences and items since the last call. */
  takeOthers(): { readonly copies: readonly CopyRow[]; readonly items: readonly ArchivedItem[] } {
    const { copies, items } = this;
    this.copies = [];
    this.items = [];
    return { copies, items };
  }

  /** Reports what is stored; returns false at the end. */
  tellProgress(): boolean {
    if (this.stored > this.reported) {
      this.reported = this.stored;
      this.request.onEvent({
        kind: "phase",
        phase: this.request.phase,
        state: "progress",
        done: this.stored,
        total: this.ledger.messageCount,
      });
    }
    return !this.isAtEnd;
  }

  private messageRow(
    message: StagedMessage,
    { ordinal, body }: { readonly ordinal: MessageOrdinal; readonly body: Buffer },
    { segment, language, bodyTokens, textKey, mentions }: StoredFacts,
  ): MessageRow {
    const { placement } = this.request;
    const index = indexOf(ordinal);
    const thread = placement.threadOf(index);
    const from = this.ledger.from.at(index);
    const recipients: RecipientRow[] = [];
    for (const { address, kind } of this.ledger.recipientsOf(index))
      recipients.push({ contact: placement.contactOf(address), kind });
    // Assigned to the record, because spreading it into another object takes longer than inserting the row.
    return Object.assign(message, {
      ordinal,
      contentKey: this.ledger.contentKey(ordinal),
      thread,
      topic: placement.topicOfThread(thread),
      fromContact: from < 0 ? null : placement.contactOf(from),
      recipients,
      source: segment.source,
      language,
      quotes: placement.quotedBy(index).map((quoted) => messageId(ordinalAt(quoted))),
      textKey,
      mentions,
      body,
      bodyTokens,
      fileTexts: message.attachments.some(({ text }) => text !== "") ? message.attachments.map(({ text }) => text) : [],
      attachments: this.attachments(message, ordinal, segment),
      occurrences: [],
    });
  }

  private item(staged: StagedItem, segment: StagedSegment): ArchivedItem {
    const { item, mailbox, attachments } = staged;
    const id = itemId(this.nextItem);
    const paths = saveFiles(this.request.outputDirectory, id, { attachments, segment });
    const saved = paths.filter((path) => path !== null);
    const fields = saved.length === 0 ? item.fields : { ...item.fields, [SAVED_FILES_FIELD]: saved.join("\n") };
    return {
      ...item,
      ...{ fields, id, mailbox, source: segment.source },
      attachments: itemAttachments(attachments, paths),
      origin: originOf(staged, segment.source),
    };
  }

  private attachments(message: StagedMessage, ordinal: MessageOrdinal, segment: StagedSegment): readonly Attachment[] {
    const { attachments } = message;
    const saved = saveFiles(this.request.outputDirectory, messageId(ordinal), { attachments, segment });
    return attachments.map(({ staged: _, text: __, ...attachment }, index) => ({
      ...attachment,
      id: `${messageId(ordinal)}-${index + 1}`,
      path: saved[index]!,
    }));
  }
}
