import { createReadStream } from "node:fs";
import type { Command } from "commander";
import type { DocumentReport } from "../../document/validate-extraction.ts";
import { ArchiveError } from "../../errors.ts";
import type { DamagedFile } from "../../extraction/publishing/output-manifest.ts";
import type { ArchiveCheck } from "../../store/contract/archive-check.ts";
import { displaySource, isArchivePath, isFile } from "../../store/contract/archive-location.ts";
import { countOf, formatCount } from "../../text/tokens/format-count.ts";
import type { Session } from "../terminal/session.ts";
import { SOURCE_ARGUMENT } from "../terminal/store-source.ts";
import { directoryOf, settleSource } from "./open-archive.ts";
import { repairArguments } from "./repair.ts";

/** Bytes read of the document at a time. */
const CHUNK_BYTES = 1 << 20;
/** Sources printed; the rest is counted. */
const PRINTED_SOURCES = 20;

interface ValidateFlags {
  readonly json?: true;
  readonly repair?: true;
}

/** Result of checking the output files. */
interface ComparedFiles {
  readonly directory: string;
  readonly count: number;
  readonly damaged: readonly DamagedFile[];
}

/** Result of each check; null if not applicable. */
interface Findings {
  readonly files: ComparedFiles | null;
  readonly archive: ArchiveCheck | null;
  readonly notebook: ArchiveCheck | null;
  readonly document: DocumentReport | null;
}

/** Declares `archivetool validate`. */
export function declareValidate(program: Command, session: () => Session): void {
  program
    .command("validate")
    .description("check the files of an output directory, its archive.db, notebook and extraction.json")
    .argument("<source>", SOURCE_ARGUMENT)
    .option("--json", "print as JSON")
    .option("--repair", "if a problem is found, extract the sources again with the options of the last run")
    .action(async (source: string, flags: ValidateFlags) => {
      await settleSource(source, session());
      const found = await check(source, session().signal);
      if (flags.json) session().printJson(findingsDocument(found));
      else printFindings(found, session());
      const fault = faultOf(source, found);
      if (fault === null) return;
      const directory = directoryOf(source);
      if (flags.repair === undefined || directory === null) throw fault;
      const { declareExtract } = await import("./extract.ts");
      if (!program.commands.some((command) => command.name() === "extract")) declareExtract(program, session);
      await program.parseAsync(repairArguments(directory), { from: "user" });
      const remaining = faultOf(source, await check(source, session().signal));
      if (remaining !== null) throw remaining;
      if (!flags.json) session().print(`${directory} was extracted again and is valid.`);
    });
}

/** Throws like `locateChecked`. */
async function check(source: string, signal: AbortSignal): Promise<Findings> {
  // Loaded on demand, so that help and argument errors are fast.
  const { locateChecked } = await import("../../store/archive/locate-archive.ts");
  const { validateExtraction } = await import("../../document/validate-extraction.ts");
  const { checkArchive } = await import("../../store/archive/check-archive.ts");
  const { checkNotebook } = await import("../../store/notebook/open-notebook.ts");
  const files = await compareFiles(source, signal);
  const { archive, document } = locateChecked(source);
  return {
    files,
    archive: archive === null ? null : await checkArchive(archive),
    notebook: archive !== null && isFile(archive) ? checkNotebook(archive) : null,
    document:
      document === null
        ? null
        : await validateExtraction(createReadStream(document, { highWaterMark: CHUNK_BYTES, signal })),
  };
}

/**
 * Reads all files of the output that contains a source. Returns null if no output does, or for a standalone document.
 */
async function compareFiles(source: string, signal: AbortSignal): Promise<ComparedFiles | null> {
  const directory = directoryOf(source);
  if (directory === null || (directory !== source && !isArchivePath(source))) return null;
  const { findDamage, readManifest } = await import("../../extraction/publishing/output-manifest.ts");
  const files = readManifest(directory);
  if (files === null) return null;
  return { directory, count: files.length, damaged: await findDamage(directory, files, signal) };
}

