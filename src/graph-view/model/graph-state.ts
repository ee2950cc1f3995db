import { COLORED, type GraphModel, NO_NODE } from "./graph-model.ts";

/** Seconds since 1970, both inclusive. */
interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

export type Change = "focus" | "filter";

/** State shared by all parts of the page. */
export interface GraphView {
  readonly model: GraphModel;
  readonly state: GraphState;
}

/** A part in which contacts can be selected. */
export interface ChoosingView extends GraphView {
  /** The contact is to be shown in the graph. */
  readonly onChoose: (node: number) => void;
}

/** The user's selection; all parts of the page listen to it. */
export class GraphState {
  hovered = NO_NODE;
  selected = NO_NODE;
  matches: ReadonlySet<number> = new Set();
  /** 1 for every node that passes the filters. */
  readonly visible: Uint8Array;
  readonly shownSlots = new Uint8Array(COLORED + 1).fill(1);
  private span: TimeSpan | null = null;
  private readonly listeners: ((change: Change) => void)[] = [];

  constructor(private readonly model: GraphModel) {
    this.visible = new Uint8Array(model.size).fill(1);
  }

  listen(listener: (change: Change) => void): void {
    this.listeners.push(listener);
  }

  hover(node: number): void {
    if (this.hovered === node) return;
    this.hovered = node;
    this.notify("focus");
  }

  select(node: number): void {
    if (this.selected === node) return;
    this.selected = node;
    this.notify("focus");
  }

  match(nodes: readonly number[]): void {
    this.matches = new Set(nodes);
    this.notify("focus");
  }

  showSlots(isShown: (slot: number) => boolean): void {
    for (let slot = 0; slot <= COLORED; slot++) this.shownSlots[slot] = isShown(slot) ? 1 : 0;
    this.filter();
  }

  /** @param span null shows contacts of every time, undated ones too. */
  showSpan(span: TimeSpan | null): void {
    this.span = span;
    this.filter();
  }

  /** The focused node, which dims all others, or -1. */
  get focus(): number {
    return this.hovered === NO_NODE ? this.selected : this.hovered;
  }

  get visibleCount(): number {
    return this.visible.reduce((sum, shown) => sum + shown, 0);
  }

  private filter(): void {
    const { slot, size } = this.model;
    for (let node = 0; node < size; node++)
      this.visible[node] = this.shownSlots[slot[node]!]! === 1 && this.wasSeen(node) ? 1 : 0;
    if (this.selected !== NO_NODE && this.visible[this.selected] === 0) this.selected = NO_NODE;
    if (this.hovered !== NO_NODE && this.visible[this.hovered] === 0) this.hovered = NO_NODE;
    this.notify("filter");
  }

  private wasSeen(node: number): boolean {
    if (this.span === null) return true;
    const { firstSeen, lastSeen } = this.model.data.nodes;
    const first = firstSeen[node] ?? null;
    const last = lastSeen[node] ?? first;
    return first !== null && last !== null && first <= this.span.to && last >= this.span.from;
  }

  private notify(change: Change): void {
    for (const listener of this.listeners) listener(change);
  }
}
