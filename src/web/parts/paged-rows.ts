import { type Signal, signal } from "@preact/signals";
import type { Answers } from "../shell/answers.ts";
import { Fault } from "../shell/fault.ts";

/** Rows per request. */
export const PAGE_ROWS = 50;
/** Milliseconds that a range must be visible before it is requested: dragging a scroll bar passes thousands of rows. */
const SETTLE_MS = 60;

/** The rows of a long response, loaded as they come into view. */
export class PagedRows<T> {
  /** Incremented with every page that arrives. */
  readonly version: Signal<number> = signal(0);
  readonly fault: Signal<Fault | null> = signal(null);
  private readonly pages = new Map<number, readonly T[]>();
  private readonly asked = new Map<number, AbortController>();
  private timer: ReturnType<typeof setTimeout> | null = null;

  /**
   * @param pathOf path of the page that begins with a row
   * @param rowsOf rows of a response
   */
  constructor(
    private readonly answers: Answers,
    private readonly pathOf: (offset: number) => string,
    private readonly rowsOf: (answer: never) => readonly T[],
  ) {}

  row(index: number): T | null {
    const page = Math.floor(index / PAGE_ROWS);
    const held = this.pages.get(page) ?? this.keptPage(page);
    return held?.[index % PAGE_ROWS] ?? null;
  }

  /** Loaded rows of a range. */
  held(first: number, end: number): readonly T[] {
    return Array.from({ length: end - first }, (_, at) => this.row(first + at)).filter((row) => row !== null);
  }

  /** Loads the missing rows of a range; shows an error and returns false on failure. */
  async bring(first: number, end: number): Promise<boolean> {
    const [from, to] = pagesOf(first, end);
    const pages = Array.from({ length: to - from + 1 }, (_, at) => from + at);
    const brought = await Promise.allSettled(pages.map((page) => this.isHeld(page) || this.fetch(page)));
    const failed = brought.find(({ status }) => status === "rejected");
    if (failed?.status === "rejected" && failed.reason instanceof Fault) this.fault.value = failed.reason;
    return failed === undefined;
  }

  /** Requests the pages of a range and cancels others. */
  want(first: number, end: number): void {
    const [from, to] = pagesOf(first, end);
    for (const [page, control] of this.asked) {
      if (page >= from && page <= to) continue;
      control.abort();
      this.asked.delete(page);
    }
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      for (let page = from; page <= to; page++) this.ask(page);
    }, SETTLE_MS);
  }

  close(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    for (const control of this.asked.values()) control.abort();
  }

  private keptPage(page: number): readonly T[] | null {
    const kept = this.answers.peek<never>(this.pathOf(page * PAGE_ROWS));
    if (kept === null) return null;
    const rows = this.rowsOf(kept);
    this.pages.set(page, rows);
    return rows;
  }

  private ask(page: number): void {
    if (this.asked.has(page) || this.isHeld(page)) return;
    const control = new AbortController();
    this.asked.set(page, control);
    this.fetch(page, control.signal)
      .catch((cause: unknown) => {
        if (!control.signal.aborted && cause instanceof Fault) this.fault.value = cause;
      })
      .finally(() => this.asked.delete(page));
  }

  private isHeld(page: number): boolean {
    return this.pages.has(page) || this.keptPage(page) !== null;
  }

  private async fetch(page: number, abort?: AbortSignal): Promise<void> {
    const answer = await this.answers.ask<never>(this.pathOf(page * PAGE_ROWS), abort);
    this.pages.set(page, this.rowsOf(answer));
    this.fault.value = null;
    this.version.value++;
  }
}

/** First and last page of a range of rows, possibly empty. */
function pagesOf(first: number, end: number): readonly [from: number, to: number] {
  return [Math.floor(first / PAGE_ROWS), Math.floor(Math.max(first, end - 1) / PAGE_ROWS)];
}
