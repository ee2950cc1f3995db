import { setMaxListeners } from "node:events";
import type { Worker } from "node:worker_threads";
import { ArchiveError, type ErrorCode } from "../../errors.ts";
import type { RankedHits, SearchFilter } from "../../mail/archive.ts";
import type {
  ConversationPage,
  ConversationRequest,
  ExploredPage,
  ExploredQuery,
  Facet,
  FacetRequest,
  FilePage,
  FileRequest,
  MentionedMessages,
  PageRequest,
  QueryHits,
  RankedMatch,
  Timeline,
  TimelineRequest,
  WordMatch,
} from "../../mail/exploration.ts";
import type { ItemRequest, RecordPage, RecordRequest } from "../../mail/located-records.ts";
import type { CalendarEvent } from "../../mail/records/calendar-event.ts";
import type { MessageId } from "../../mail/records/ids.ts";
import type { ArchivedItem } from "../../mail/records/item.ts";
import type { MentionKind } from "../../mail/records/mention.ts";
import { startProgramThread } from "../../program-thread.ts";
import { currentTurn } from "../../search/indexing/search-turns.ts";
import type { RangeCall } from "../../search/ranges/searched-range.ts";
import type { ArchiveLocation } from "../contract/archive-location.ts";
import { callerSignal } from "../contract/caller-signal.ts";
import type { RangeLocation } from "../contract/range-location.ts";
import type { ReadingMemory } from "../contract/reading-memory.ts";

/** A request about an archive. */
export type SearchQuestion =
  | {
      readonly ask: "search";
      readonly query: string;
      readonly limit: number;
      readonly filter: SearchFilter;
      readonly match: RankedMatch;
    }
  | { readonly ask: "matching"; readonly query: string; readonly filter: SearchFilter; readonly match: WordMatch }
  | { readonly ask: "page"; readonly request: PageRequest }
  | { readonly ask: "facets"; readonly request: FacetRequest }
  | { readonly ask: "timeline"; readonly request: TimelineRequest }
  | { readonly ask: "hits"; readonly queries: readonly ExploredQuery[] }
  | { readonly ask: "attachment-counts" }
  | { readonly ask: "mentions"; readonly kind: MentionKind }
  | { readonly ask: "conversations"; readonly request: ConversationRequest }
  | { readonly ask: "files"; readonly request: FileRequest }
  | { readonly ask: "events"; readonly request: RecordRequest }
  | { readonly ask: "items"; readonly request: ItemRequest }
  | {
      readonly ask: "range";
      readonly place: RangeLocation;
      readonly name: RangeCall;
      readonly given: readonly unknown[];
    };

/** Result of a range call; the caller knows its type. */
export interface RangeAnswer {
  readonly range: unknown;
}

/** A pending call to the search thread, and its archive. */
export interface SearchCall {
  readonly call: number;
  readonly archive: ArchiveLocation;
  readonly question: SearchQuestion;
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

/** Result of each request. */
export type SearchAnswer =
  | RankedHits
  | readonly MessageId[]
  | ExploredPage
  | readonly Facet[]
  | Timeline
  | readonly QueryHits[]
  | Uint32Array
  | readonly MentionedMessages[]
  | ConversationPage
  | FilePage
  | RecordPage<CalendarEvent>
  | RecordPage<ArchivedItem>
  | RangeAnswer;

/** A reply of the search thread. */
export type SearchReply =
  | { readonly call: number; readonly found: SearchAnswer }
  | {
      readonly call: number;
      readonly fault: { readonly code: ErrorCode; readonly message: string; readonly stack: string };
    };

interface Pending {
  resolve(found: SearchAnswer): void;
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
   * Queries the archive at a path. The result has the shape of the request. Rejects with the reason of the caller's
   * signal.
   */
  async ask<Answer extends SearchAnswer>(archive: ArchiveLocation, question: SearchQuestion): Promise<Answer> {
    // A query in a separate thread uses further threads for its ranges.
    const signal = callerSignal() ?? currentTurn()?.signal;
    signal?.throwIfAborted();
    const call = ++this.calls;
    const cancel = (): void => this.cancel(call, signal?.reason);
    // A query calls all ranges at once, and each call adds a listener.
    if (signal !== undefined) setMaxListeners(0, signal);
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      return await this.post<Answer>({ call, archive, question });
    } finally {
      signal?.removeEventListener("abort", cancel);
    }
  }

  private post<Answer extends SearchAnswer>(call: SearchCall): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.pending.set(call.call, { resolve: (found) => resolve(found as Answer), reject });
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
