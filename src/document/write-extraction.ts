import type { Utf8Buffer } from "../columns/utf8-buffer.ts";
import type { EncodedMessage } from "../mail/archive.ts";
import type { Instant } from "../mail/dates/instant.ts";
import type { CalendarEvent } from "../mail/records/calendar-event.ts";
import type { Contact } from "../mail/records/contact.ts";
import type { MessageId } from "../mail/records/ids.ts";
import type { ArchivedItem } from "../mail/records/item.ts";
import type { ArchiveStatistics, SourceRecord } from "../mail/records/provenance.ts";
import type { ThreadDetail } from "../mail/records/thread.ts";
import type { Topic } from "../mail/records/topic.ts";
import { EXTRACTION, MESSAGE } from "./extraction-records.ts";
import { jsonLine } from "./json-line.ts";
import { writeJsonText } from "./json-text.ts";
import { type Published, record } from "./published-record.ts";
import { EXTRACTION_SCHEMA_VERSION } from "./published-values.ts";

/** Elements in batches, as returned by the readers of an archive. */
type Batches<T> = AsyncIterable<readonly T[]> | Iterable<readonly T[]>;

/** The sorting date depends on the dates of all messages. */
type WrittenMessage = Omit<EncodedMessage, "sortedAt">;

/** Contents of extraction.json. Every part is read once, in the order written. */
interface ExtractionDocument {
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
  /** Bytes are elements that `writeNextMessage` has written. */
  readonly messages: Batches<WrittenMessage | Uint8Array>;
}

/**
 * Writes extraction.json: small arrays first, then `messages`, one element per line. The document may exceed memory.
 * @param knownLine returns the line of a message if it is already known
 */
export async function writeExtraction(
  document: ExtractionDocument,
  out: Utf8Buffer,
  knownLine: (id: MessageId) => Uint8Array | null = () => null,
): Promise<void> {
  const { contacts, threads, topics, events, items, messages } = EXTRACTION.fields;
  out.text(`{\n${headerLines(document)}`);
  await writeElements(out, contacts[0], document.contacts, lineOf(contacts[1].of));
  await writeElements(out, threads[0], document.threads, lineOf(threads[1].of));
  await writeElements(out, topics[0], [document.topics], lineOf(topics[1].of));
  await writeElements(out, events[0], document.events, lineOf(events[1].of));
  await writeElements(out, items[0], document.items, lineOf(items[1].of));
  out.text(`,\n"${messages[0]}": [`);
  let isFirst = true;
  for await (const batch of document.messages) {
    for (const message of batch) {
      if (message instanceof Uint8Array) out.append(message);
      else writeNextMessage(message, isFirst, out, knownLine(message.id));
      isFirst = false;
    }
  }
  out.text(isFirst ? "]" : "\n]");
  out.text("\n}\n");
}

/** Writes an element of `messages` after its separator. @param line its line if it is already known */
export function writeNextMessage(
  message: WrittenMessage,
  isFirst: boolean,
  out: Utf8Buffer,
  line: Uint8Array | null = null,
): void {
  if (line !== null) writeNextLine(line, isFirst, out);
  else {
    out.text(isFirst ? "\n" : ",\n");
    writeMessage(message, out);
  }
}

/** The same for the known line of a message. */
export function writeNextLine(line: Uint8Array, isFirst: boolean, out: Utf8Buffer): void {
  out.text(isFirst ? "\n" : ",\n");
  out.append(line);
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

function lineOf<T>(described: Published<T, object>): WriteElement<T> {
  return (element, out) => out.text(jsonLine(described.write(element)));
}

/** Precedes the body. Occurs once in a line of JSON, since quotes inside a text are escaped. */
const BODY_BEGIN = ',"body":"';
const NO_BODY = { body: "" };

/** The text of a message is most of the document: it is copied from the store to the file without becoming a string. */
function writeMessage(message: WrittenMessage, out: Utf8Buffer): void {
  const line = jsonLine(MESSAGE.writeParts(message, NO_BODY));
  const body = line.indexOf(BODY_BEGIN) + BODY_BEGIN.length;
  out.text(line.slice(0, body));
  writeJsonText(message.body, out);
  out.text(line.slice(body));
}

const { schemaVersion, tool, toolVersion, extractedAt, sources, statistics } = EXTRACTION.fields;
const HEADER = record({ schemaVersion, tool, toolVersion, extractedAt, sources, statistics });

/** The lines before the long lists, one value per line. */
function headerLines(document: ExtractionDocument): string {
  return Object.entries(HEADER.writeParts(document, { schemaVersion: EXTRACTION_SCHEMA_VERSION }))
    .map((entry) => jsonLine(Object.fromEntries([entry])).slice(1, -1))
    .join(",\n");
}
