import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Archive } from "../src/mail/archive.ts";
import { archiveAt } from "../src/store/archive-location.ts";
import { openArchive } from "../src/store/open-archive.ts";
import { createArchive } from "../src/store/write-archive.ts";
import { SAMPLE_RECORD, type SampleArchive } from "./sample-rows.ts";

/** Writes a sample to a file of its own, hands it over opened, and removes it. */
export async function withSampleFile(sample: SampleArchive, use: (archive: Archive, path: string) => Promise<void>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "archivetool-sample-"));
  const path = join(directory, "archive.db");
  try {
    const writer = createArchive(archiveAt(path));
    writer.addMessages(sample.messages);
    writer.replaceContacts(sample.contacts);
    writer.replaceThreads(sample.threads);
    writer.replaceTopics(sample.topics);
    writer.setRecord(SAMPLE_RECORD);
    writer.finish();
    const archive = openArchive(archiveAt(path));
    try {
      await use(archive, path);
    } finally {
      await archive.close();
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
