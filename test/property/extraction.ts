import { join } from "node:path";
import type { ExtractionReport } from "../../src/extraction/run/extraction-request.ts";
import { runExtraction } from "../../src/extraction/run/run-extraction.ts";
import type { Archive } from "../../src/mail/archive.ts";
import type { ExtractionOptions } from "../../src/mail/records/provenance.ts";
import { type OutputFormats, writeOutputs } from "../../src/outputs/write-outputs.ts";
import { openArchive } from "../../src/store/archive/open-archive.ts";
import { archiveAt } from "../../src/store/contract/archive-location.ts";
import { extractionRequest } from "../extraction-request.ts";

/** Runs the pipeline from source, in this thread. @param formats null to write only the store */
export function extractInline(
  paths: readonly string[],
  outputDirectory: string,
  options: Partial<ExtractionOptions> = {},
  formats: OutputFormats | null = null,
): Promise<ExtractionReport> {
  return runExtraction(
    extractionRequest(paths, outputDirectory, options, {
      writeOutputs: async (archive, directory, _earlier, grown) => {
        if (formats !== null) await writeOutputs(archive, directory, formats, grown);
      },
    }),
  );
}

export async function withArchive<T>(directory: string, look: (archive: Archive) => Promise<T>): Promise<T> {
  const archive = await openArchive(archiveAt(join(directory, "archive.db")));
  try {
    return await look(archive);
  } finally {
    await archive.close();
  }
}
