import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import type { Archive } from "../src/mail/archive.ts";
import { openArchive } from "../src/store/archive/open-archive.ts";
import { createArchive } from "../src/store/archive/write-archive.ts";
import type { ArchiveWriter } from "../src/store/contract/archive-writer.ts";
import { SAMPLE_RECORD, type SampleArchive, sampleArchives } from "./sample-rows.ts";
import type { TestedStore } from "./stores.ts";

/** Stores a complete sample without finishing the writer. */
export async function writeSample(writer: ArchiveWriter, sample: SampleArchive): Promise<void> {
  await writer.addMessages(sample.messages);
  await writer.replaceContacts(sample.contacts);
  await writer.replaceThreads(sample.threads);
  await writer.replaceTopics(sample.topics);
  await writer.setRecord(SAMPLE_RECORD);
}

/** The largest of forty samples, stored and finished with its index. */
export async function writeLargestSample(writer: ArchiveWriter, seed: number): Promise<void> {
  const samples = fc.sample(sampleArchives, { numRuns: 40, seed });
  const largest = samples.reduce((a, b) => (b.messages.length > a.messages.length ? b : a));
  await writeSample(writer, largest);
  await writer.makeSearch();
  await writer.finish();
}

/** Stores a sample in a separate location, opens it, passes it to the callback, and removes it. */
export async function withStoredSample(
  store: TestedStore,
  sample: SampleArchive,
  use: (archive: Archive) => Promise<void>,
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "archivetool-sample-"));
  const place = store.placeIn(directory, "sample.db");
  try {
    const writer = await createArchive(place);
    await writeSample(writer, sample);
    await writer.finish();
    const archive = await openArchive(place);
    try {
      await use(archive);
    } finally {
      await archive.close();
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
