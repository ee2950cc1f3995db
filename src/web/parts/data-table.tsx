import type { ComponentChild } from "preact";
import { WORDS } from "../words/words.ts";

/** A column of a table. */
export interface DataColumn<Row> {
  readonly name: string;
  readonly label: string;
  readonly cell: (row: Row) => ComponentChild;
  /** Numbers are right-aligned. */
  readonly isNumber?: boolean;
  /** Omitted on phones, for lack of space. */
  readonly isMinor?: boolean;
  /** The URL of the table sorted by this column. */
  readonly sorted?: Sorted | undefined;
}

interface Sorted {
  readonly href: string;
  readonly direction: "ascending" | "descending" | null;
}

interface DataTableProps<Row> {
  readonly label: string;
  readonly columns: readonly DataColumn<Row>[];
  readonly rows: readonly Row[];
  /** Totals below the rows. */
  readonly sum?: Row | undefined;
  readonly keyOf: (row: Row, index: number) => string;
  /** Levels of a row in a tree, from 0. */
  readonly depthOf?: (row: Row) => number;
}

/** Rows of one kind, with one cell per column; the first cell names the row. Phones show each row as a card. */
export function DataTable<Row>({ label, columns, rows, sum, keyOf, depthOf }: DataTableProps<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys (WCAG 2.1.1)
    <section class="data" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr data-label={WORDS.search.sort}>
            {columns.map((column) => (
              <th
                key={column.name}
                scope="col"
                class={classOf(column)}
                aria-sort={column.sorted?.direction ?? undefined}
              >
                {column.sorted === undefined ? column.label : <SortLink text={column.label} {...column.sorted} />}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={keyOf(row, index)} data-depth={depthOf?.(row)} style={{ "--depth": depthOf?.(row) }}>
              <Cells columns={columns} row={row} />
            </tr>
          ))}
        </tbody>
        {sum === undefined ? null : (
          <tfoot>
            <tr>
              <Cells columns={columns} row={sum} />
            </tr>
          </tfoot>
        )}
      </table>
    </section>
  );
}

function Cells<Row>({ columns, row }: { readonly columns: readonly DataColumn<Row>[]; readonly row: Row }) {
  return (
    <>
      {columns.map((column, at) =>
        at === 0 ? (
          <th key={column.name} scope="row">
            {column.cell(row)}
          </th>
        ) : (
          <td key={column.name} class={classOf(column)} data-label={column.label}>
            {column.cell(row)}
          </td>
        ),
      )}
    </>
  );
}

function classOf({ isNumber, isMinor }: Pick<DataColumn<unknown>, "isNumber" | "isMinor">): string | undefined {
  if (isNumber) return "number";
  return isMinor ? "minor" : undefined;
}

function SortLink({ text, href, direction }: Sorted & { readonly text: string }) {
  return (
    <a href={href}>
      {text}
      {direction === null ? "" : direction === "ascending" ? " ↑" : " ↓"}
    </a>
  );
}
