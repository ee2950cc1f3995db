import { wordSet } from "../../mail/words/word-table.ts";

/**
 * Depth limit of elements. Browsers stop nesting at 512 and place further elements as siblings, in quadratic time: a
 * hundred thousand `<div>` blocked a page for more than 40 seconds. Replies that quote replies, each with its own
 * tables, stay far below.
 */
const MAX_DEPTH = 200;
/** Elements that a browser lays out in about two seconds; messages of people and newsletters have a tenth of that. */
const MAX_ELEMENTS = 30_000;

/** Elements that take a browser as long as several others. */
const WEIGHTS: ReadonlyMap<string, number> = new Map([
  ["details", 3],
  ["ruby", 6],
]);

/** Elements that browsers reopen in the next block (HTML, the list of active formatting elements). */
const FORMATTING = wordSet("a b big code em font i s small strike strong tt u");
/** Elements closed by the next of their kind, without an end tag: they never nest deeply. */
const SELF_CLOSING = wordSet("dd dt li p rp rt");
/** Parts of a table that end the open elements of the previous cell. */
const TABLE_PARTS = wordSet("caption col colgroup tbody td tfoot th thead tr");
const CELLS = wordSet("caption td th");

/**
 * Tracks the open elements of a page as a browser would, so that the output never blocks one by too deep or too many
 * elements, including those that a browser reopens in each block. Never considers an element closed that a browser
 * keeps open. Linear.
 */
export class OpenElements {
  private readonly open: string[] = [];
  /** Omitted elements beyond the depth limit, by name: their end tags are omitted, too. */
  private readonly left = new Map<string, number>();
  private formatting = 0;
  private elements = 0;

  /** Number of elements that a browser creates from the output so far. */
  get count(): number {
    return this.elements;
  }

  /** True if the output exceeds the limits for a browser. */
  get isTooMuch(): boolean {
    return this.elements > MAX_ELEMENTS;
  }

  /** An element without an end tag: it is always written. */
  takeVoid(): true {
    this.elements++;
    return true;
  }

  /** True if the start tag of an element is to be written. */
  start(name: string): boolean {
    if (TABLE_PARTS.has(name)) this.endCell();
    if (name === "a") this.end("a");
    if (this.open.length >= MAX_DEPTH) {
      this.left.set(name, (this.left.get(name) ?? 0) + 1);
      return false;
    }
    this.elements += (WEIGHTS.get(name) ?? 1) + (FORMATTING.has(name) ? 0 : this.formatting);
    if (SELF_CLOSING.has(name) || (TABLE_PARTS.has(name) && !CELLS.has(name))) return true;
    this.push(name);
    return true;
  }

  /** True if the end tag of an element is to be written. */
  end(name: string): boolean {
    const left = this.left.get(name) ?? 0;
    if (left > 0) {
      this.left.set(name, left - 1);
      return false;
    }
    // Without a start tag, it creates an empty paragraph.
    if (name === "p") this.elements += 1 + this.formatting;
    else if (TABLE_PARTS.has(name)) this.endCell();
    else if (name === "table") this.endTable();
    else this.cut(this.placeInScope(name), FORMATTING.has(name));
    return true;
  }

  /** The last open element of a name; -1 if a table or cell is between: its end tag is then ignored. */
  private placeInScope(name: string): number {
    for (let at = this.open.length - 1; at >= 0; at--) {
      const open = this.open[at]!;
      if (open === name) return at;
      if (open === "table" || CELLS.has(open)) return -1;
    }
    return -1;
  }

  /** Closes the open cell in the innermost table, with all its content. */
  private endCell(): void {
    const table = this.open.lastIndexOf("table");
    const cell = this.open.findIndex((name, at) => at > table && CELLS.has(name));
    if (cell < 0) return;
    for (const name of this.open.splice(cell)) if (FORMATTING.has(name)) this.formatting--;
  }

  private endTable(): void {
    this.endCell();
    this.cut(this.open.lastIndexOf("table"));
  }

  /** Closes an element and its content, except formatting, which continues after it. */
  private cut(at: number, isAlone = false): void {
    if (at < 0) return;
    const [closed, ...inside] = this.open.splice(at);
    if (FORMATTING.has(closed!)) this.formatting--;
    this.open.push(...inside.filter((name) => isAlone || FORMATTING.has(name)));
  }

  private push(name: string): void {
    this.open.push(name);
    if (FORMATTING.has(name)) this.formatting++;
  }
}
