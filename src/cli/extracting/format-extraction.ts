import type { ExtractionEvent } from "../../extraction/extraction-event.ts";
import type { ExtractionReport } from "../../extraction/run/extraction-request.ts";
import { archiveIn, isArchiveThere } from "../../store/contract/archive-location.ts";
import { limitHeapGrowth, optimizeThriftily } from "../../v8-flags.ts";
import { type ExtractionWork, REDACTED } from "../terminal/command-work.ts";
import { ProgressLine } from "../terminal/progress-line.ts";
import type { Session } from "../terminal/session.ts";

/** Milliseconds between updates of the elapsed time in the progress line, which shows seconds. */
const TICK_MS = 500;

/** Result of an extraction. */
interface ShownExtraction {
  readonly report: ExtractionReport;
  /** Warnings that do not record a redaction. */
  readonly warnings: number;
}

/** Extracts and shows the progress on the terminal. Throws like `performWork`. */
export async function extractWithProgress(
  work: ExtractionWork,
  session: Session,
  onEvent: (event: ExtractionEvent) => void = () => undefined,
): Promise<ShownExtraction> {
  const progress = new ProgressLine(session.screen, session.log, { hasWiki: work.formats.wiki });
  let warnings = 0;
  // Loaded on demand, so that help, version and argument errors are fast.
  const { performExtraction } = await import("./extraction-work.ts");
  const { options, outputDirectory } = work.request;
  optimizeThriftily(options.incremental && isArchiveThere(archiveIn(outputDirectory)));
  limitHeapGrowth();
  const ticking = setInterval(() => progress.tick(), TICK_MS);
  try {
    const report = await performExtraction(work, {
      signal: session.signal,
      onEvent: (event) => {
        progress.show(event);
        onEvent(event);
        if (event.kind === "warning" && event.warning.code !== REDACTED) warnings++;
      },
    });
    return { report, warnings };
  } finally {
    clearInterval(ticking);
    progress.clear();
  }
}
