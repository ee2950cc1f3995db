import { removeStoppedRun } from "../../extraction/publishing/output-claim.ts";
import type { ExtractionReport } from "../../extraction/run/extraction-request.ts";
import { missingDirectories } from "../../files/make-directories.ts";
import { type ExtractionWork, performWork, type WorkWatch } from "../terminal/command-work.ts";

/**
 * Extracts in a thread. If that is stopped, the output directory and its parents are unchanged. Throws like
 * `performWork`.
 */
export function performExtraction(work: ExtractionWork, watch: Omit<WorkWatch, "cleanUp">): Promise<ExtractionReport> {
  const { outputDirectory: directory, processId, startedAt: begunAt } = work.request;
  const missing = missingDirectories(directory);
  return performWork(work, { ...watch, cleanUp: () => removeStoppedRun({ directory, processId, begunAt }, missing) });
}
