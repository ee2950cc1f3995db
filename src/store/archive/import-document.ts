import type { z } from "zod";
import { Float64Column } from "../../columns/column.ts";
import { Utf8Buffer } from "../../columns/utf8-buffer.ts";
import type { DocumentElement, DocumentPart } from "../../document/document-scanner.ts";
import { ELEMENTS, type Elements } from "../../document/extraction-records.ts";
import { ELEMENT_SCHEMAS, type ElementKey, VALUE_SCHEMAS, type ValueKey } from "../../document/extraction-schema.ts";
import type { Published, ValueOf } from "../../document/published-record.ts";
import { type ByteChunks, readExtraction } from "../../document/read-extraction.ts";
import { ArchiveError } from "../../errors.ts";
import { type Instant, parseInstant } from "../../mail/dates/instant.ts";
import { plausibleDates } from "../../mail/dates/plausible-dates.ts";
import type { CalendarEvent } from "../../mail/records/calendar-event.ts";
import { type IdKind, ordinalOf } from "../../mail/records/ids.ts";
import { type ArchivedItem, INTERNAL_ITEM_DEFAULTS } from "../../mail/records/item.ts";
import type { ContactOrdinal, Ordinal } from "../../mail/records/ordinal.ts";
import { DEFAULT_OPTIONS, NO_REDACTIONS, type SourceRecord } from "../../mail/records/provenance.ts";
import { hashOfSources } from "../../mail/records/source-hashes.ts";
import { META } from "../contract/archive-meta.ts";
import { type ArchiveWriter, MAX_MESSAGE_ORDINAL, RepeatedOrdinal } from "../contract/archive-writer.ts";
import { comparedAddress } from "../contract/compared-address.ts";
import { EdgeCounts } from "../contract/edge-counts.ts";
import type { ContactRow, MessageRow, ThreadRow, TopicRow } from "../contract/rows.ts";
import { importedMessageRow } from "./imported-message-row.ts";

/** Messages inserted at a time. */
const BATCH_MESSAGES = 256;

/**
 * Fills an empty archive from an extraction.json, in one pass if its arrays are in the order of this tool, otherwise
 * in two (messages need the contacts). Lists and records equal the original, to the second; data missing in the
 * document (evidence of addresses, counts per mailbox, warnings, runs) stays empty. Does not finish the writer.
 * Resolves to true if the document identifies its messages, so that a later run recognizes them. @param open returns
 * the bytes of the document from the start @throws ArchiveError DOCUMENT_INVALID at the first schema violation
 */
export async function importDocument(open: () => ByteChunks, writer: ArchiveWriter): Promise<boolean> {
  const target = new ImportTarget(writer);
  try {
    await takeParts(open(), target, (part) => target.take(part));
    if (target.needsSecondPass) {
      await takeParts(open(), target, (part) => {
        if (part.kind === "element" && part.key === "messages") target.takeMessage(part);
      });
    }
    await target.finish();
    return target.areKeysKnown;
  } catch (cause) {
    if (!(cause instanceof RepeatedOrdinal)) throw cause;
    throw new ArchiveError("DOCUMENT_INVALID", "extraction.json: duplicate id", { cause });
  }
}

async function takeParts(chunks: ByteChunks, target: ImportTarget, take: (part: DocumentPart) => void): Promise<void> {
  for await (const part of readExtraction(chunks)) {
    take(part);
    if (target.isBatchFull) await target.flush();
  }
}

function invalid(path: string, message: string, offset: number | null): ArchiveError {
  return new ArchiveError(
    "DOCUMENT_INVALID",
    `extraction.json: ${path} ${message}${offset === null ? "" : ` (at byte ${offset})`}`,
  );
}

function parsed<T>(schema: z.ZodType<T>, value: unknown, at: { readonly path: string; readonly offset: number }): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  throw invalid([at.path, ...issue.path.map(String)].join("."), issue.message, at.offset);
}

/** An element in the form of the vocabulary. */
function elementOf<K extends ElementKey>(
  key: K,
  { element }: DocumentElement,
  at: { readonly path: string; readonly offset: number },
): ValueOf<Elements[K]> {
  const described: Published<unknown, unknown> = ELEMENTS[key];
  return described.read(parsed<unknown>(ELEMENT_SCHEMAS[key], element, at)) as ValueOf<Elements[K]>;
}

/** The ordinal of an id; rejects ids in another form, which would not round-trip. */
function ordinalIn<K extends IdKind>(
  kind: K,
  id: string,
  at: { readonly path: string; readonly offset: number },
): Ordinal<K> {
  const ordinal = ordinalOf(kind, id);
  if (ordinal === null || ordinal > MAX_MESSAGE_ORDINAL)
    throw invalid(at.path, `${id} is not a valid id of this tool`, at.offset);
  return ordinal;
}

class ImportTarget {
  private readonly values = new Map<string, unknown>();
  private readonly arrays = new Set<string>();
  private readonly sources: SourceRecord[] = [];
  private readonly contacts: ContactRow[] = [];
  private readonly threads: ThreadRow[] = [];
  private readonly topics: TopicRow[] = [];
  private readonly events: CalendarEvent[] = [];
  private readonly items: ArchivedItem[] = [];
  private messages: MessageRow[] = [];
  /** Sent dates, as in the messages. */
  private readonly dates = new Float64Column();
  readonly contactOf = new Map<string, ContactOrdinal>();
  readonly usedKeys = new Set<string>();
  readonly letters = new Utf8Buffer();
  private readonly edges = new EdgeCounts();
  /** True if messages preceded the contacts and were skipped. */
  needsSecondPass = false;
  areKeysKnown = true;

