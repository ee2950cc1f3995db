import type { Utf8Buffer } from "../columns/utf8-buffer.ts";
import type { EncodedMessage } from "../mail/archive.ts";
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
import { jsonLine } from "./json-line.ts";
import { writeJsonText } from "./json-text.ts";
import { EXTRACTION_SCHEMA_VERSION, publishedDate } from "./published-values.ts";

/** Elements a batch at a time, as the readers of an archive give them. */
type Batches<T> = AsyncIterable<readonly T[]> | Iterable<readonly T[]>;

/** By what a message is sorted follows from the dates of all. */
type WrittenMessage = Omit<EncodedMessage, "sortedAt">;

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
  readonly messages: Batches<WrittenMessage>;
}

/**
 * Writes extraction.json: small arrays first, then `messages`, one element a line. The document may be larger than any
 * memory.
 */
export async function writeExtraction(document: ExtractionDocument, out: Utf8Buffer): Promise<void> {
  out.text(`{\n${headerLines(document)}`);
  await writeElements(out, "contacts", document.contacts, lineOf(contactJson));
  await writeElements(out, "threads", document.threads, lineOf(threadJson));
  await writeElements(out, "topics", [document.topics], lineOf(topicJson));
  await writeElements(out, "calendar_events", document.events, lineOf(calendarEventJson));
  await writeElements(out, "items", document.items, lineOf(itemJson));
  await writeElements(out, "messages", document.messages, writeMessage);
  out.text("\n}\n");
}

type WriteElement<T> = (element: T, out: Utf8Buffer) => void;

async function writeElements<T>(
  out: Utf8Buffer,
  key: string,
  batches: Batches<T>,
  write: WriteElement<T>,
): Promise<void> {
  out.text(`,\n"${key}": [`);
  let separator = "\n";
  for await (const batch of batches) {
    for (const element of batch) {
      out.text(separator);
      write(element, out);
      separator = ",\n";
    }
  }
  out.text(separator === "\n" ? "]" : "\n]");
}

function lineOf<T>(toJson: (element: T) => object): WriteElement<T> {
  return (element, out) => out.text(jsonLine(toJson(element)));
}

/**
 * What stands in front of the body. In a line of JSON it occurs once: quotes inside of a text have a backslash before
 * them.
 */
const BODY_BEGIN = ',"body":"';

/**
 * The text of a message is most of the document: it goes from the store to the file without becoming a string, or part
 * of one.
 */
function writeMessage(message: WrittenMessage, out: Utf8Buffer): void {
  const line = jsonLine(messageJson(message, ""));
  const body = line.indexOf(BODY_BEGIN) + BODY_BEGIN.length;
  out.text(line.slice(0, body));
  writeJsonText(message.body, out);
  out.text(line.slice(body));
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
