import { setMaxListeners } from "node:events";
import type { Worker } from "node:worker_threads";
import { ArchiveError, type ErrorCode } from "../../errors.ts";
import { startProgramThread } from "../../program-thread.ts";
import { currentTurn } from "../../search/indexing/search-turns.ts";
import type { ArchiveLocation } from "../contract/archive-location.ts";
import { callerSignal } from "../contract/caller-signal.ts";
import type { ReadingMemory } from "../contract/reading-memory.ts";
import type { ArchiveCall, RangeQuestion } from "./search-calls.ts";

/** A pending call to the search thread, and its archive. */
export interface SearchCall {
  readonly call: number;
  readonly archive: ArchiveLocation;
  readonly question: ArchiveCall | RangeQuestion;
}

/** Cancels a call whose caller no longer waits. */
export interface SearchCancellation {
  readonly cancel: number;
}

/** Ends the searches of an archive. */
export interface SearchEnd {
  readonly forget: ArchiveLocation;
  /** State of the searched ranges; null if the archive was searched as a whole. */
  readonly state: string | null;
}

/** A reply of the search thread. */
export type SearchReply =
  | { readonly call: number; readonly found: unknown }
  | {
      readonly call: number;
      readonly fault: { readonly code: ErrorCode; readonly message: string; readonly stack: string };
    };

interface Pending {
  resolve(found: unknown): void;
  reject(error: Error): void;
}

/** Starts its worker with the first query, and again after it dies. The worker opens the archives of its queries. */
export class SearchThread {
  readonly memory: ReadingMemory;
  private readonly pending = new Map<number, Pending>();
  private worker: Worker | null = null;
  private calls = 0;

  constructor(memory: ReadingMemory) {
    this.memory = memory;
  }

  /**
   * Queries the archive at a path. The caller knows the type of the result. Rejects with the reason of the caller's
   * signal.
   */
  async ask(archive: ArchiveLocation, question: SearchCall["question"]): Promise<unknown> {
    // A query in a separate thread uses further threads for its ranges.
    const signal = callerSignal() ?? currentTurn()?.signal;
    signal?.throwIfAborted();
    const call = ++this.calls;
    const cancel = (): void => this.cancel(call, signal?.reason);
    // A query calls all ranges at once, and each call adds a listener.
    if (signal !== undefined) setMaxListeners(0, signal);
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      return await this.post({ call, archive, question });
    } finally {
      signal?.removeEventListener("abort", cancel);
    }
  }

  private post(call: SearchCall): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.pending.set(call.call, { resolve, reject });
      this.worker ??= this.start();
      // While a query is pending, the worker keeps the process alive.
      this.worker.ref();
      this.worker.postMessage(call);
    });
  }

  private cancel(call: number, reason: Error): void {
    this.pending.get(call)?.reject(reason);
    this.pending.delete(call);
    if (this.pending.size === 0) this.worker?.unref();
    this.worker?.postMessage({ cancel: call } satisfies SearchCancellation);
  }

  /** Closes a searched archive; running queries are answered before. */
  forget(archive: ArchiveLocation, state: string | null = null): void {
    this.worker?.postMessage({ forget: archive, state } satisfies SearchEnd);
  }

  async close(): Promise<void> {
    const worker = this.worker;
    this.worker = null;
    this.fail(new Error("the archive was closed"));
    await worker?.terminate();
  }

  private start(): Worker {
    const worker = startWorker(this.memory);
    worker.on("message", (reply: SearchReply) => this.settle(reply, worker));
    const stopped = (cause: Error): void => {
      if (this.worker !== worker) return;
      this.worker = null;
      this.fail(cause);
    };
    worker.on("error", stopped);
    worker.on("exit", (code) => stopped(new Error(`exit code ${code}`)));
    return worker;
  }

  private settle(reply: SearchReply, worker: Worker): void {
    const waiting = this.pending.get(reply.call);
    this.pending.delete(reply.call);
    if (this.pending.size === 0) worker.unref();
    if ("found" in reply) waiting?.resolve(reply.found);
    else waiting?.reject(new ArchiveError(reply.fault.code, reply.fault.message, { cause: reply.fault.stack }));
  }

  private fail(cause: Error): void {
    for (const { reject } of this.pending.values())
      reject(new ArchiveError("INTERNAL_ERROR", "the search thread stopped", { cause }));
    this.pending.clear();
  }
}

function startWorker(memory: ReadingMemory): Worker {
  const resourceLimits = { maxYoungGenerationSizeMb: memory.nurseryMib };
  return startProgramThread("store/search-worker.js", { workerData: memory, resourceLimits });
}
