import type { Command } from "commander";
import { ArchiveError } from "../../errors.ts";
import { parseDateBound } from "../../http/date-bound.ts";
import type { RankedHits, SearchFilter, SearchHit } from "../../mail/archive.ts";
import { formatInstant } from "../../mail/dates/instant.ts";
import { RANKED_MATCHES } from "../../mail/exploration.ts";
import { countOf, formatCount } from "../../text/tokens/format-count.ts";
import { printable } from "../../text/tokens/printable.ts";
import { optimizeThriftily } from "../../v8-flags.ts";
import { openNamedSearch } from "../extracting/open-archive.ts";
import { choiceOf } from "../terminal/flag-values.ts";
import type { Line } from "../terminal/line.ts";
import type { Session } from "../terminal/session.ts";
import { SOURCE_ARGUMENT } from "../terminal/store-source.ts";
import { cutText, wrapText } from "../terminal/text-columns.ts";
import { INDENT, LINE_CELLS, snippetLines } from "./hit-lines.ts";
import { findRecords, limitRecords, type RecordHits, recordLines } from "./record-hits.ts";

interface SearchFlags {
  readonly topN: string;
  readonly sender?: string;
  readonly after?: string;
  readonly before?: string;
  readonly match: string;
  readonly stem?: true;
  readonly json?: true;
}

/** Maximum results: a scrollable length, and the largest page of the query API. */
const MAX_RESULTS = 1000;
/** Maximum ids of messages with the same text that are listed; the others are counted. */
const MAX_NAMED = 5;

/** Help of `--stem`. */
export const STEM_FLAG = "also find other word forms: contracts, contracted (stem:*)";

/** The query, with stemmed words if the flag is set. */
export function stemmedQuery(query: string, { stem }: { readonly stem?: true }): string {
  return stem ? `stem:* ${query}` : query;
}

/** Declares `archivetool search`. */
export function declareSearch(program: Command, session: () => Session): void {
  program
    .command("search")
    .description("search an archive, best matches first")
    .argument("<source>", SOURCE_ARGUMENT)
    .argument(
      "<query>",
      "words, phrases in quotes, -word, +word, prefix*, AND, OR, NOT, ( ), from: to: on: and more (docs/reference/query-language.md)",
    )
    .option("-n, --top-n <n>", "maximum number of results", "10")
    .option("--match <which>", "match all words, any word, or any word if no message has all: all, any, auto", "auto")
    .option("--stem", STEM_FLAG)
    .option("--sender <email>", "only messages from this sender, under any address")
    .option("--after <date>", "only messages sent on or after this ISO 8601 date")
    .option("--before <date>", "only messages sent on or before this ISO 8601 date")
    .option("--json", "print as JSON")
    .action(async (source: string, written: string, flags: SearchFlags) => {
      const limit = resultLimit(flags.topN);
      const filter = searchFilter(flags);
      const match = choiceOf("--match", RANKED_MATCHES, flags.match);
      if (written.trim() === "")
        throw new ArchiveError("INVALID_ARGUMENT", "the query is empty", { hint: "specify at least one word" });
      const query = stemmedQuery(written, flags);
      optimizeThriftily();
      const archive = await openNamedSearch(source, session());
      try {
        const found = await archive.search.search(query, limit, filter, match);
        const { hits, matched, problems } = found;
        const records = await findRecords(archive, query, { filter, limit });
        if (flags.json) {
          const { searchResultWire } = await import("../../http/query-api/wire-records.ts");
          const beside = records.hits.map(({ date, ...hit }) => ({ ...hit, date: formatInstant(date) }));
          session().printJson({ query, matched, problems, results: hits.map(searchResultWire), records: beside });
        } else printFound(found, records, { isFallback: match === "auto" && matched === "any" }, session());
      } finally {
        await archive.close();
      }
    });
}

function resultLimit(text: string): number {
  const limit = Number(text);
  if (/^\d{1,5}$/.test(text) && limit >= 1 && limit <= MAX_RESULTS) return limit;
  throw new ArchiveError("INVALID_ARGUMENT", `--top-n must be an integer from 1 to ${MAX_RESULTS}, not "${text}"`);
}

/** The filter of the flags. Throws INVALID_ARGUMENT. */
export function searchFilter({
  sender,
  after,
  before,
}: Pick<SearchFlags, "sender" | "after" | "before">): SearchFilter {
  const first = after === undefined ? null : dateSpan("--after", after).first;
  const last = before === undefined ? null : dateSpan("--before", before).last;
  if (first !== null && last !== null && first > last) {
    throw new ArchiveError("INVALID_ARGUMENT", `--after ${after} is later than --before ${before}`);
  }
  return {
    ...(sender === undefined || sender === "" ? {} : { from: sender }),
    ...(first === null ? {} : { after: first }),
    ...(last === null ? {} : { before: last }),
  };
}

function dateSpan(flag: string, text: string): { readonly first: number; readonly last: number } {
  const span = parseDateBound(text);
  if (span !== null) return span;
  const hint = "use a date such as 2001-05-14 or 2001-05-14T16:39:00Z";
  throw new ArchiveError("INVALID_ARGUMENT", `${flag} must be an ISO 8601 date, not "${text}"`, { hint });
}

function printFound(
  { hits, problems }: RankedHits,
  records: RecordHits,
  { isFallback }: { readonly isFallback: boolean },
  session: Session,
): void {
  for (const problem of problems) session.log.warning(printable(problem));
  if (isFallback) session.print("No message has all the words; showing messages with any of them.");
  if (hits.length === 0) session.print("No messages match.");
  for (const hit of hits) for (const line of hitLines(hit, session.hasColors)) session.print(line);
  for (const line of recordLines(limitRecords(records, hits.length), session.hasColors)) session.print(line);
}

/** Formats a hit as lines of at most 80 cells. Matches are colored, or between `**` without colors. */
export function hitLines(hit: SearchHit, hasColors: boolean): readonly Line[] {
  const date = formatInstant(hit.sentAt)?.slice(0, 10) ?? "undated   ";
  const sender = printable(senderText(hit));
  const head = cutText(
    `${`${hit.rank}.`.padEnd(INDENT.length)}${hit.score.toFixed(3)}  ${date}  ${sender}`,
    LINE_CELLS,
  );
  const subject = cutText(printable(hit.subject), LINE_CELLS - INDENT.length) || "(no subject)";
  const shown = snippetLines(hit.snippet, hasColors);
  const others = hit.otherMailboxes === 0 ? "" : `, also in ${countOf(hit.otherMailboxes, "folder")}`;
  const same = wrapText(`${hit.messageId}${others}${sameText(hit)}`, LINE_CELLS - INDENT.length);
  return [head, [INDENT, { style: "heading", text: subject }], ...shown, ...same.map((line) => INDENT + line), ""];
}

/** Other messages with the same text. */
function sameText({ sameText }: SearchHit): string {
  if (sameText.length === 0) return "";
  const named = sameText.slice(0, MAX_NAMED).join(", ");
  const more = sameText.length <= MAX_NAMED ? "" : ` and ${formatCount(sameText.length - MAX_NAMED)} more`;
  return `, same text in ${named}${more}`;
}

function senderText({ from }: SearchHit): string {
  if (from === null) return "(no sender)";
  return from.name === "" || from.name === from.email
    ? from.email
    : from.email === ""
      ? from.name
      : `${from.name} <${from.email}>`;
}
