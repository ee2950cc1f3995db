import type { Archive } from "../mail/archive.ts";
import { ContactsJson } from "./contacts-json.ts";
import { CsvFiles } from "./csv/write-csv.ts";
import type { EarlierOutput } from "./earlier-output.ts";
import { writeExtractionJson } from "./extraction-json.ts";
import { writeMentions } from "./mention-files.ts";
import { type RecordVisitors, type RecordWatcher, visitRecords } from "./record-visitors.ts";
import { type WikiShape, WikiWriter } from "./wiki/write-wiki.ts";

/** Outputs other than the store, contacts.json and provenance.json. */
export interface OutputFormats extends WikiShape {
  readonly json: boolean;
  readonly csv: boolean;
  readonly wiki: boolean;
  /** Called with the number of messages written so far. */
  onMessages?(count: number): void;
}

/**
 * Writes all pages and files for people from a finished archive to its directory. The files are the same with an
 * earlier output and without; unchanged messages are copied from it.
 */
export async function writeOutputs(
  archive: Archive,
  directory: string,
  formats: OutputFormats,
  earlier: EarlierOutput | null = null,
): Promise<void> {
  const contactsJson = new ContactsJson(directory);
  const csv = formats.csv ? new CsvFiles(directory, earlier) : null;
  const wiki = formats.wiki ? new WikiWriter(archive, directory, { shape: formats, earlier }) : null;
  let passed = 0;
  const counter: RecordWatcher = { showMessages: (messages) => formats.onMessages?.((passed += messages.length)) };
  const walks = visitRecords(
    archive,
    [contactsJson, csv, wiki, counter].filter((watcher) => watcher !== null),
  );
  if (formats.json) await writeExtractionJson(archive, directory, { walks, earlier });
  // If the document is not written, nothing else reads the records for the other files.
  else await takeAll(walks, formats.csv || formats.wiki);
  contactsJson.close();
  csv?.close();
  await wiki?.finish();
  await writeMentions(archive, directory, formats);
}

async function takeAll({ contacts, threadSummaries, messages }: RecordVisitors, isMailWanted: boolean): Promise<void> {
  for await (const _ of contacts);
  if (!isMailWanted) return;
  for await (const _ of threadSummaries);
  for await (const _ of messages);
}
