import { type Instant, LATEST_INSTANT } from "../mail/dates/instant.ts";
import { type IdKind, ordinalOf } from "../mail/records/ids.ts";
import { DocumentDates } from "./document-dates.ts";
import type { CalendarEventJson, ItemJson, MessageJson, StatisticsJson, ThreadJson } from "./extraction-records.ts";
import type { ElementKey } from "./extraction-schema.ts";

type Report = (path: string, message: string, offset: number | null) => void;

/** The kind of id that the elements of an array have. */
const KINDS: Partial<Record<ElementKey, IdKind>> = {
  messages: "msg",
  contacts: "contact",
  threads: "thread",
  topics: "topic",
  calendar_events: "event",
  items: "item",
};

/** Number of elements of each array. */
export interface DocumentSummary {
  readonly messages: number;
  readonly contacts: number;
  readonly threads: number;
  readonly topics: number;
  readonly events: number;
}

/** First reference to an id; the offset is that of the referring element. */
interface Mention {
  readonly path: string;
  readonly offset: number;
}

/** The statistics of a document, and its extraction time; null if it has none. */
interface StatedStatistics {
  readonly value: StatisticsJson;
  readonly offset: number;
  readonly extractedAt: Instant | null;
}

/** Checks ids of the document: each occurs once, references exist, and the statistics match the contents. */
export class DocumentReferences {
  private readonly ids = new Map<IdKind, Set<number>>();
  /** Ids named before their element was met. */
  private readonly open = new Map<IdKind, Map<number, Mention>>();
  private sources = 0;
  private readonly sourceMentions = new Map<number, Mention>();
  /** Arrays with invalid elements, whose totals are unknown. */
  private readonly doubtful = new Set<string>();
  private attachments = 0;
  private multiMessageThreads = 0;
  private readonly dates = new DocumentDates();

  constructor(private readonly report: Report) {}

  /** Adds a valid element. */
  add(key: string, index: number, element: unknown, offset: number): void {
    const path = `${key}[${index}]`;
    const kind = KINDS[key as ElementKey];
    if (kind !== undefined) this.define(kind, (element as { readonly id: string }).id, { path, offset });
    if (key === "sources") this.sources++;
    else if (key === "threads") this.addThread(element as ThreadJson, { path, offset });
    else if (key === "messages") this.addMessage(element as MessageJson, { path, offset });
    else if (key === "calendar_events") this.addEvent(element as CalendarEventJson, { path, offset });
    else if (key === "items") this.mentionSource((element as ItemJson).source, { path: `${path}.source`, offset });
  }

  /** Adds an element that violates its schema; its id still counts as defined, to avoid repeated errors. */
  addInvalid(key: string, index: number, element: unknown, offset: number): void {
    if (key === "sources") this.sources++;
    this.doubtful.add(key);
    const kind = KINDS[key as ElementKey];
    if (kind === undefined || typeof element !== "object" || element === null || !("id" in element)) return;
    if (typeof element.id === "string") this.define(kind, element.id, { path: `${key}[${index}]`, offset });
  }

  private addThread(thread: ThreadJson, { path, offset }: Mention): void {
    this.mention("topic", thread.topic_id, { path: `${path}.topic_id`, offset });
    for (const id of thread.message_ids) this.mention("msg", id, { path: `${path}.message_ids`, offset });
    if (thread.message_count !== thread.message_ids.length) {
      this.report(
        `${path}.message_count`,
        `is ${thread.message_count}, but message_ids has ${thread.message_ids.length}`,
        offset,
      );
    }
    if (thread.message_count > 1) this.multiMessageThreads++;
  }

