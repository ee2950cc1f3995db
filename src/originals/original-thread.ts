import type { Worker } from "node:worker_threads";
import { startProgramThread } from "../program-thread.ts";
import { removeUnpackedSources } from "../sources/finding/unpacked-sources.ts";
import type { Original, OriginalPlace, OriginalSearch } from "../sources/read-original.ts";
import type { ItemPart, OriginalPart } from "./part-of-original.ts";

/** A message or item to read in the thread. */
export type OriginalCall = { readonly call: number; readonly place: OriginalPlace } & (
  | { readonly of: "message"; readonly part: OriginalPart }
  | { readonly of: "item"; readonly part: ItemPart }
);

/** The reply; `fault` is an unexpected error of a reader. */
export type OriginalReply =
  | { readonly call: number; readonly original: Original }
  | { readonly call: number; readonly fault: string };

/** Maximum milliseconds per message: even a damaged store of 50 GB is listed in less. */
const TIME_LIMIT_MS = 120_000;
/** Heap of the thread, in MiB. The bytes of messages, up to the longest Buffer, are outside of it. */
const HEAP_MIB = 512;
/**
 * Young generation of the thread, in MiB: the bytes of messages are outside of it, and other objects are short-lived.
 */
const NURSERY_MIB = 4;

interface Waiting {
  readonly settle: (original: Original) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Reads originals one after the other in a separate thread: a malicious source can crash or block only this thread,
 * which the next request restarts.
 */
export class OriginalThread {
  private search: OriginalSearch;
  private readonly waiting = new Map<number, Waiting>();
  private worker: Worker | null = null;
  /** Number of requests so far. */
  private calls = 0;

  constructor(search: OriginalSearch) {
    this.search = search;
  }

  read(place: OriginalPlace, part: OriginalPart = { kind: "message" }): Promise<Original> {
    return this.ask((call) => ({ call, of: "message", place, part }));
  }

  /** Reads the attachments of an appointment or another Outlook item. */
  readItem(place: OriginalPlace, part: ItemPart): Promise<Original> {
    return this.ask((call) => ({ call, of: "item", place, part }));
  }

  private ask(callOf: (call: number) => OriginalCall): Promise<Original> {
    return new Promise((settle) => {
      this.calls++;
      const worker = this.worker ?? this.start();
      const timer = setTimeout(() => this.end("reading it timed out"), TIME_LIMIT_MS).unref();
      this.waiting.set(this.calls, { settle, timer });
      worker.ref();
      worker.postMessage(callOf(this.calls));
    });
  }

  /** Sets the password for protected sources, in memory only. */
  unlock(password: string): void {
    this.search = { ...this.search, password };
    // The next message starts a thread with the password.
    this.end("the password of its source was entered in the meantime: try again");
  }

  /** Ends the thread and removes unpacked files. */
  async close(): Promise<void> {
    const worker = this.worker;
    this.end("the archive was closed");
    await worker?.terminate();
    // If nothing was read, there is nothing to remove, and perhaps no permission to do so.
    if (this.calls > 0) removeUnpackedSources(this.search.unpackedDirectory);
  }

  private start(): Worker {
    const worker = startProgramThread("originals/original-worker.js", {
      workerData: this.search,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB, maxYoungGenerationSizeMb: NURSERY_MIB },
    });
    this.worker = worker;
    worker.on("message", (reply: OriginalReply) => this.settle(reply));
    const stopped = (): void => {
      if (this.worker === worker) this.end("it exceeds the limits of this program");
    };
    worker.on("error", stopped);
    worker.on("exit", stopped);
    return worker;
  }

  private settle(reply: OriginalReply): void {
    const waiting = this.waiting.get(reply.call);
    this.waiting.delete(reply.call);
    clearTimeout(waiting?.timer);
    if (this.waiting.size === 0) this.worker?.unref();
    waiting?.settle("original" in reply ? withBuffer(reply.original) : { state: "unreadable", message: reply.fault });
  }

  /** Ends the thread; call only when no request is pending. */
  private end(reason: string): void {
    void this.worker?.terminate();
    this.worker = null;
    for (const { settle, timer } of this.waiting.values()) {
      clearTimeout(timer);
      settle({ state: "unreadable", message: reason });
    }
    this.waiting.clear();
  }
}

/** A Buffer arrives as a plain Uint8Array after crossing threads. */
function withBuffer(original: Original): Original {
  if (original.state !== "available") return original;
  const { buffer, byteOffset, byteLength } = original.bytes;
  return { ...original, bytes: Buffer.from(buffer, byteOffset, byteLength) };
}
