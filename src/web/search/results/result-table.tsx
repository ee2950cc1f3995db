import type { ComponentChild } from "preact";
import type { RowWire } from "../../../http/explore-api/wire/wire.ts";
import { useAddress, useApplication } from "../../application.ts";
import { RowMarks } from "../../notebook/mark-editor.tsx";
import { counted, dayOf, sizeOf } from "../../parts/formats.ts";
import { nameOf } from "../../parts/person.ts";
import { WORDS } from "../../words/words.ts";
import type { ResultSort } from "../state/search-state.ts";
import { type Column, useColumns } from "../state/table-columns.ts";
import { followHere, type RowProps, rowClass, useIsRead } from "./result-row.tsx";

/** Pixels of a row of the table. */
export const TABLE_ROW_HEIGHT = 36;

/** Grid width and content of each column. */
const CELLS: Readonly<
  Record<Column, readonly [width: string, cell: (row: RowWire, isUtc: boolean) => ComponentChild]>
> = {
  from: ["minmax(64px, 1.4fr)", ({ from }) => <bdi class="who">{from === null ? WORDS.noSender : nameOf(from)}</bdi>],
  subject: [
    "minmax(88px, 2.4fr)",
    ({ id, thread_id: threadId, subject }) => (
      <span dir="auto">
        <RowMarks id={id} threadId={threadId} />
        {subject === "" ? WORDS.noSubject : subject}
      </span>
    ),
  ],
  to: ["minmax(80px, 1fr)", ({ to: [first], to_count: count }) => <bdi>{recipients(first, count - 1)}</bdi>],
  date: ["100px", ({ sent_at: at }, isUtc) => <time>{at === null ? WORDS.undated : dayOf(at, isUtc)}</time>],
  mailbox: ["minmax(60px, 1fr)", ({ mailbox_label: mailbox }) => <bdi>{mailbox}</bdi>],
  files: ["minmax(50px, 0.6fr)", ({ attachments }) => <bdi>{attachments.join(", ")}</bdi>],
  size: ["64px", ({ size_bytes: size }) => <span class="count">{sizeOf(size)}</span>],
  labels: [
    "minmax(60px, 0.8fr)",
    ({ labels }) => <bdi>{labels.map((label) => label.replace(/^label:/, "")).join(", ")}</bdi>,
  ],
  places: ["64px", ({ places }) => <span class="count">{counted(places)}</span>],
  conversation: ["92px", ({ thread_messages: count }) => <span class="count">{counted(count)}</span>],
};

function recipients(first: RowWire["to"][number] | undefined, others: number): string {
  if (first === undefined) return "";
  return others > 0 ? `${nameOf(first)} +${others}` : nameOf(first);
}

/** The sort order for a click on a column header; the second one if it is already selected. */
const SORTS: Partial<Readonly<Record<Column, readonly ResultSort[]>>> = {
  from: ["sender"],
  date: ["newest", "oldest"],
  size: ["size"],
};

const NUMBERS: readonly Column[] = ["size", "places", "conversation"];

/** The grid of a row. */
function gridOf(columns: readonly Column[]): { readonly gridTemplateColumns: string } {
  return { gridTemplateColumns: columns.map((column) => CELLS[column][0]).join(" ") };
}

interface HeadProps {
  readonly sort: ResultSort;
  readonly onSort: (sort: ResultSort) => void;
}

/** The names of the columns; some are sortable. */
export function TableHead({ sort, onSort }: HeadProps) {
  const columns = useColumns();
  return (
    <div class="table-row head" style={gridOf(columns)}>
      {columns.map((column) => {
        const sorts = SORTS[column];
        const text = WORDS.search.columns[column];
        const align = NUMBERS.includes(column) ? " count" : "";
        if (sorts === undefined)
          return (
            <span key={column} class={align}>
              {text}
            </span>
          );
        const at = sorts.indexOf(sort);
        return (
          <button
            key={column}
            type="button"
            class={`text${align}`}
            aria-pressed={at >= 0}
            onClick={() => onSort(sorts[(at + 1) % sorts.length]!)}
          >
            {text}
            {at < 0 ? "" : at === 0 ? " ↓" : " ↑"}
          </button>
        );
      })}
    </div>
  );
}

/** A message as a table row. */
export function TableRow({ row, isCurrent, isCursor, onOpen }: RowProps) {
  const { isUtc } = useApplication();
  const address = useAddress();
  const columns = useColumns();
  return (
    <a
      class={rowClass("row table-row", isCursor, useIsRead(row.id))}
      href={address("message", { id: row.id })}
      style={gridOf(columns)}
      aria-current={isCurrent ? "true" : undefined}
      onClick={(event) => followHere(event, onOpen)}
    >
      {columns.map((column) => CELLS[column][1](row, isUtc.value))}
    </a>
  );
}