  private addMessage(message: MessageJson, { path, offset }: Mention): void {
    this.mention("thread", message.thread_id, { path: `${path}.thread_id`, offset });
    this.mention("topic", message.topic_id, { path: `${path}.topic_id`, offset });
    for (const id of message.quotes ?? []) this.mention("msg", id, { path: `${path}.quotes`, offset });
    this.mentionSource(message.source, { path: `${path}.source`, offset });
    for (const { source } of message.occurrences ?? [])
      this.mentionSource(source, { path: `${path}.occurrences`, offset });
    this.attachments += message.attachments.length;
    this.dates.add(message);
  }

  private addEvent(event: CalendarEventJson, { path, offset }: Mention): void {
    if (event.message_id !== null) this.mention("msg", event.message_id, { path: `${path}.message_id`, offset });
    this.mentionSource(event.source, { path: `${path}.source`, offset });
  }

  private define(kind: IdKind, id: string, at: Mention): void {
    const ordinal = ordinalOf(kind, id);
    if (ordinal === null) {
      this.report(`${at.path}.id`, `${id} is not a valid id of this tool`, at.offset);
      return;
    }
    const known = this.idsOf(kind);
    if (known.has(ordinal)) this.report(`${at.path}.id`, `duplicate id ${id}`, at.offset);
    known.add(ordinal);
    this.open.get(kind)?.delete(ordinal);
  }

  private mention(kind: IdKind, id: string, at: Mention): void {
    const ordinal = ordinalOf(kind, id);
    if (ordinal === null) {
      this.report(at.path, `${id} is not a valid id of this tool`, at.offset);
      return;
    }
    if (this.idsOf(kind).has(ordinal)) return;
    let mentions = this.open.get(kind);
    if (mentions === undefined) this.open.set(kind, (mentions = new Map()));
    if (!mentions.has(ordinal)) mentions.set(ordinal, at);
  }

  private mentionSource(source: number, at: Mention): void {
    if (!this.sourceMentions.has(source)) this.sourceMentions.set(source, at);
  }

  private idsOf(kind: IdKind): Set<number> {
    let ids = this.ids.get(kind);
    if (ids === undefined) this.ids.set(kind, (ids = new Set()));
    return ids;
  }

  /** Reports unresolved references and wrong statistics. */
  finish(statistics: StatedStatistics | null, summary: DocumentSummary): void {
    this.reportOpen();
    if (statistics === null) return;
    this.reportCounts(statistics, summary);
    if (!this.doubtful.has("messages")) this.reportRange(statistics);
  }

  private reportOpen(): void {
    for (const [kind, mentions] of this.open) {
      for (const [ordinal, { path, offset }] of mentions)
        this.report(path, `${kind} ${ordinal} does not exist`, offset);
    }
    for (const [source, { path, offset }] of this.sourceMentions) {
      if (source >= this.sources) this.report(path, `source ${source} does not exist`, offset);
    }
  }

  private reportCounts({ value, offset }: StatedStatistics, summary: DocumentSummary): void {
    const found = {
      total_messages: summary.messages,
      total_calendar_events: summary.events,
      total_contacts: summary.contacts,
      total_threads: summary.threads,
      total_topics: summary.topics,
      ...(this.doubtful.has("threads") ? {} : { multi_message_threads: this.multiMessageThreads }),
      ...(this.doubtful.has("messages") ? {} : { total_attachments: this.attachments }),
    };
    for (const [name, count] of Object.entries(found) as [Exclude<keyof StatisticsJson, "date_range">, number][]) {
      if (value[name] !== count) this.report(`statistics.${name}`, `is ${value[name]}, but there are ${count}`, offset);
    }
  }

  private reportRange({ value, offset, extractedAt }: StatedStatistics): void {
    const [range, written] = [this.dates.sorted(extractedAt ?? LATEST_INSTANT), this.dates.written()];
    for (const name of ["earliest", "latest"] as const) {
      const stated = value.date_range[name];
      // Earlier versions believed every date.
      if (stated !== range[name] && stated !== written[name])
        this.report(`statistics.date_range.${name}`, `is ${stated}, but the messages give ${range[name]}`, offset);
    }
  }
}
