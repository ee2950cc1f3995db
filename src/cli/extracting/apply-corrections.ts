import { availableParallelism } from "node:os";
import { dirname } from "node:path";
import type { ExtractionReport } from "../../extraction/run/extraction-request.ts";
import { openArchive } from "../../store/archive/open-archive.ts";
import { type ArchiveLocation, archiveIn, type FileLocation } from "../../store/contract/archive-location.ts";
import type { ExtractionWork } from "../terminal/command-work.ts";

/** True for an archive in an output directory: only that can be written again with all that is next to it. */
export function isOutputDirectory(location: ArchiveLocation): location is FileLocation {
  return "file" in location && location.file === archiveIn(dirname(location.file)).file;
}

/** Makes an archive follow the corrections next to it, in a thread. No mail is read. Throws as `performWork`. */
export async function applyCorrections(
  location: FileLocation,
  signal: AbortSignal,
  onNote: (text: string) => void = () => undefined,
): Promise<ExtractionReport> {
  const archive = await openArchive(location);
  const { options } = await archive.provenance().finally(() => archive.close());
  const work: ExtractionWork = {
    kind: "extract",
    request: {
      paths: [],
      outputDirectory: dirname(location.file),
      replacesOthers: false,
      allowMissing: false,
      options: { ...options, incremental: true, maxMessages: null },
      limits: { password: null, skipProtected: false },
      jobs: availableParallelism(),
      startedAt: Date.now(),
      processId: process.pid,
    },
    formats: { json: false, csv: false, wiki: false, allPages: false, wikiLinks: "wiki" },
    tellsRedactions: false,
  };
  // Loaded on demand, so that help, version and argument errors are fast.
  const { performExtraction } = await import("./extraction-work.ts");
  return performExtraction(work, {
    signal,
    onEvent: (event) => {
      if (event.kind === "note") onNote(event.text);
    },
  });
}
