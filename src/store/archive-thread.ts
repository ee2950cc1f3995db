import type { Worker } from "node:worker_threads";
import { ArchiveError, type ErrorCode } from "../errors.ts";
import type { Archive, RankedHits, SearchFilter } from "../mail/archive.ts";
import type { CalendarEvent } from "../mail/calendar-event.ts";
import type {
  ConversationPage,
  ConversationRequest,
  ExploredPage,
  ExploredQuery,
  Facet,
  FacetRequest,
  FilePage,
  FileRequest,
  PageRequest,
  QueryHits,
  RankedMatch,
  Timeline,
  TimelineRequest,
  WordMatch,
} from "../mail/exploration.ts";
import type { ItemRequest, RecordPage, RecordRequest } from "../mail/found-records.ts";
import type { MessageId } from "../mail/ids.ts";
import type { ArchivedItem } from "../mail/item.ts";
import { startProgramThread } from "../program-thread.ts";
import type { ArchiveLocation } from "./archive-location.ts";
import { callerSignal } from "./caller-signal.ts";
import { openArchive } from "./open-archive.ts";
import { type ReadingMemory, WHOLE_MEMORY } from "./reading-memory.ts";

/** What is asked about an archive. */
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
  | { readonly ask: "conversations"; readonly request: ConversationRequest }
  | { readonly ask: "files"; readonly request: FileRequest }
  | { readonly ask: "events"; readonly request: RecordRequest }
  | { readonly ask: "items"; readonly request: ItemRequest };

/** A question on its way to the search thread, and the archive it is about. */
export interface SearchCall {
  readonly call: number;
  readonly archive: ArchiveLocation;
  readonly question: SearchQuestion;
}

/** Says that nobody waits for the answer to a call any more. */
export interface SearchCancellation {
  readonly cancel: number;
}

/** Says that an archive will not be searched any more. */
export interface SearchEnd {
  readonly forget: ArchiveLocation;
}

/** What each question is answered with. */
export type SearchAnswer =
  | RankedHits
  | readonly MessageId[]
  | ExploredPage
  | readonly Facet[]
  | Timeline
  | readonly QueryHits[]
  | Uint32Array
  | ConversationPage
  | FilePage
  | RecordPage<CalendarEvent>
  | RecordPage<ArchivedItem>;

/** What the search thread answers. */
export type SearchReply =
  | { readonly call: number; readonly found: SearchAnswer }
  | {
      readonly call: number;
      readonly fault: { readonly code: ErrorCode; readonly message: string; readonly stack: string };
    };

/**
 * An archive whose queries run in a thread of their own, so that no other request waits behind a slow one. Queries
 * share the thread as `SearchTurns` has it; one whose caller has gone away ends. Rejects as `openArchive`.
 */
export async function openArchiveWithSearchThread(location: ArchiveLocation): Promise<Archive> {
  const thread = new SearchThread(WHOLE_MEMORY);
  const archive = await openSearchedArchive(location, thread);
  return {
    ...archive,
    async close() {
      await thread.close();
      await archive.close();
    },
  };
}

/** One of several archives whose queries share a thread, which outlives it. Rejects as `openArchive`. */
export async function openSearchedArchive(location: ArchiveLocation, thread: SearchThread): Promise<Archive> {
  const archive = await openArchive(location, thread.memory);
  return {
    ...archive,
    search: {
      search: (query, limit, filter = {}, match = "auto") =>
        thread.ask(location, { ask: "search", query, limit, filter, match }),
      matching: (query, filter = {}, match = "all") => thread.ask(location, { ask: "matching", query, filter, match }),
    },
    explore: {
      page: (request) => thread.ask(location, { ask: "page", request }),
      facets: (request) => thread.ask(location, { ask: "facets", request }),
      timeline: (request) => thread.ask(location, { ask: "timeline", request }),
      hits: (queries) => thread.ask(location, { ask: "hits", queries }),
      attachmentCounts: () => thread.ask(location, { ask: "attachment-counts" }),
      conversations: (request) => thread.ask(location, { ask: "conversations", request }),
      files: (request) => thread.ask(location, { ask: "files", request }),
    },
    events: { ...archive.events, page: (request) => thread.ask(location, { ask: "events", request }) },
    items: { ...archive.items, page: (request) => thread.ask(location, { ask: "items", request }) },
    async close() {
      thread.forget(location);
      await archive.close();
    },
  };
}

interface Pending {
  resolve(found: SearchAnswer): void;
  reject(error: Error): void;
}

/**
 * Starts its worker with the first query, and again with the next one when it has died. The worker opens the archives
 * it is asked about.
 */
export class SearchThread {
  readonly memory: ReadingMemory;
  private readonly pending = new Map<number, Pending>();
  private worker: Worker | null = null;
  private calls = 0;

  constructor(memory: ReadingMemory) {
    this.memory = memory;
  }

  /**
   * Asks the archive at a path. The answer has the shape that the question asks for. Rejects with the reason of the
   * caller's signal once that aborts.
   */
  async ask<Answer extends SearchAnswer>(archive: ArchiveLocation, question: SearchQuestion): Promise<Answer> {
    const signal = callerSignal();
    signal?.throwIfAborted();
    const call = ++this.calls;
    const cancel = (): void => this.cancel(call, signal?.reason);
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
      // While an answer is due the worker holds the process open; an idle one does not.
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

  /** Closes an archive that was searched; queries that run are answered before. */
  forget(archive: ArchiveLocation): void {
    this.worker?.postMessage({ forget: archive } satisfies SearchEnd);
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