/** Returns the worst error, or null. */
function faultOf(source: string, { files, archive, notebook, document }: Findings): ArchiveError | null {
  if (files !== null && files.damaged.length > 0) {
    return new ArchiveError(
      "ARCHIVE_DAMAGED",
      `${countOf(files.damaged.length, "file")} of ${files.directory} changed or missing`,
      {
        hint: "run the same extract command again with --incremental to repair changed files, or use --repair to extract everything again",
      },
    );
  }
  if (archive !== null && archive.faultCount > 0) {
    return new ArchiveError(
      "ARCHIVE_DAMAGED",
      `the archive of ${displaySource(source)} is damaged: ${countOf(archive.faultCount, "fault")}`,
      {
        hint: "extract the sources again with --repair, or restore the directory from a backup",
      },
    );
  }
  if (notebook !== null && notebook.faultCount > 0)
    return new ArchiveError("ARCHIVE_DAMAGED", `the notebook of ${displaySource(source)} is damaged`, {
      hint: "replace it with its backup (notebook.backup.db): it cannot be extracted again",
    });
  if (document === null || document.errorCount === 0) return null;
  return new ArchiveError(
    "DOCUMENT_INVALID",
    `${source} has no valid extraction.json: ${countOf(document.errorCount, "error")}`,
    {
      hint: "extract again, or fix the errors listed above",
    },
  );
}

function findingsDocument(found: Findings) {
  const { files, archive, notebook, document } = found;
  return {
    valid: faultOf("", found) === null,
    error_count: document?.errorCount ?? 0,
    errors: document?.errors ?? [],
    summary: document?.summary ?? null,
    sources: document?.sourcePaths ?? [],
    files: files === null ? null : { checked: files.count, damaged: files.damaged },
    archive: checkDocument(archive),
    ...(notebook === null ? {} : { notebook: checkDocument(notebook) }),
  };
}

function checkDocument(check: ArchiveCheck | null) {
  if (check === null) return null;
  return { valid: check.faultCount === 0, fault_count: check.faultCount, faults: check.faults };
}

/** Damaged files printed; the rest is counted. */
const PRINTED_FILES = 20;

function printFindings({ files, archive, notebook, document }: Findings, session: Session): void {
  if (files !== null) printFiles(files, session);
  if (archive !== null) printCheck("Archive", archive, session);
  if (notebook !== null) printCheck("Notebook", notebook, session);
  if (document !== null) printDocument(document, session);
}

function printFiles({ count, damaged }: ComparedFiles, session: Session): void {
  for (const { path, what } of damaged.slice(0, PRINTED_FILES)) session.print(`${path}: ${what}`);
  if (damaged.length > PRINTED_FILES) session.print(`… and ${formatCount(damaged.length - PRINTED_FILES)} more`);
  session.print(`Files: ${formatCount(count - damaged.length)} of ${formatCount(count)} unchanged`);
}

function printCheck(what: string, { faultCount, faults }: ArchiveCheck, session: Session): void {
  for (const fault of faults) session.print(`${what.toLowerCase()}: ${fault}`);
  if (faults.length < faultCount) session.print(`… and ${formatCount(faultCount - faults.length)} more`);
  session.print(faultCount === 0 ? `${what}: sound` : `${what}: ${countOf(faultCount, "fault")}`);
}

function printDocument({ errorCount, errors, summary, sourcePaths }: DocumentReport, session: Session): void {
  for (const { path, message, offset } of errors)
    session.print(
      `${path === "" ? "document" : path}: ${message}${offset === null ? "" : ` (byte ${formatCount(offset)})`}`,
    );
  if (errors.length < errorCount) session.print(`… and ${formatCount(errorCount - errors.length)} more`);
  session.print(`Errors: ${formatCount(errorCount)}`);
  for (const path of sourcePaths.slice(0, PRINTED_SOURCES)) session.print(`Read from: ${path}`);
  if (sourcePaths.length > PRINTED_SOURCES)
    session.print(`Read from: … and ${formatCount(sourcePaths.length - PRINTED_SOURCES)} more`);
  if (errorCount > 0) return;
  session.print(
    `Valid: ${countOf(summary.messages, "message")}, ${countOf(summary.contacts, "contact")}, ${countOf(summary.threads, "thread")}, ${countOf(summary.topics, "topic")}, ${countOf(summary.events, "calendar event")}`,
  );
}
