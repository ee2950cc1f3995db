import { Utf8Buffer } from "../../columns/utf8-buffer.ts";
import { formatInstant } from "../../mail/dates/instant.ts";
import { hitTableHead, UNION_NAME } from "../../mail/hit-columns.ts";
import { BYTE_ORDER_MARK, type CsvValue, writeCsvRow } from "../csv/csv-row.ts";
import type { HitFigures, HitReport } from "./hit-report.ts";

/** The report as a table: one row per query, a total row, and one column per custodian. */
export function hitReportCsv({ queries, union }: HitReport): string {
  const custodians = union.custodians.map(({ name }) => name);
  const out = new Utf8Buffer();
  const row = (values: readonly CsvValue[]): void => writeCsvRow(values, out);
  row(hitTableHead(custodians));
  const add = (query: string, unique: number | null, problems: readonly string[], figures: HitFigures): void => {
    const { messages, attachments, conversations, conversationMessages, first, last } = figures;
    const counts = new Map(figures.custodians.map((hits) => [hits.name, hits.messages]));
    row([
      query,
      messages,
      unique,
      attachments,
      conversations,
      conversationMessages,
      formatInstant(first),
      formatInstant(last),
      problems.join("; "),
      ...custodians.map((name) => counts.get(name) ?? 0),
    ]);
  };
  for (const { query, unique, problems, ...figures } of queries) add(query, unique, problems, figures);
  add(UNION_NAME, null, [], union);
  return BYTE_ORDER_MARK + Buffer.from(out.view()).toString();
}
