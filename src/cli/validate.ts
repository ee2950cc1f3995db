import { createReadStream } from "node:fs";
import { basename } from "node:path";
import type { Command } from "commander";
import type { ExtractionReport } from "../document/validate-extraction.ts";
import { ArchiveError } from "../errors.ts";
import { STORE_FILE } from "../extraction/output-files.ts";
import type { DamagedFile } from "../extraction/output-manifest.ts";
import { countOf, formatCount } from "../text/format-count.ts";
import { directoryOf, settleSource } from "./named-archive.ts";
import type { Session } from "./session.ts";

/** Bytes read of the document at a time. */
const CHUNK_BYTES = 1 << 20;

/** Declares `archivetool validate`. */
export function declareValidate(program: Command, session: () => Session): void {
  program
    .command("validate")
    .description("check an extraction.json against the schema and against itself")
    .argument("<source>", "an extraction.json, or an output directory or archive.db with one beside it")
    .option("--json", "print as JSON")
    .action(async (source: string, flags: { readonly json?: true }) => {
      await settleSource(source, session());
      const files = await checkFiles(source, session().signal);
      const report = await documentReport(source, files);
      if (flags.json) session().printJson(reportDocument(report, files));
      else printReport(report, files, session());
      if (report !== null && report.errorCount > 0) {
        throw new ArchiveError("DOCUMENT_INVALID", `${source} holds no valid extraction.json: ${countOf(report.errorCount, "error")}`, {
          hint: "extract again, or mend the document where the errors point",
        });
      }
      if (files === null || files.damaged.length === 0) return;
      throw new ArchiveError("ARCHIVE_DAMAGED", `${countOf(files.damaged.length, "file")} of ${files.directory} not as written`, {
        hint: "run the same extract command again with --incremental: it mends what it can, and says what it cannot",
      });
    });
}

/** The files of an output, compared with what was written. */
interface CheckedFiles {
  readonly directory: string;
  readonly count: number;
  readonly damaged: readonly DamagedFile[];
}

/** Damaged files printed; the rest is counted. */
const PRINTED_FILES = 20;

/** Reads all files of the output that a source is or lies in; null where it lies in none, or is a document alone. */
async function checkFiles(source: string, signal: AbortSignal): Promise<CheckedFiles | null> {
  const directory = directoryOf(source);
  if (directory === null || (directory !== source && basename(source) !== STORE_FILE)) return null;
  // Loaded when needed: help and errors in the arguments answer at once.
  const { findDamage, readManifest } = await import("../extraction/output-manifest.ts");
  const files = readManifest(directory);
  if (files === null) return null;
  return { directory, count: files.length, damaged: await findDamage(directory, files, signal) };
}

/** Null where there is none, and damaged files are what is to be told. Throws as `locateDocument`. */
async function documentReport(source: string, files: CheckedFiles | null): Promise<ExtractionReport | null> {
  const { locateDocument } = await import("../store/locate-archive.ts");
  let path: string;
  try {
    path = locateDocument(source);
  } catch (error) {
    if (files === null || files.damaged.length === 0) throw error;
    return null;
  }
  const { validateExtraction } = await import("../document/validate-extraction.ts");
  return validateExtraction(createReadStream(path, { highWaterMark: CHUNK_BYTES }));
}

function filesDocument({ count, damaged }: CheckedFiles) {
  return { checked: count, damaged };
}

function reportDocument(report: ExtractionReport | null, files: CheckedFiles | null) {
  const { errorCount, errors, summary } = report ?? { errorCount: 0, errors: [], summary: null };
  const isWhole = files === null || files.damaged.length === 0;
  return {
    valid: errorCount === 0 && isWhole,
    error_count: errorCount,
    errors,
    summary,
    files: files === null ? null : filesDocument(files),
  };
}

function printReport(report: ExtractionReport | null, files: CheckedFiles | null, session: Session): void {
  if (files !== null) printFiles(files, session);
  if (report !== null) printDocument(report, session);
}

function printFiles({ count, damaged }: CheckedFiles, session: Session): void {
  for (const { path, what } of damaged.slice(0, PRINTED_FILES)) session.print(`${path}: ${what}`);
  if (damaged.length > PRINTED_FILES) session.print(`… and ${formatCount(damaged.length - PRINTED_FILES)} more`);
  session.print(`Files: ${formatCount(count - damaged.length)} of ${formatCount(count)} as written`);
}

function printDocument({ errorCount, errors, summary }: ExtractionReport, session: Session): void {
  for (const { path, message, offset } of errors)
    session.print(`${path === "" ? "document" : path}: ${message}${offset === null ? "" : ` (byte ${formatCount(offset)})`}`);
  if (errors.length < errorCount) session.print(`… and ${formatCount(errorCount - errors.length)} more`);
  session.print(`Errors: ${formatCount(errorCount)}`);
  if (errorCount > 0) return;
  session.print(
    `Valid: ${countOf(summary.messages, "message")}, ${countOf(summary.contacts, "contact")}, ${countOf(summary.threads, "thread")}, ${countOf(summary.topics, "topic")}, ${countOf(summary.events, "calendar event")}`,
  );
}
