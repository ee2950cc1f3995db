import { readFileSync, statSync } from "node:fs";
import type { Command } from "commander";
import { ArchiveError, systemErrorCode } from "../../errors.ts";
import { formatInstant } from "../../mail/dates/instant.ts";
import { WORD_MATCHES } from "../../mail/exploration.ts";
import type { HitFigures, HitReport, ReportedQuery } from "../../outputs/hit-report/hit-report.ts";
import { countOf, formatCount } from "../../text/tokens/format-count.ts";
import { printable } from "../../text/tokens/printable.ts";
import { withNamedArchive } from "../extracting/open-archive.ts";
import { choiceOf } from "../terminal/flag-values.ts";
import type { Line } from "../terminal/line.ts";
import type { Session } from "../terminal/session.ts";
import { SOURCE_ARGUMENT } from "../terminal/store-source.ts";
import { wrapText } from "../terminal/text-columns.ts";
import { INDENT, LINE_CELLS } from "./hit-lines.ts";
import { STEM_FLAG, stemmedQuery } from "./search.ts";

interface HitsFlags {
  readonly list?: string;
  readonly match: string;
  readonly stem?: true;
  readonly custodian?: readonly string[];
  readonly csv?: true;
  readonly json?: true;
}

/** Maximum bytes of a list of queries: 500 of the longest queries fit. */
const MAX_LIST_BYTES = 1 << 22;
/** Maximum queries of a report, as over HTTP. */
const MAX_QUERIES = 500;

/** Declares `archivetool hits`. */
export function declareHits(program: Command, session: () => Session): void {
  program
    .command("hits")
    .description("report hits for each query in a list and for all queries combined")
    .argument("<source>", SOURCE_ARGUMENT)
    .argument("[queries...]", "queries (docs/reference/query-language.md); queries from --list come after these")
    .option("--list <file>", "read queries from a file, one per line")
    .option("--match <which>", "match all words of a query or any: all, any", "all")
    .option("--stem", STEM_FLAG)
    .option("--custodian <source=name>", "custodian of a source; can be repeated", addTo)
    .addOption(program.createOption("--csv", "print as CSV").conflicts("json"))
    .option("--json", "print as JSON")
    .action(async (source: string, given: readonly string[], flags: HitsFlags) => {
      const match = choiceOf("--match", WORD_MATCHES, flags.match);
      const written = [...given, ...(flags.list === undefined ? [] : listedQueries(flags.list))];
      const queries = written.map((query) => stemmedQuery(query, flags));
      if (queries.length === 0 || queries.length > MAX_QUERIES) {
        throw new ArchiveError("INVALID_ARGUMENT", `a hit report requires 1 to ${MAX_QUERIES} queries`, {
          hint: "list them after the source, or pass a file with --list",
        });
      }
      const { custodianNames, parseCustodian } = await import("../../outputs/custodians.ts");
      const named = (flags.custodian ?? []).map(parseCustodian);
      await withNamedArchive(source, session(), async (archive) => {
        const { sources } = await archive.provenance();
        const custodians = custodianNames(
          sources.map(({ path }) => path),
          named,
        );
        const { hitReport } = await import("../../outputs/hit-report/hit-report.ts");
        const report = await hitReport(archive, { queries, match, custodians });
        await printReport(report, flags, session());
      });
    });
}

/** Collects the values of a flag that may be repeated. */
export function addTo(value: string, values: readonly string[] = []): readonly string[] {
  return [...values, value];
}

/** Reads the queries of a file, one per line, without empty lines. */
function listedQueries(path: string): readonly string[] {
  let text: string;
  try {
    if (statSync(path).size > MAX_LIST_BYTES)
      throw new ArchiveError("INVALID_ARGUMENT", `query list ${path} is too large`);
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof ArchiveError) throw error;
    throw new ArchiveError("INVALID_ARGUMENT", `cannot read ${path}: ${systemErrorCode(error) ?? "failed"}`, {
      cause: error,
      hint: "check the path and permissions",
    });
  }
  return text
    .replace(/^\ufeff/, "")
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

async function printReport(report: HitReport, flags: HitsFlags, session: Session): Promise<void> {
  for (const { problems } of report.queries) for (const problem of problems) session.log.warning(printable(problem));
  if (flags.json) {
    const { hitReportWire } = await import("../../http/explore-api/wire/hit-report-wire.ts");
    session.printJson(hitReportWire(report));
  } else if (flags.csv) {
    const { hitReportCsv } = await import("../../outputs/hit-report/hit-report-csv.ts");
    for (const line of hitReportCsv(report).trimEnd().split("\r\n")) session.print(`${line}\r`);
  } else for (const line of reportLines(report)) session.print(line);
}

/** The report in lines of at most 80 cells, for a terminal or paper. */
export function reportLines({ queries, union }: HitReport): readonly Line[] {
  return [
    ...queries.flatMap((query, at) => [
      ...wrapped(`${at + 1}. ${printable(query.query)}`, ""),
      ...query.problems.flatMap((problem) => wrapped(`! ${printable(problem)}`, INDENT)),
      ...figureLines(query, uniqueText(query)),
      "",
    ]),
    `All queries combined`,
    ...figureLines(union, ""),
  ];
}

function uniqueText({ unique }: ReportedQuery): string {
  return `, ${formatCount(unique)} unique`;
}

function figureLines(figures: HitFigures, unique: string): readonly Line[] {
  const { messages, attachments, conversations, conversationMessages, first, last, custodians } = figures;
  const lines = [
    `${countOf(messages, "message")}${unique}`,
    `with ${countOf(attachments, "attachment")}`,
    `in ${countOf(conversations, "conversation")} of ${countOf(conversationMessages, "message")}`,
    first === null ? "" : `from ${formatInstant(first)?.slice(0, 10)} to ${formatInstant(last)?.slice(0, 10)}`,
    custodians.length === 0
      ? ""
      : `by custodian: ${custodians.map((hits) => `${printable(hits.name)} ${formatCount(hits.messages)}`).join(", ")}`,
  ];
  return lines.filter((line) => line !== "").flatMap((line) => wrapped(line, INDENT));
}

function wrapped(text: string, indent: string): readonly string[] {
  return wrapText(text, LINE_CELLS - indent.length).map((line) => indent + line);
}
