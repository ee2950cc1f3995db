import { existsSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import type { Command } from "commander";
import { ArchiveError } from "../../errors.ts";
import { UNFINISHED_SUFFIX } from "../../files/durable-files.ts";
import type { Archive } from "../../mail/archive.ts";
import { WORD_MATCHES } from "../../mail/exploration.ts";
import { DEFAULT_OPTIONS } from "../../mail/records/provenance.ts";
import type { BagField } from "../../outputs/export/bag-info.ts";
import type { ExportReport, ExportRequest, Production } from "../../outputs/export/export-archive.ts";
import { EXPORT_FORMATS, type ExportFormatName, emlNamesOf } from "../../outputs/export/export-names.ts";
import type { Selection } from "../../outputs/export/selection.ts";
import { countOf, formatCount } from "../../text/tokens/format-count.ts";
import { printable } from "../../text/tokens/printable.ts";
import { limitHeap } from "../../v8-flags.ts";
import { sourcePath } from "../extracting/extraction-flags.ts";
import { openArchiveForScan } from "../extracting/open-archive.ts";
import { choiceOf } from "../terminal/flag-values.ts";
import type { Session } from "../terminal/session.ts";
import { addTo } from "./hits.ts";
import { addOriginalFlags, type OriginalFlags, originalSearch } from "./original-flags.ts";
import { STEM_FLAG, searchFilter, stemmedQuery } from "./search.ts";

/** Milliseconds between two drawings of the progress. */
const DRAWN_EVERY_MS = 200;
/** Maximum printed reasons for composed messages; the rest is in the manifest. */
const PRINTED_REASONS = 5;

interface ExportFlags extends OriginalFlags {
  readonly format: string;
  readonly output: string;
  readonly thread?: string;
  readonly contact?: string;
  readonly mailbox?: string;
  readonly sender?: string;
  readonly match: string;
  readonly stem?: true;
  readonly after?: string;
  readonly before?: string;
  readonly bates?: string;
  readonly start?: string;
  readonly custodian?: readonly string[];
  readonly reviewFields: boolean;
  readonly names: string;
  readonly bagit?: true;
  readonly bagInfo?: readonly string[];
  readonly withhold?: string;
  readonly originals: boolean;
}

/** Declares `archivetool export`. */
export function declareExport(program: Command, session: () => Session): void {
  const command = program
    .command("export")
    .description("export messages to MBOX, EML, CSV and other formats, or convert mail files directly")
    .argument(
      "<source>",
      "output directory, its archive.db, an extraction.json, a collection, or mail: a PST, MBOX, Maildir, …",
    )
    .argument("[query]", "only messages that match this query (docs/reference/query-language.md)")
    .requiredOption("--format <format>", EXPORT_FORMATS.join(", "))
    .requiredOption("-o, --output <path>", "file or directory to create")
    .option("--match <which>", "match all words of the query or any: all, any", "all")
    .option("--stem", STEM_FLAG)
    .option("--thread <id>", "only messages in this thread")
    .option("--contact <id>", "only messages that this contact sent or received")
    .option("--mailbox <name>", "only messages in this mailbox")
    .option("--sender <email>", "only messages from this sender, under any address")
    .option("--after <date>", "only messages sent on or after this ISO 8601 date")
    .option("--before <date>", "only messages sent on or before this ISO 8601 date")
    .option("--names <by>", "file names of single messages: id, or date (with the subject)", "id")
    .option("--bates <prefix>", "load-file: prefix of document numbers")
    .option("--start <n>", "load-file: number of the first document")
    .option("--custodian <source=name>", "load-file: custodian of a source; can be repeated", addTo)
    .option("--no-review-fields", "load-file: omit tags, review states, notes and the query, for other parties")
    .option("--bagit", "write a BagIt bag: a directory with hashes of all files")
    .option("--bag-info <field=value>", "metadata of the bag, such as Accession-Number; may be repeated", addTo)
    .option("--withhold <query>", "exclude messages that match this query")
    .option("--no-originals", "compose every message from the archive without reading the sources");
  addOriginalFlags(command).action(async (source: string, query: string | undefined, flags: ExportFlags) => {
    await exportSource(source, query === undefined ? null : stemmedQuery(query, flags), flags, session());
  });
}

async function exportSource(source: string, query: string | null, flags: ExportFlags, session: Session): Promise<void> {
  const format = choiceOf("--format", EXPORT_FORMATS, flags.format);
  if (flags.output === "") throw new ArchiveError("INVALID_ARGUMENT", '--output must be a file or directory, not ""');
  const { FORMATS } = await import("../../outputs/export/export-formats.ts");
  const selection = {
    query,
    match: choiceOf("--match", WORD_MATCHES, flags.match),
    withheld: flags.withhold === undefined ? null : stemmedQuery(flags.withhold, flags),
    filter: searchFilter(flags),
    threadId: flags.thread ?? null,
    messageIds: null,
    contactId: flags.contact ?? null,
    mailbox: flags.mailbox ?? null,
  };
  const chosen = chosenBy(query, flags);
  const names = emlNamesOf(format, flags.names);
  const production = await productionOf(format, flags);
  const bag = await bagOf(flags);
  if (!FORMATS[format].ofMessages && chosen !== "") {
    throw new ArchiveError(
      "INVALID_ARGUMENT",
      `--format ${format} contains no messages: remove the query and the flags that select messages`,
    );
  }
  limitHeap();
  const { exportArchive } = await import("../../outputs/export/export-archive.ts");
  const { OriginalThread } = await import("../../originals/original-thread.ts");
  const search = originalSearch(flags, session);
  const originals = flags.originals ? new OriginalThread(search) : null;
  let drawnAt = 0;
  try {
    const report = await withArchive({ source, output: flags.output, password: search.password }, session, (archive) =>
      exportArchive(archive, {
        format,
        path: flags.output,
        selection,
        query: chosen,
        production,
        names,
        bag,
        exportedAt: Date.now(),
        signal: session.signal,
        onSelected: (selected) => reportSelection(archive, selection, selected, session),
        readOriginal: originals === null ? null : (place) => originals.read(place),
        onProgress(done, total) {
          if (!session.screen.isTerminal || total === 0 || session.screen.now() - drawnAt < DRAWN_EVERY_MS) return;
          drawnAt = session.screen.now();
          session.screen.write(`\r${formatCount(done)} of ${formatCount(total)} messages`);
        },
      }),
    );
    if (drawnAt > 0) session.screen.write("\r\u001b[K");
    printReport(report, session);
  } finally {
    await originals?.close();
  }
}

/** Prints how many messages a query finds, and its problems. Throws NOT_FOUND if there are none. */
async function reportSelection(
  archive: Archive,
  { query, match, withheld }: Selection,
  { count, withheldCount, problems }: Parameters<ExportRequest["onSelected"]>[0],
  session: Session,
): Promise<void> {
  if (query !== null && count > 0) session.print(`${countOf(count, "message")} ${count === 1 ? "matches" : "match"}`);
  // A misspelled tag would withhold nothing.
  if (withheldCount > 0) session.print(`${countOf(withheldCount, "message")} withheld`);
  else if (withheld !== null) session.log.warning(printable(`no message is withheld: none matches ${withheld}`));
  for (const problem of problems) session.log.warning(printable(problem));
  if (query === null || count > 0) return;
  if (withheldCount > 0) throw new ArchiveError("NOT_FOUND", `all messages that match ${query} are withheld`);
  const page = { sort: "newest", repeats: "listed", offset: 0, limit: 1 } as const;
  const { understood } = await archive.explore.page({ query, match, ...page });
  const alone = understood.map(({ start, end, count: found }) => `${query.slice(start, end)} ${formatCount(found)}`);
  throw new ArchiveError("NOT_FOUND", `no messages match ${query}`, {
    hint:
      alone.length === 0 ? "specify at least one word" : `messages matching each part on its own: ${alone.join(", ")}`,
  });
}

/** The documents of a load file. Throws INVALID_ARGUMENT for flags that other formats do not take. */
async function productionOf(format: ExportFormatName, flags: ExportFlags): Promise<Production | null> {
  const { bates, start, custodian, reviewFields } = flags;
  if (reviewFields && [bates, start, custodian].every((flag) => flag === undefined)) return null;
  if (format !== "load-file") {
    throw new ArchiveError(
      "INVALID_ARGUMENT",
      "--bates, --start, --custodian and --no-review-fields require --format load-file",
    );
  }
  const { DEFAULT_NUMBERING, numberingOf } = await import("../../outputs/export/control-numbers.ts");
  const { parseCustodian } = await import("../../outputs/custodians.ts");
  return {
    numbering: numberingOf(bates ?? DEFAULT_NUMBERING.prefix, start ?? String(DEFAULT_NUMBERING.start)),
    custodians: (custodian ?? []).map(parseCustodian),
    hasReview: reviewFields,
  };
}

/** The metadata of a bag; null for no bag. Throws INVALID_ARGUMENT for metadata without one. */
async function bagOf({ bagit, bagInfo }: ExportFlags): Promise<readonly BagField[] | null> {
  if (bagInfo === undefined) return bagit === true ? [] : null;
  if (bagit !== true) throw new ArchiveError("INVALID_ARGUMENT", "--bag-info requires --bagit");
  const { bagFields } = await import("../../outputs/export/bag-info.ts");
  return bagFields(bagInfo);
}

/** The words and flags that select messages, as typed. */
function chosenBy(query: string | null, flags: ExportFlags): string {
  const named = (["thread", "contact", "mailbox", "sender", "after", "before", "withhold"] as const).flatMap((name) => {
    const value = flags[name];
    return value === undefined ? [] : [`--${name} ${value}`];
  });
  return [...(query === null ? [] : [query]), ...named].join(" ");
}

/** Opens an archive. Mail that was not extracted is extracted to a temporary archive next to the output. */
async function withArchive(
  { source, output, password }: { readonly source: string; readonly output: string; readonly password: string | null },
  session: Session,
  act: (archive: Archive) => Promise<ExportReport>,
): Promise<ExportReport> {
  const directory = `${resolve(output)}.archive.${process.pid}${UNFINISHED_SUFFIX}`;
  let archive: Archive;
  try {
    archive = await openArchiveForScan(source, session);
  } catch (error) {
    if (!(error instanceof ArchiveError) || error.code !== "NOT_AN_ARCHIVE") throw error;
    await extractInto({ directory, source, password }, session);
    archive = await openArchiveForScan(directory, session);
  }
  try {
    return await act(archive);
  } finally {
    await archive.close();
    // `rmSync` rejects a path below a file, even with `force`.
    if (existsSync(directory)) rmSync(directory, { recursive: true, force: true });
  }
}

async function extractInto(
  {
    directory,
    source,
    password,
  }: { readonly directory: string; readonly source: string; readonly password: string | null },
  session: Session,
): Promise<void> {
  const { performExtraction } = await import("../extracting/extraction-work.ts");
  const { protectedLine, protectedPaths } = await import("../extracting/extraction-report.ts");
  // A killed process with the same id may have left one.
  if (existsSync(directory)) rmSync(directory, { recursive: true, force: true });
  const request = {
    paths: [sourcePath(source)],
    outputDirectory: directory,
    replacesOthers: false,
    allowMissing: false,
    options: { ...DEFAULT_OPTIONS, keepCopies: true },
    limits: { password, skipProtected: false },
    jobs: availableParallelism(),
    startedAt: Date.now(),
    processId: process.pid,
  };
  const formats = { json: false, csv: false, wiki: false, allPages: false, wikiLinks: "wiki" as const };
  try {
    const report = await performExtraction(
      { kind: "extract", request, formats, tellsRedactions: false },
      { signal: session.signal, onEvent: () => undefined },
    );
    const isProtected = protectedPaths(report.sources);
    const failed =
      report.sources.reduce((sum, { record }) => sum + record.counts.skipped + record.counts.failed, 0) -
      isProtected.length;
    if (isProtected.length > 0)
      session.log.warning(`${protectedLine(isProtected)}; to add one, export it with --password-file FILE`);
    if (failed > 0)
      session.log.warning(`${countOf(failed, "item")} could not be read: run archivetool extract to list them`);
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
}

function printReport({ messages, exact, composed, reasons, paths }: ExportReport, session: Session): void {
  if (exact + composed > 0)
    session.print(`${countOf(messages, "message")}: ${formatCount(exact)} original, ${formatCount(composed)} composed`);
  else if (messages > 0) session.print(countOf(messages, "message"));
  for (const [reason, count] of [...reasons].slice(0, PRINTED_REASONS))
    session.print(`  ${formatCount(count)} composed: ${reason}`);
  for (const path of paths) session.print(`Created ${path}`);
}
