import type { Archive, ArchivedMessage } from "../mail/archive.ts";
import { writeContactsJson } from "./contacts-json.ts";
import { createEmailsCsv, writeContactAndThreadCsv } from "./csv/write-csv.ts";
import { writeExtractionJson } from "./extraction-json.ts";
import { writeWiki } from "./wiki/write-wiki.ts";

/** What is written beside the store, contacts.json and provenance.json. */
export interface OutputFormats {
  readonly json: boolean;
  readonly csv: boolean;
  readonly wiki: boolean;
  /** A wiki page for every entity, not only the most active. */
  readonly allPages: boolean;
}

/** Writes everything a person opens from a finished archive into its directory. */
export async function writeOutputs(archive: Archive, directory: string, formats: OutputFormats): Promise<void> {
  await writeContactsJson(archive, directory);
  await writeMessageFiles(archive, directory, formats);
  if (formats.csv) await writeContactAndThreadCsv(archive, directory);
  if (formats.wiki) await writeWiki(archive, directory, formats.allPages);
}

/** extraction.json and emails.csv, fed from one walk over all messages. */
async function writeMessageFiles(archive: Archive, directory: string, formats: OutputFormats): Promise<void> {
  if (!formats.json && !formats.csv) return;
  const emails = formats.csv ? createEmailsCsv(directory) : null;
  const messages = watched(archive.messages.scan("id"), (batch) => emails?.add(batch));
  if (formats.json) await writeExtractionJson(archive, directory, messages);
  // Without the document nobody else pulls the messages past the table.
  else for await (const _ of messages);
  emails?.close();
}

async function* watched(
  batches: AsyncIterable<readonly ArchivedMessage[]>,
  watch: (batch: readonly ArchivedMessage[]) => void,
): AsyncGenerator<readonly ArchivedMessage[]> {
  for await (const batch of batches) {
    watch(batch);
    yield batch;
  }
}
