import { setMaxListeners } from "node:events";
import { ArchiveError, type ErrorCode } from "../../errors.ts";
import { startProgramThread, ThreadCalls } from "../../program-thread.ts";
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

/** Starts its worker with the first query, and again after it dies. The worker opens the archives of its queries. */
export class SearchThread {
  private readonly calls: ThreadCalls<SearchReply>;

  constructor(readonly memory: ReadingMemory) {
    const resourceLimits = { maxYoungGenerationSizeMb: memory.nurseryMib };
    const start = () => startProgramThread("store/search-worker.js", { workerData: memory, resourceLimits });
    this.calls = new ThreadCalls(start, threadStopped);
  }

  /**
   * Queries the archive at a path. The caller knows the type of the result. Rejects with the reason of the caller's
   * signal.
   */
  async ask(archive: ArchiveLocation, question: SearchCall["question"]): Promise<unknown> {
    // A query in a separate thread uses further threads for its ranges.
    const signal = callerSignal() ?? currentTurn()?.signal;
    signal?.throwIfAborted();
    const call = this.calls.count + 1;
    const cancel = (): void => {
      this.calls.cancel(call, signal!.reason);
      this.calls.notify({ cancel: call } satisfies SearchCancellation);
    };
    // A query calls all ranges at once, and each call adds a listener.
    if (signal instanceof AbortSignal) setMaxListeners(0, signal);
    signal?.addEventListener("abort", cancel);
    try {
      const reply = await this.calls.post((): SearchCall => ({ call, archive, question }));
      if ("found" in reply) return reply.found;
      throw new ArchiveError(reply.fault.code, reply.fault.message, { cause: reply.fault.stack });
    } finally {
      signal?.removeEventListener("abort", cancel);
    }
  }

  /** Closes a searched archive; running queries are answered before. */
  forget(archive: ArchiveLocation, state: string | null = null): void {
    this.calls.notify({ forget: archive, state } satisfies SearchEnd);
  }

  close(): Promise<void> {
    return this.calls.end(threadStopped(new Error("the archive was closed")));
  }
}

function threadStopped(cause: Error): ArchiveError {
  return new ArchiveError("INTERNAL_ERROR", "the search thread stopped", { cause });
}
