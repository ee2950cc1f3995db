import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { provenanceDocument } from "../../src/document/provenance.ts";
import { type DataDirectory, openDataDirectory } from "../../src/http/upload-service/base/data-directory.ts";
import { EventLog, uploadEventData } from "../../src/http/upload-service/jobs/event-log.ts";
import type { Service } from "../../src/http/upload-service/service/service.ts";
import type { Warning } from "../../src/mail/records/provenance.ts";
import { DEFAULT_NODES } from "../../src/outputs/graph-page/network-cut.ts";
import { collectGraphPayload } from "../../src/outputs/graph-payload.ts";
import { writeOutputs } from "../../src/outputs/write-outputs.ts";
import { openArchive } from "../../src/store/archive/open-archive.ts";
import { archiveAt } from "../../src/store/contract/archive-location.ts";
import type { UploadCatalog } from "../../src/store/contract/upload-catalog.ts";
import { openUploadCatalog } from "../../src/store/sqlite/service/upload-catalog.ts";
import { ALL_FORMATS } from "../extraction-request.ts";
import { writeContractArchive } from "./contract-archive.ts";

/** The time at which everything in a fixture happens. */
export const NOON = Date.UTC(2026, 0, 2, 12);

/** The parts of a service that routes need, without jobs: tests add uploads to its catalog themselves. */
export interface ServiceFixture {
  readonly service: Service;
  readonly directory: DataDirectory;
  readonly catalog: UploadCatalog;
  readonly events: EventLog;
  /** A queued upload. */
  addQueued(name: string): Promise<string>;
  /** The same, claimed by a job: uploads run in the order in which they were added. */
  startNext(): Promise<void>;
  /** An upload with the outputs of the contract archive. */
  addCompleted(name: string, warnings?: readonly Warning[]): Promise<string>;
  remove(): Promise<void>;
}

export async function createServiceFixture(): Promise<ServiceFixture> {
  const root = mkdtempSync(join(tmpdir(), "archivetool-service-"));
  const directory = openDataDirectory(join(root, "data"));
  const catalog = openUploadCatalog(directory.catalog, uploadEventData);
  const events = new EventLog(catalog);
  await events.start();
  let running = 0;
  const service: Service = {
    directory,
    catalog,
    watch: null,
    eventKey: await catalog.access.eventKey(),
    storage: null,
    events,
    queue: {
      wake: () => undefined,
      settled: () => Promise.resolve(),
      async cancel(uploadId) {
        await catalog.cancel(uploadId, NOON);
        rmSync(directory.uploadDirectory(uploadId), { recursive: true, force: true });
        await catalog.remove(uploadId);
        await events.deliver();
      },
      queueLength: () => catalog.countOf("queued"),
      extractedMessages: 0,
      runningCount: () => running,
    },
    limits: { maxUploadBytes: 1 << 20, diskMarginBytes: 0, discardsOriginals: false },
    close: () => catalog.close(),
  };
  let count = 0;
  const addQueued = async (filename: string): Promise<string> => {
    const uploadId = `upload-${"abcdefghijkl".slice(0, 10)}${"abcdefghijklmnopqrstuvwxyz"[Math.floor(count / 26)]}${"abcdefghijklmnopqrstuvwxyz"[count % 26]}`;
    count++;
    await catalog.add({
      uploadId,
      filename,
      sizeBytes: 1234,
      sha256: createHash("sha256").update(filename).digest("hex"),
      createdAt: NOON + count,
      options: { redact: [], password: null, maxMessages: null, discardsOriginals: false },
      sourcePath: null,
    });
    await events.deliver();
    return uploadId;
  };
  const startNext = async (): Promise<void> => {
    await catalog.claim(NOON + 1000);
    running++;
    await events.deliver();
  };
  return {
    service,
    directory,
    catalog,
    events,
    addQueued,
    startNext,
    async addCompleted(name, warnings = []) {
      const uploadId = await addQueued(name);
      await startNext();
      await writeArchive(directory, uploadId, warnings);
      await catalog.complete(
        uploadId,
        { messages: 24, contacts: 6, threads: 5, topics: 4, calendarEvents: 0, attachments: 1 },
        NOON + 2000,
      );
      running--;
      await events.deliver();
      return uploadId;
    },
    async remove() {
      await catalog.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Files that a job writes for an upload. */
async function writeArchive(directory: DataDirectory, uploadId: string, warnings: readonly Warning[]): Promise<void> {
  const output = directory.archiveDirectory(uploadId);
  const cache = directory.cacheDirectory(uploadId);
  for (const made of [output, cache]) mkdirSync(made, { recursive: true });
  const file = await writeContractArchive(warnings);
  copyFileSync(file.path, join(output, "archive.db"));
  file.remove();
  const archive = await openArchive(archiveAt(join(output, "archive.db")));
  await writeOutputs(archive, output, ALL_FORMATS);
  writeFileSync(join(output, "provenance.json"), JSON.stringify(provenanceDocument(await archive.provenance())));
  writeFileSync(join(cache, "graph.json"), JSON.stringify(await collectGraphPayload(archive, DEFAULT_NODES)));
  writeFileSync(join(cache, "graph.html"), "<!doctype html><title>Contact graph</title>");
  await archive.close();
}
