import { PublishGate } from "../src/extraction/publishing/publish-gate.ts";
import type { ExtractionRequest } from "../src/extraction/run/extraction-request.ts";
import type { ExtractionOptions } from "../src/mail/records/provenance.ts";
import { DEFAULT_OPTIONS } from "../src/mail/records/provenance.ts";
import type { OutputFormats } from "../src/outputs/write-outputs.ts";

/** Every file that an extraction can write in addition to the store. */
export const ALL_FORMATS: OutputFormats = {
  json: true,
  csv: true,
  wiki: true,
  allPages: false,
  wikiLinks: "wiki",
  jobs: 1,
};

/** A request in this thread that writes only the archive and replaces any other, with the changes of a test. */
export function extractionRequest(
  paths: readonly string[],
  outputDirectory: string,
  options: Partial<ExtractionOptions> = {},
  changes: Partial<ExtractionRequest> = {},
): ExtractionRequest {
  return {
    paths,
    outputDirectory,
    replacesOthers: true,
    allowMissing: false,
    options: { ...DEFAULT_OPTIONS, ...options },
    limits: { password: null, skipProtected: false },
    jobs: 0,
    startedAt: Date.UTC(2026, 0, 1),
    processId: process.pid,
    signal: new AbortController().signal,
    gate: new PublishGate(),
    onEvent: () => undefined,
    writeOutputs: async () => undefined,
    ...changes,
  };
}
