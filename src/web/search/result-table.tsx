import { useAddress, useApplication } from "../application.ts";
import { dayOf, sizeOf } from "../formats.ts";
import { RowMarks } from "../notebook/mark-editor.tsx";
import { nameOf } from "../person.ts";
import { WORDS } from "../words.ts";
import { followHere, type RowProps } from "./result-row.tsx";
import type { ResultSort } from "./search-state.ts";

/** Pixels of a row of the table. */
export const TABLE_ROW_HEIGHT = 36;

const COLUMNS = ["from", "subject", "to", "date", "mailbox", "files", "size"] as const;
type Column = (typeof COLUMNS)[number];

/** The sort order that the head of a column chooses, the second one when it is chosen already. */
const SORTS: Partial<Readonly<Record<Column, readonly ResultSort[]>>> = {
  from: ["sender"],
  date: ["newest", "oldest"],
  size: ["size"],
};

interface HeadProps {
  readonly sort: ResultSort;
  readonly onSort: (sort: ResultSort) => void;
}

/** The names of the columns; some sort. */
export function TableHead({ sort, onSort }: HeadProps) {
  return (
    <div class="table-row head">
      {COLUMNS.map((column) => {
        const sorts = SORTS[column];
        const text = WORDS.search.columns[column];
        if (sorts === undefined) return <span key={column}>{text}</span>;
        const at = sorts.indexOf(sort);
        return (
          <button
            key={column}
            type="button"
            class="text"
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

/** A message of a result, a cell for each thing. */
export function TableRow({ row, isCurrent, isCursor, onOpen }: RowProps) {
  const { isUtc } = useApplication();
  const address = useAddress();
  const [first] = row.to;
  const others = row.to_count - 1;
  return (
    <a
      class={isCursor ? "row table-row cursor" : "row table-row"}
      href={address("message", { id: row.id })}
      aria-current={isCurrent ? "true" : undefined}
      onClick={(event) => followHere(event, onOpen)}
    >
      <bdi class="who">{row.from === null ? WORDS.noSender : nameOf(row.from)}</bdi>
      <span dir="auto">
        <RowMarks id={row.id} threadId={row.thread_id} />
        {row.subject === "" ? WORDS.noSubject : row.subject}
      </span>
      <bdi>
        {first === undefined ? "" : nameOf(first)}
        {others > 0 ? ` +${others}` : ""}
      </bdi>
      <time>{row.sent_at === null ? WORDS.undated : dayOf(row.sent_at, isUtc.value)}</time>
      <bdi>{row.mailbox}</bdi>
      <bdi>{row.attachments.join(", ")}</bdi>
      <span class="count">{sizeOf(row.size_bytes)}</span>
    </a>
  );
}
