import { join } from "node:path";
import { writeExtraction } from "../document/write-extraction.ts";
import type { Archive } from "../mail/archive.ts";
import type { EarlierRecords } from "./earlier-records.ts";
import type { WrittenRecords } from "./record-visitors.ts";
import { TextFile } from "./text-file.ts";

/** Topics are few by construction; the document lists all. */
const ALL_TOPICS = 100_000;

/**
 * Writes extraction.json as a stream: small arrays first, one message per line. @param walks iterations shared with
 * other files. @param lines of messages in an earlier file
 */
export async function writeExtractionJson(
  archive: Archive,
  directory: string,
  { walks, lines }: { readonly walks: WrittenRecords; readonly lines: EarlierRecords },
): Promise<void> {
  const { tool, toolVersion, extractedAt, sources, statistics } = await archive.provenance();
  const topics = (await archive.topics.list("frequency", ALL_TOPICS)).items;
  const file = new TextFile(join(directory, "extraction.json"));
  const document = {
    tool,
    toolVersion,
    extractedAt,
    sources,
    statistics,
    contacts: walks.contacts,
    threads: walks.threads,
    topics,
    events: archive.events.scan(),
    items: archive.items.scan(),
    messages: walks.messages,
  };
  await writeExtraction(document, file, (id) => lines.of(id));
  file.close();
}
