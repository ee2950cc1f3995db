import { AsyncLocalStorage } from "node:async_hooks";
import type { CancelSignal } from "../../search/indexing/search-turns.ts";

const CALLER = new AsyncLocalStorage<CancelSignal>();

/** Runs work for a caller that may disconnect: its searches end when the signal aborts. */
export function forCaller<T>(signal: CancelSignal, work: () => T): T {
  return CALLER.run(signal, work);
}

/** The signal of the caller that the current work is for. */
export function callerSignal(): CancelSignal | undefined {
  return CALLER.getStore();
}
