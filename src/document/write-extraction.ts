import type { ArchivedMessage } from "../mail/archive.ts";
import type { CalendarEvent } from "../mail/calendar-event.ts";
import type { Contact } from "../mail/contact.ts";
import type { Instant } from "../mail/instant.ts";
import type { ArchivedItem } from "../mail/item.ts";
import type { ArchiveStatistics, SourceRecord } from "../mail/provenance.ts";
import type { ThreadDetail } from "../mail/thread.ts";
import type { Topic } from "../mail/topic.ts";
import {
  calendarEventJson,
  contactJson,
  itemJson,
  messageJson,
  sourceJson,
  statisticsJson,
  threadJson,
  topicJson,
} from "./extraction-records.ts";
import { EXTRACTION_SCHEMA_VERSION } from "./extraction-schema.ts";
import { jsonLine } from "./json-line.ts";
import { publishedDate } from "./wire-values.ts";

/** Elements a batch at a time, as the readers of an archive give them. */
type Batches<T> = AsyncIterable<readonly T[]> | Iterable<readonly T[]>;

/** What extraction.json tells, in the vocabulary. Every part is read once, in the order written. */
export interface ExtractionDocument {
  readonly tool: string;
  readonly toolVersion: string;
  readonly extractedAt: Instant;
  readonly sources: readonly SourceRecord[];
  readonly statistics: ArchiveStatistics;
  readonly contacts: Batches<Contact>;
  readonly threads: Batches<ThreadDetail>;
  readonly topics: readonly Topic[];
  readonly events: Batches<CalendarEvent>;
  readonly items: Batches<ArchivedItem>;
  readonly messages: Batches<ArchivedMessage>;
}

/** UTF-16 units a chunk has at least: large writes, yet nothing next to a message store. */
const CHUNK_UNITS = 1 << 20;

/**
 * extraction.json as text chunks of about a megabyte: small arrays first, then `messages`, one element a line. The document may
 * be larger than any string; a chunk is larger than a megabyte only by its last element.
 */
export async function* extractionChunks(document: ExtractionDocument): AsyncGenerator<string> {
  let chunk = `{\n${headerLines(document)}`;
  for (const [key, lines] of elementLines(document)) {
    chunk += `,\n"${key}": [`;
    let separator = "\n";
    for await (const batch of lines) {
      for (const line of batch) {
        chunk += separator + line;
        separator = ",\n";
        if (chunk.length < CHUNK_UNITS) continue;
        yield chunk;
        chunk = "";
      }
    }
    chunk += separator === "\n" ? "]" : "\n]";
  }
  yield `${chunk}\n}\n`;
}

function headerLines(document: ExtractionDocument): string {
  const header = {
    schema_version: EXTRACTION_SCHEMA_VERSION,
    tool: document.tool,
    tool_version: document.toolVersion,
    extracted_at: publishedDate(document.extractedAt),
    sources: document.sources.map(sourceJson),
    statistics: statisticsJson(document.statistics),
  };
  return Object.entries(header)
    .map((entry) => jsonLine(Object.fromEntries([entry])).slice(1, -1))
    .join(",\n");
}

/** Keys and the lines of their elements, batch by batch. */
function elementLines(document: ExtractionDocument): readonly (readonly [string, AsyncIterable<Iterable<string>>])[] {
  return [
    ["contacts", mapBatches(document.contacts, contactJson)],
    ["threads", mapBatches(document.threads, threadJson)],
    ["topics", mapBatches([document.topics], topicJson)],
    ["calendar_events", mapBatches(document.events, calendarEventJson)],
    ["items", mapBatches(document.items, itemJson)],
    ["messages", mapBatches(document.messages, messageJson)],
  ];
}

/** Lines are made one by one as they are taken, so that a batch of messages never exists twice. */
async function* mapBatches<T>(batches: Batches<T>, toJson: (element: T) => object): AsyncGenerator<Iterable<string>> {
  for await (const batch of batches) yield jsonLines(batch, toJson);
}

function* jsonLines<T>(batch: readonly T[], toJson: (element: T) => object): Generator<string> {
  for (const element of batch) yield jsonLine(toJson(element));
}
