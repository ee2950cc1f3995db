import type { Archive, EncodedMessage } from "../mail/archive.ts";
import { ContactsJson } from "./contacts-json.ts";
import { copyMessages } from "./copied-messages.ts";
import { CsvFiles } from "./csv/write-csv.ts";
import type { EarlierOutput } from "./earlier-output.ts";
import { DOCUMENT_LINES, earlierRecords } from "./earlier-records.ts";
import { writeExtractionJson } from "./extraction-json.ts";
import { writeMentions } from "./mention-files.ts";
import { MANY_MESSAGES, partRanges } from "./part-ranges.ts";
import { linesPath, PartThreads, rowsPath, takeChunks } from "./part-threads.ts";
import { type RecordWatcher, visitRecords, type WrittenRecords } from "./record-visitors.ts";
import { type WikiShape, WikiWriter } from "./wiki/write-wiki.ts";

/** Outputs other than the store, contacts.json and provenance.json. */
export interface OutputFormats extends WikiShape {
  readonly json: boolean;
  readonly csv: boolean;
  readonly wiki: boolean;
  /** Maximum threads that render messages; with 1, this one does. */
  readonly jobs: number;
  /** Messages from which several threads render them; absent for the default. */
  readonly manyMessages?: number;
  /** Called with the number of messages written so far. */
  onMessages?(count: number): void;
}

/**
 * Writes all pages and files for people from a finished archive to its directory. The files are the same with an
 * earlier output and without, and with any number of threads; unchanged messages are copied from the earlier output.
 */
export async function writeOutputs(
  archive: Archive,
  directory: string,
  formats: OutputFormats,
  earlier: EarlierOutput | null = null,
): Promise<void> {
  const { json, csv: isCsvWanted, wiki: isWikiWanted, jobs, manyMessages = MANY_MESSAGES } = formats;
  const { totalMessages } = await archive.stats();
  const isMailWanted = isCsvWanted || isWikiWanted;
  // With an earlier output, little is rendered.
  const isDivided = (json || isMailWanted) && jobs > 1 && totalMessages >= manyMessages && earlier === null;
  const contactsJson = new ContactsJson(directory);
  const csv = isCsvWanted ? new CsvFiles(directory, earlier) : null;
  const wiki = isWikiWanted ? new WikiWriter(archive, directory, { shape: formats, earlier, isDivided }) : null;
  let passed = 0;
  const reportMessages = (count: number): void => formats.onMessages?.((passed += count));
  const threads = isDivided
    ? new PartThreads(
        { directory, ranges: partRanges(totalMessages, jobs), json, csv: isCsvWanted },
        jobs,
        reportMessages,
      )
    : null;
  const last: RecordWatcher = {
    threadsEnd: async () => threads?.start(wiki?.plan ?? null),
    showMessages: ({ length }) => reportMessages(length),
  };
  const visits = visitRecords(
    archive,
    [contactsJson, csv, wiki, last].filter((watcher) => watcher !== null),
  );
  const lines = earlierRecords(json ? earlier : null, DOCUMENT_LINES);
  const targets = { csv, wiki, lines: json ? lines : null };
  /** Without an earlier vault, all messages are rendered. */
  async function* added(): AsyncGenerator<readonly (EncodedMessage | Uint8Array)[]> {
    yield* wiki === null || wiki.copiesBlocks ? copyMessages(archive, targets, reportMessages) : visits.messages;
  }
  const messages =
    threads !== null ? rendered(threads, directory, { json, csv, wiki }) : earlier === null ? visits.messages : added();
  const walks = { ...visits, messages };
  try {
    if (json) await writeExtractionJson(archive, directory, { walks, lines });
    // If the document is not written, nothing else reads the records for the other files.
    else await takeAll(walks, isMailWanted);
    contactsJson.close();
    lines.close();
    csv?.close();
    await wiki?.finish();
  } finally {
    await threads?.close();
  }
  await writeMentions(archive, directory, formats);
}

/** The writers of messages that threads have rendered. */
interface PartTargets {
  readonly json: boolean;
  readonly csv: CsvFiles | null;
  readonly wiki: WikiWriter | null;
}

/** Passes on all messages that threads render; returns them as elements of extraction.json, if requested. */
async function* rendered(
  threads: PartThreads,
  directory: string,
  { json, csv, wiki }: PartTargets,
): AsyncGenerator<readonly Uint8Array[]> {
  await wiki?.writeLists();
  for await (const { index, part } of threads.inOrder()) {
    if (part !== null) wiki?.addPart(part);
    if (csv !== null) for (const rows of takeChunks(rowsPath(directory, index))) csv.addMessageRows(rows);
    if (json) for (const lines of takeChunks(linesPath(directory, index))) yield [lines];
  }
}

async function takeAll({ contacts, threadSummaries, messages }: WrittenRecords, isMailWanted: boolean): Promise<void> {
  for await (const _ of contacts);
  if (!isMailWanted) return;
  for await (const _ of threadSummaries);
  for await (const _ of messages);
}
