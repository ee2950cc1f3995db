import type { Archive } from "../mail/archive.ts";
import { ContactsJson } from "./contacts-json.ts";
import { CsvFiles } from "./csv/write-csv.ts";
import type { EarlierOutput } from "./earlier-output.ts";
import { writeExtractionJson } from "./extraction-json.ts";
import { writeMentions } from "./mention-files.ts";
import { MANY_MESSAGES, partRanges } from "./part-ranges.ts";
import { PartThreads } from "./part-threads.ts";
import { type RecordVisitors, type RecordWatcher, visitRecords } from "./record-visitors.ts";
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
  const contactsJson = new ContactsJson(directory);
  const csv = formats.csv ? new CsvFiles(directory, earlier) : null;
  const { totalMessages } = await archive.stats();
  const { jobs, manyMessages = MANY_MESSAGES } = formats;
  // With an earlier output, little is rendered.
  const isDivided = formats.wiki && jobs > 1 && totalMessages >= manyMessages && earlier === null;
  const wiki = formats.wiki ? new WikiWriter(archive, directory, { shape: formats, earlier, isDivided }) : null;
  let passed = 0;
  const tellMessages = (count: number): void => formats.onMessages?.((passed += count));
  const threads = isDivided
    ? new PartThreads({ directory, ranges: partRanges(totalMessages, jobs), jobs }, tellMessages)
    : null;
  const counter: RecordWatcher = {
    threadsEnd: async () => threads?.start(wiki!.plan),
    showMessages: ({ length }) => {
      if (threads === null) tellMessages(length);
    },
  };
  const walks = visitRecords(
    archive,
    [contactsJson, csv, wiki, counter].filter((watcher) => watcher !== null),
  );
  try {
    if (formats.json) await writeExtractionJson(archive, directory, { walks, earlier });
    // If the document is not written, nothing else reads the records for the other files.
    else
      await takeAll(walks, {
        areThreadsWanted: formats.csv || formats.wiki,
        areMessagesWanted: formats.csv || threads === null,
      });
    contactsJson.close();
    csv?.close();
    await wiki?.writeLists();
    for (const part of (await threads?.all()) ?? []) wiki!.addPart(part);
    await wiki?.finish();
  } finally {
    await threads?.close();
  }
  await writeMentions(archive, directory, formats);
}

/** Kinds of records that some file needs. */
interface WantedRecords {
  readonly areThreadsWanted: boolean;
  readonly areMessagesWanted: boolean;
}

async function takeAll(
  { contacts, threadSummaries, messages }: RecordVisitors,
  { areThreadsWanted, areMessagesWanted }: WantedRecords,
): Promise<void> {
  for await (const _ of contacts);
  if (areThreadsWanted) for await (const _ of threadSummaries);
  if (areThreadsWanted && areMessagesWanted) for await (const _ of messages);
}
