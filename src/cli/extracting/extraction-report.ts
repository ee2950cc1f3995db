import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ExtractionReport, SourceReport } from "../../extraction/run/extraction-request.ts";
import type { ReplacedArchive } from "../../extraction/run/replaced-archive.ts";
import { formatInstant } from "../../mail/dates/instant.ts";
import type { ArchiveStatistics } from "../../mail/records/provenance.ts";
import { countOf, formatCount } from "../../text/tokens/format-count.ts";
import { shellWord } from "../../text/tokens/shell-word.ts";
import { heading } from "../terminal/line.ts";
import type { Session } from "../terminal/session.ts";
import { createdFileLines } from "./created-files.ts";
import { sourcePath } from "./extraction-flags.ts";

/** Note for a damaged source. */
const DAMAGED = "damaged: some messages may be missing";

/**
 * Prints the results of a run and the next steps. With `--quiet`, prints only the output directory and the warnings.
 * @param warnings of this run, not counting redactions.
 */
export function printReport(report: ExtractionReport, warnings: number, session: Session): void {
  if (session.log.level === "warning") {
    session.print(report.outputDirectory);
    warnOfLosses(report, warnings, session);
    printProtected(report, session);
    return;
  }
  printCounts(report, session);
  session.print("");
  if (report.isUnchanged) session.print("Nothing new: the archive is unchanged.");
  else {
    session.print(heading(`Created in ${report.outputDirectory}:`));
    for (const line of createdFileLines(report.created)) session.print(`  ${line}`);
    if (report.replaced !== null) session.print(replacedLine(report.replaced));
  }
  session.print(`Source hash: ${report.sourceHash}`);
  printProtected(report, session);
  session.print("");
  session.print(heading("Next:"));
  for (const line of nextSteps(report.outputDirectory, session.invocation)) session.print(`  ${line}`);
}

/** Prints the counts of each source and of the archive. */
function printCounts(report: ExtractionReport, session: Session): void {
  for (const source of report.sources) session.print(sourceLine(source));
  const { statistics } = report;
  session.print("");
  session.print(`Emails: ${formatCount(statistics.totalMessages)}`);
  session.print(`Calendar events: ${formatCount(statistics.totalCalendarEvents)}`);
  session.print(`Contacts: ${formatCount(statistics.totalContacts)}`);
  session.print(
    `Threads: ${formatCount(statistics.totalThreads)} (${formatCount(statistics.multiMessageThreads)} with more than one message)`,
  );
  if (statistics.filesWithoutText !== undefined && statistics.totalAttachments > 0)
    session.print(`Attachments: ${attachmentCount(statistics)}`);
  if (statistics.totalItems > 0) session.print(`Outlook items: ${formatCount(statistics.totalItems)}`);
  if (statistics.piiRedactions > 0) session.print(`Redactions: ${formatCount(statistics.piiRedactions)}`);
  if (report.warnings > 0) session.print(`Warnings: ${formatCount(report.warnings)} (see provenance.json)`);
}

/** Prints the result of a run before the archive opens: counts, losses and protected sources. */
export function printFindings(report: ExtractionReport, warnings: number, session: Session): void {
  if (session.log.level === "warning") warnOfLosses(report, warnings, session);
  else printCounts(report, session);
  printProtected(report, session);
}

/** `40 (12 files without text)`; the second part if attachment text was read. */
export function attachmentCount({
  totalAttachments,
  filesWithoutText,
}: Pick<ArchiveStatistics, "totalAttachments" | "filesWithoutText">): string {
  const count = formatCount(totalAttachments);
  return filesWithoutText === undefined ? count : `${count} (${countOf(filesWithoutText, "file")} without text)`;
}

/** Describes the replaced archive. */
function replacedLine({ messages, extractedAt }: ReplacedArchive): string {
  const date = extractedAt === null ? "" : ` of ${formatInstant(extractedAt)}`;
  return `Replaced the earlier archive${date} (${countOf(messages, "message")})`;
}

/** `<path> [<format>]: N messages, N calendar events`, and other outcomes if there are any. */
export function sourceLine({ record, messages, isDamaged }: SourceReport): string {
  const { duplicate, skipped, failed } = record.counts;
  const others = [
    duplicate > 0 ? `, ${countOf(duplicate, "duplicate")}` : "",
    skipped > 0 ? `, ${formatCount(skipped)} skipped` : "",
    failed > 0 ? `, ${formatCount(failed)} failed` : "",
    isDamaged ? `; ${DAMAGED}` : "",
  ];
  return `${record.path} [${record.format}]: ${countOf(messages, "message")}, ${countOf(record.calendarEvents, "calendar event")}${others.join("")}`;
}

/** Prints losses and anomalies, with every verbosity. */
function warnOfLosses({ sources, outputDirectory }: ExtractionReport, warnings: number, session: Session): void {
  for (const { record, isDamaged } of sources) {
    const { skipped, failed } = record.counts;
    const losses = [
      skipped > 0 ? `${formatCount(skipped)} skipped` : "",
      failed > 0 ? `${formatCount(failed)} failed` : "",
      isDamaged ? DAMAGED : "",
    ];
    const described = losses.filter((loss) => loss !== "").join(", ");
    if (described !== "") session.log.warning(`${record.path}: ${described}`);
  }
  if (warnings > 0)
    session.log.warning(`${countOf(warnings, "warning")}: see ${join(outputDirectory, "provenance.json")}`);
}

/** Lists the sources that were skipped because they are protected, and how to add them. */
function printProtected({ sources, outputDirectory }: ExtractionReport, session: Session): void {
  const paths = protectedPaths(sources);
  if (paths.length === 0) return;
  const words = (path: string): string => shellWord(path, process.platform);
  session.log.warning(protectedLine(paths));
  for (const path of new Set(paths.map(pathToExtract)))
    session.log.warning(
      `to add it: ${session.invocation} extract ${words(path)} -o ${words(outputDirectory)} --incremental --password-file FILE`,
    );
}

export function protectedPaths(sources: readonly SourceReport[]): readonly string[] {
  return sources.filter(({ isProtected }) => isProtected).map(({ record }) => record.path);
}

export function protectedLine(paths: readonly string[]): string {
  return `${countOf(paths.length, "source")} password-protected and skipped: ${paths.join(", ")}`;
}

/** The path by which a source is read again: that of the compressed file around it, or its own. */
export function pathToExtract(path: string): string {
  let file = path;
  while (!existsSync(file) && dirname(file) !== file) file = dirname(file);
  return existsSync(file) && statSync(file).isFile() ? file : path;
}

/** Command lines that can be copied. */
function nextSteps(directory: string, invocation: string): readonly string[] {
  const archive = shellWord(directory, process.platform);
  return [`${invocation} search ${archive} "search terms"`, `${invocation} serve ${archive} --open`];
}

/** Replaces paths of sources, and of files inside them, by the paths typed on the command line. */
export function withTypedPaths(report: ExtractionReport, files: readonly string[]): ExtractionReport {
  const typed = (path: string): string => {
    const file = files.find((named) => path === sourcePath(named) || path.startsWith(`${sourcePath(named)}/`));
    return file === undefined ? path : file + path.slice(sourcePath(file).length);
  };
  const sources = report.sources.map((source) => ({
    ...source,
    record: { ...source.record, path: typed(source.record.path) },
  }));
  return { ...report, sources };
}
