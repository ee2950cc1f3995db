import { make, makeButton, makeMailText } from "../model/elements.ts";
import { communityOf, type GraphModel, nameOf } from "../model/graph-model.ts";
import type { ChoosingView, GraphState } from "../model/graph-state.ts";
import { formatDay, formatNumber, formatScore } from "../model/wording.ts";
import { PICTURE_WORDS as words } from "../painting/picture-words.ts";
import type { GraphParts } from "./graph-parts.ts";

interface Column {
  readonly title: string;
  readonly isNumber: boolean;
  readonly text: (model: GraphModel, node: number) => string;
  /** Sort key. */
  readonly key: (model: GraphModel, node: number) => number | string;
}

type NumberColumn = "messages" | "sent" | "received" | "partners";
type ScoreColumn = "hub" | "authority" | "pagerank";
type DateColumn = "firstSeen" | "lastSeen";

const countColumn = (column: NumberColumn): Column => ({
  title: words.columns[column],
  isNumber: true,
  text: ({ data }, node) => formatNumber(data.nodes[column][node]!),
  key: ({ data }, node) => data.nodes[column][node]!,
});
const scoreColumn = (column: ScoreColumn): Column => ({
  title: words.columns[column],
  isNumber: true,
  text: ({ data }, node) => formatScore(data.nodes[column][node]!),
  key: ({ data }, node) => data.nodes[column][node]!,
});
const dateColumn = (column: DateColumn): Column => ({
  title: words.columns[column],
  isNumber: true,
  text: ({ data }, node) => formatDay(data.nodes[column][node] ?? null),
  key: ({ data }, node) => data.nodes[column][node] ?? Number.NEGATIVE_INFINITY,
});

const NAME: Column = {
  title: words.columns.name,
  isNumber: false,
  text: nameOf,
  key: (model, node) => nameOf(model, node).toLowerCase(),
};
const COLUMNS: readonly Column[] = [
  NAME,
  {
    title: words.columns.email,
    isNumber: false,
    text: ({ data }, node) => data.nodes.email[node]!,
    key: ({ data }, node) => data.nodes.email[node]!.toLowerCase(),
  },
  countColumn("messages"),
  countColumn("sent"),
  countColumn("received"),
  countColumn("partners"),
  {
    title: words.columns.community,
    isNumber: false,
    text: communityOf,
    key: ({ data }, node) => data.nodes.community[node]!,
  },
  scoreColumn("hub"),
  scoreColumn("authority"),
  scoreColumn("pagerank"),
  dateColumn("firstSeen"),
  dateColumn("lastSeen"),
];
const MESSAGES = 2;

type TableParts = Pick<GraphParts, "tableHead" | "tableRows" | "caption">;

/** The contacts as a sortable table, accessible to screen readers. Created on first use. */
export class ContactTable {
  private readonly head: HTMLElement;
  private readonly body: HTMLElement;
  private readonly caption: HTMLElement;
  private readonly model: GraphModel;
  private readonly state: GraphState;
  private readonly onChoose: (node: number) => void;
  private rows: readonly HTMLTableRowElement[] = [];
  private column = MESSAGES;
  private isDescending = true;

  constructor(parts: TableParts, { model, state, onChoose }: ChoosingView) {
    this.head = parts.tableHead;
    this.body = parts.tableRows;
    this.caption = parts.caption;
    this.model = model;
    this.state = state;
    this.onChoose = onChoose;
    state.listen(() => this.filter());
  }

  show(): void {
    if (this.rows.length === 0) this.make();
    this.filter();
  }

  private make(): void {
    this.rows = Array.from({ length: this.model.size }, (_, node) => this.row(node));
    this.head.replaceChildren(
      ...COLUMNS.map(({ title, isNumber }, at) => {
        const cell = make("th", isNumber ? "number" : "");
        cell.scope = "col";
        cell.append(makeButton("sort", title, () => this.sortBy(at)));
        return cell;
      }),
    );
    this.sort();
  }

  private row(node: number): HTMLTableRowElement {
    const row = make("tr", "");
    for (const [at, column] of COLUMNS.entries()) {
      const text = column.text(this.model, node);
      const cell = makeMailText(at === 0 ? "th" : "td", column.isNumber ? "number" : "", at === 0 ? "" : text);
      if (at === 0) {
        cell.setAttribute("scope", "row");
        cell.append(makeButton(`choice swatch-${this.model.slot[node]}`, text, () => this.onChoose(node)));
      }
      row.append(cell);
    }
    return row;
  }

  /** A second click on a column reverses its order; numbers start with the largest. */
  private sortBy(column: number): void {
    this.isDescending = column === this.column ? !this.isDescending : COLUMNS[column]!.isNumber;
    this.column = column;
    this.sort();
  }

  private sort(): void {
    const { key } = COLUMNS[this.column]!;
    const keys = this.rows.map((_, node) => key(this.model, node));
    const sign = this.isDescending ? -1 : 1;
    const order = Array.from(keys.keys()).sort((a, b) =>
      keys[a]! < keys[b]! ? -sign : keys[a]! > keys[b]! ? sign : a - b,
    );
    this.body.replaceChildren(...order.map((node) => this.rows[node]!));
    for (const [at, cell] of Array.from(this.head.children).entries()) {
      if (at === this.column) cell.setAttribute("aria-sort", this.isDescending ? "descending" : "ascending");
      else cell.removeAttribute("aria-sort");
    }
  }

  private filter(): void {
    const { visible, matches } = this.state;
    let shown = 0;
    for (const [node, row] of this.rows.entries()) {
      row.hidden = visible[node] === 0 || (matches.size > 0 && !matches.has(node));
      if (!row.hidden) shown++;
    }
    this.caption.textContent = words.caption(shown, this.model.size);
  }
}
