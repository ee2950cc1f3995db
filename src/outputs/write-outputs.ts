import type { Archive, EncodedMessage } from "../mail/archive.ts";
import { writeContactsJson } from "./contacts-json.ts";
import { createEmailsCsv, writeContactAndThreadCsv } from "./csv/write-csv.ts";
import { writeExtractionJson } from "./extraction-json.ts";
import { openWiki } from "./wiki/write-wiki.ts";

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
  const wiki = formats.wiki ? await openWiki(archive, directory, formats.allPages) : null;
  const emails = formats.csv ? createEmailsCsv(directory) : null;
  const messages = watched(archive.messages.scan(), (batch) => {
    emails?.add(batch);
    wiki?.add(batch);
  });
  if (formats.json) await writeExtractionJson(archive, directory, messages);
  // Without the document nobody else pulls the messages past table and wiki.
  else if (formats.csv || formats.wiki) for await (const _ of messages);
  emails?.close();
  if (formats.csv) await writeContactAndThreadCsv(archive, directory);
  await wiki?.finish();
}

async function* watched(
  batches: AsyncIterable<readonly EncodedMessage[]>,
  watch: (batch: readonly EncodedMessage[]) => void,
): AsyncGenerator<readonly EncodedMessage[]> {
  for await (const batch of batches) {
    watch(batch);
    yield batch;
  }
}
