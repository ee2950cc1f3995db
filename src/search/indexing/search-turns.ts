import { AsyncLocalStorage } from "node:async_hooks";
import { ArchiveError } from "../../errors.ts";

/**
 * Processor time that one query may use, in milliseconds: ten times the time of a phrase of common words in 300,000
 * messages.
 */
export const QUERY_BUDGET_MS = 20_000;
/**
 * Milliseconds after which a query yields to others: a new query waits for one slice, and switching costs a hundredth
 * of it.
 */
const SLICE_MS = 2;
/** Milliseconds up to which only elapsed time counts: short queries never read the processor clock. */
const UNCHECKED_MS = 100;

/** Monotonic milliseconds. */
export type Clock = () => number;

/** The part of an AbortSignal that searches use. */
export interface CancelSignal {
  readonly aborted: boolean;
  readonly reason: Error;
  throwIfAborted(): void;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/**
 * The caller of a query, who may disconnect: an AbortController and its signal in one. On Node.js 20, these take a
 * twentieth of the time of a short query.
 */
export class QueryCaller implements CancelSignal {
  aborted = false;
  private readonly listeners = new Set<() => void>();

  /** Created when needed, since most callers wait for the result. */
  get reason(): Error {
    return new DOMException("This operation was aborted", "AbortError");
  }

  abort(): void {
    if (this.aborted) return;
    this.aborted = true;
    for (const listener of this.listeners) listener();
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }

  addEventListener(_type: "abort", listener: () => void): void {
    this.listeners.add(listener);
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    this.listeners.delete(listener);
  }
}

/** Clocks for time slices. */
interface TurnClocks {
  /** Processor time. Reading it costs a system call, twice per slice. */
  readonly processor: Clock;
  readonly elapsed: Clock;
}

const CURRENT = new AsyncLocalStorage<SearchTurn>();

/** A query running in a thread. Its work counts only while it is measured. */
export class SearchTurn {
  /** Processor time of the slices so far. */
  spent = 0;
  private slice = 0;
  /** Null while the processor clock is unused. */
  private resumedAt: number | null = null;
  private pause: Promise<void> | null = null;

  constructor(
    private readonly turns: SearchTurns,
    readonly signal: CancelSignal,
    private readonly budget: number,
  ) {}

  /** Adds the time since an instant of `now`; returns true if the query should yield. */
  count(since: number): boolean {
    this.slice += this.now() - since;
    return this.slice >= SLICE_MS;
  }

  now(): number {
    return this.turns.clocks.elapsed();
  }

  /**
   * Yields to others when the slice is used up. Rejects with the reason of the signal if the query was canceled, and
   * with QUERY_TOO_EXPENSIVE if its budget is used up.
   */
  async giveWay(): Promise<void> {
    if (this.slice >= SLICE_MS) {
      // Concurrent parts of one query wait together.
      this.pause ??= this.pauseSlice();
      await this.pause;
    }
    this.signal.throwIfAborted();
    if (this.spent > this.budget)
      throw new ArchiveError(
        "QUERY_TOO_EXPENSIVE",
        `the query used more than ${this.budget / 1000} seconds of processor time`,
      );
  }

  /** A slice counts the smaller of elapsed time and processor time, since other threads share the latter. */
  private async pauseSlice(): Promise<void> {
    const { processor } = this.turns.clocks;
    this.spent += this.resumedAt === null ? this.slice : Math.min(this.slice, processor() - this.resumedAt);
    await this.turns.wait(this);
    this.resumedAt = this.spent < UNCHECKED_MS ? null : processor();
    this.pause = null;
    this.slice = 0;
  }
}

/** Schedules the queries of a thread. Each yields after a slice; the one with the least used time continues. */
export class SearchTurns {
  private readonly waiting: { readonly turn: SearchTurn; readonly resume: () => void }[] = [];

  constructor(readonly clocks: TurnClocks) {}

  /** Runs a query, or a part of a running one. Rejects like `giveWay`. */
  run<T>(work: () => Promise<T>, signal: CancelSignal, budget: number = QUERY_BUDGET_MS): Promise<T> {
    return currentTurn() === undefined ? CURRENT.run(new SearchTurn(this, signal, budget), work) : work();
  }

  wait(turn: SearchTurn): Promise<void> {
    return new Promise((resume) => {
      this.waiting.push({ turn, resume });
      if (this.waiting.length === 1) setImmediate(() => this.resumeNext());
    });
  }

  /** One per turn of the event loop, so that new queries and cancellations are handled in between. */
  private resumeNext(): void {
    const least = this.waiting.reduce((best, one) => (one.turn.spent < best.turn.spent ? one : best));
    this.waiting.splice(this.waiting.indexOf(least), 1);
    if (this.waiting.length > 0) setImmediate(() => this.resumeNext());
    least.resume();
  }
}

/** The current query of the caller; undefined outside `SearchTurns.run`, where nothing is limited. */
export function currentTurn(): SearchTurn | undefined {
  return CURRENT.getStore();
}

/**
 * Runs a step of the current query: counts its time, and yields to others when the slice is used up. Returns no promise
 * if it need not yield: a short query has a hundred steps. Rejects like `giveWay`.
 */
export function runStep<T>(step: () => T): T | Promise<T> {
  const turn = currentTurn();
  if (turn === undefined) return step();
  const since = turn.now();
  const result = step();
  return turn.count(since) ? turn.giveWay().then(() => result) : result;
}
