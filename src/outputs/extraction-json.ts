import { join } from "node:path";
import { writeExtraction } from "../document/write-extraction.ts";
import type { Archive, EncodedMessage } from "../mail/archive.ts";
import { TextFile } from "./text-file.ts";

/** Topics are few by construction; the document lists all. */
const ALL_TOPICS = 100_000;

/**
 * Writes extraction.json as a stream: small arrays first, one message a line.
 *
 * @param messages every message in id order; the caller may watch them pass by
 */
export async function writeExtractionJson(
  archive: Archive,
  directory: string,
  messages: AsyncIterable<readonly EncodedMessage[]>,
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
    contacts: archive.contacts.scan(),
    threads: archive.threads.scan(),
    topics,
    events: archive.events.scan(),
    items: archive.items.scan(),
    messages,
  };
  await writeExtraction(document, file);
  file.closeDurably();
}
