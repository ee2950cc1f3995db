import { useMemo } from "preact/hooks";
import type { MailboxTreeWire, MailboxWire } from "../../http/explore-api/wire/wire-provenance.ts";
import { shortNames } from "../../mail/records/source-names.ts";
import { COUNT_NAMES, Outcome } from "../about/reconciliation.tsx";
import { useApi, useRoute } from "../application.ts";
import { Choices } from "../parts/choices.tsx";
import { DataTable } from "../parts/data-table.tsx";
import { FilterBox } from "../parts/filter-box.tsx";
import { Pager, TABLE_ROWS, useOffset } from "../parts/pager.tsx";
import { SearchLink } from "../parts/search-link.tsx";
import { SourceName } from "../parts/source-name.tsx";
import { EmptyState, FaultMessage, Skeleton } from "../parts/states.tsx";
import { ViewHead } from "../parts/view-head.tsx";
import { useAnswer } from "../shell/use-answer.ts";
import { number } from "../words/nouns.ts";
import { TABLE_WORDS } from "../words/table-words.ts";
import { WORDS } from "../words/words.ts";

const { mailboxes: words } = TABLE_WORDS;

/** Sources and their folders as a tree, with their contents and the outcome of their items. */
export function MailboxesView() {
  const api = useApi();
  const { parameters } = useRoute();
  const [search, source] = [parameters.get("search") ?? "", parameters.get("source") ?? ""];
  const { data, fault, retry } = useAnswer<MailboxTreeWire>(api("/mailboxes"));
  const rows = useMemo(
    () => data?.rows.filter((row) => source === "" || String(row.source) === source) ?? [],
    [data, source],
  );
  const fitting = useMemo(() => fittingRows(rows, search), [rows, search]);
  const mailboxes = rows.filter(({ name }) => name !== null).length;
  const offset = useOffset();
  const shown = fitting.slice(offset, offset + TABLE_ROWS);
  return (
    <div class="page wide">
      <ViewHead title={WORDS.views.mailboxes} summary={data === null ? "" : number(mailboxes, "mailbox")} />
      <FilterBox name="search" label={words.filter} />
      {data === null ? null : (
        <Choices label={TABLE_WORDS.about.source} name="source" chosen={source} values={sourcesOf(data.rows)} />
      )}
      {fault === null ? null : <FaultMessage fault={fault} onRetry={retry} />}
      {data === null && fault === null ? <Skeleton rows={12} height={28} /> : null}
      {data !== null && fitting.length === 0 ? <EmptyState title={words.none} /> : null}
      {shown.length === 0 ? null : (
        <DataTable
          label={WORDS.views.mailboxes}
          rows={shown}
          depthOf={({ depth }) => depth}
          keyOf={({ source, name, label, depth }) => `${source} ${depth} ${name ?? label}`}
          columns={COLUMNS}
        />
      )}
      <Pager total={fitting.length} rows={shown.length} />
    </div>
  );
}

const COLUMNS = [
  {
    name: "label",
    label: words.mailbox,
    cell: ({ label, depth }: MailboxWire) =>
      depth === 0 && label !== "" ? <SourceName path={label} /> : <bdi>{label || words.unnamed}</bdi>,
  },
  {
    name: "messages",
    label: TABLE_WORDS.about.messages,
    isNumber: true,
    cell: (row: MailboxWire) =>
      row.depth > 0 && row.name === null ? null : <SearchLink clause={row.clause} count={row.messages} />,
  },
  ...COUNT_NAMES.map((name) => ({
    name,
    label: WORDS.counts[name],
    isNumber: true,
    cell: ({ counts, ways, source }: MailboxWire) =>
      counts === null ? null : <Outcome name={name} counts={counts} ways={ways!} source={source} />,
  })),
];

/** Sources to choose from, with the number of mailboxes of each. */
function sourcesOf(rows: readonly MailboxWire[]): readonly { value: string; label: string; count: number }[] {
  const counts = new Map<number, number>();
  for (const { source, name } of rows) if (name !== null) counts.set(source, (counts.get(source) ?? 0) + 1);
  const sources = rows.filter(({ depth }) => depth === 0);
  const names = shortNames(sources.map(({ label }) => label));
  return sources.map(({ source }, at) => ({
    value: String(source),
    label: names[at]!,
    count: counts.get(source) ?? 0,
  }));
}

/** The rows that contain the text, each with its ancestors. */
function fittingRows(rows: readonly MailboxWire[], search: string): readonly MailboxWire[] {
  const wanted = search.trim().toLocaleLowerCase();
  if (wanted === "") return rows;
  const fitting: MailboxWire[] = [];
  const open: MailboxWire[] = [];
  const isTaken = new Set<MailboxWire>();
  for (const row of rows) {
    open.length = row.depth;
    open[row.depth] = row;
    if (![row.name, row.label].join(" ").toLocaleLowerCase().includes(wanted)) continue;
    for (const above of open) {
      if (above === undefined || isTaken.has(above)) continue;
      isTaken.add(above);
      fitting.push(above);
    }
  }
  return fitting;
}
