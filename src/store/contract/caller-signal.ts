import { AsyncLocalStorage } from "node:async_hooks";

const CALLER = new AsyncLocalStorage<AbortSignal>();

/** Runs work for a caller that may disconnect: its searches end when the signal aborts. */
export function forCaller<T>(signal: AbortSignal, work: () => T): T {
  return CALLER.run(signal, work);
}

/** The signal of the caller that the current work is for. */
export function callerSignal(): AbortSignal | undefined {
  return CALLER.getStore();
}