  constructor(private readonly writer: ArchiveWriter) {}

  take(part: DocumentPart): void {
    if (part.kind === "fault") throw invalid(part.key ?? "the document", part.message, part.offset);
    if (part.kind === "array") {
      this.arrays.add(part.key);
      if (part.key === "messages" && !this.arrays.has("contacts")) this.needsSecondPass = true;
    } else if (part.kind === "value") {
      if (!Object.hasOwn(VALUE_SCHEMAS, part.key)) throw invalid(part.key, "is an unknown key", part.offset);
      this.values.set(
        part.key,
        parsed<unknown>(VALUE_SCHEMAS[part.key as ValueKey], part.value, { path: part.key, offset: part.offset }),
      );
    } else if (part.key !== "messages") this.takeElement(part);
    else if (!this.needsSecondPass) this.takeMessage(part);
  }

  private takeElement(part: DocumentElement): void {
    const at = { path: `${part.key}[${part.index}]`, offset: part.offset };
    switch (part.key) {
      case "sources":
        // Mailboxes are recorded in provenance.json only.
        this.sources.push({ ...elementOf("sources", part, at), mailboxes: [] });
        break;
      case "contacts": {
        const { id, communityId, ...contact } = elementOf("contacts", part, at);
        this.addContact({
          ...contact,
          ordinal: ordinalIn("contact", id, at),
          community: ordinalIn("community", communityId, at),
          evidence: [],
        });
        break;
      }
      case "threads": {
        const { id, topicId, messageIds: _, ...thread } = elementOf("threads", part, at);
        this.threads.push({ ...thread, ordinal: ordinalIn("thread", id, at), topic: ordinalIn("topic", topicId, at) });
        break;
      }
      case "topics": {
        const { id, ...topic } = elementOf("topics", part, at);
        this.topics.push({ ...topic, ordinal: ordinalIn("topic", id, at) });
        break;
      }
      case "calendar_events": {
        const event = elementOf("calendar_events", part, at);
        ordinalIn("event", event.id, at);
        this.events.push({ ...event, origin: null, item: null });
        break;
      }
      case "items": {
        const item = elementOf("items", part, at);
        ordinalIn("item", item.id, at);
        this.items.push({ ...item, ...INTERNAL_ITEM_DEFAULTS });
        break;
      }
      default:
        throw invalid(part.key, "is an unknown key", part.offset);
    }
  }

  private addContact(contact: ContactRow): void {
    this.contacts.push(contact);
    for (const address of [contact.email, ...contact.aliases]) {
      const key = comparedAddress(address);
      if (key !== "" && !this.contactOf.has(key)) this.contactOf.set(key, contact.ordinal);
    }
  }

  takeMessage(part: DocumentElement): void {
    const at = { path: `messages[${part.index}]`, offset: part.offset };
    const message = elementOf("messages", part, at);
    const ordinals = {
      message: ordinalIn("msg", message.id, at),
      thread: ordinalIn("thread", message.threadId, at),
      topic: ordinalIn("topic", message.topicId, at),
    };
    const row = importedMessageRow(message, ordinals, this);
    if (message.contentKey === null) this.areKeysKnown = false;
    this.edges.count(row.fromContact, row.recipients);
    if (row.sentAt !== null) this.dates.push(row.sentAt);
    this.messages.push(row);
  }

  get isBatchFull(): boolean {
    return this.messages.length === BATCH_MESSAGES;
  }

  async flush(): Promise<void> {
    await this.writer.addMessages(this.messages);
    this.messages = [];
  }

  async finish(): Promise<void> {
    for (const key of Object.keys(VALUE_SCHEMAS)) if (!this.values.has(key)) throw invalid(key, "is missing", null);
    for (const key of Object.keys(ELEMENT_SCHEMAS)) if (!this.arrays.has(key)) throw invalid(key, "is missing", null);
    const { writer } = this;
    await this.flush();
    await writer.replaceSources(this.sources);
    await writer.replaceContacts(this.contacts);
    await writer.replaceEdges(this.edges.rows());
    await writer.replaceThreads(this.threads);
    await writer.replaceTopics(this.topics);
    await writer.addEvents(this.events);
    await writer.addItems(this.items);
    const extractedAt = await this.writeRecord();
    await writer.settleDates(plausibleDates(this.dates, extractedAt));
    await writer.makeSearch();
  }

  /** Returns the time of the extraction. */
  private async writeRecord(): Promise<Instant> {
    const value = <K extends ValueKey>(key: K): z.infer<(typeof VALUE_SCHEMAS)[K]> =>
      this.values.get(key) as z.infer<(typeof VALUE_SCHEMAS)[K]>;
    const formats = new Set(this.sources.map((source) => source.format));
    const [format] = formats;
    const extractedAt = parseInstant(value("extracted_at")) ?? 0;
    await this.writer.setRecord({
      tool: value("tool"),
      toolVersion: value("tool_version"),
      extractedAt,
      sourceHash: hashOfSources(this.sources.map((source) => source.sha256)),
      sourceFormat: formats.size === 1 && format !== undefined ? format : "mixed",
      options: DEFAULT_OPTIONS,
      redactions: NO_REDACTIONS,
    });
    if (!this.areKeysKnown) await this.writer.setMeta(META.unknownKeys, "1");
    // The document only has their sum.
    await this.writer.setMeta(META.piiRedactions, String(value("statistics").pii_redactions));
    return extractedAt;
  }
}
