import { startProgramThread, ThreadCalls } from "../program-thread.ts";
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

/**
 * Reads originals one after the other in a separate thread: a malicious source can crash or block only this thread,
 * which the next request restarts.
 */
export class OriginalThread {
  private readonly calls = new ThreadCalls<OriginalReply>(
    () =>
      startProgramThread("originals/original-worker.js", {
        workerData: this.search,
        resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB, maxYoungGenerationSizeMb: NURSERY_MIB },
      }),
    () => new Error("it exceeds the limits of this program"),
  );

  constructor(private search: OriginalSearch) {}

  read(place: OriginalPlace, part: OriginalPart = { kind: "message" }): Promise<Original> {
    return this.ask((call) => ({ call, of: "message", place, part }));
  }

  /** Reads the attachments of an appointment or another Outlook item. */
  readItem(place: OriginalPlace, part: ItemPart): Promise<Original> {
    return this.ask((call) => ({ call, of: "item", place, part }));
  }

  private async ask(callOf: (call: number) => OriginalCall): Promise<Original> {
    const timer = setTimeout(() => void this.calls.end(new Error("reading it timed out")), TIME_LIMIT_MS).unref();
    try {
      const reply = await this.calls.post(callOf);
      return "original" in reply ? withBuffer(reply.original) : { state: "unreadable", message: reply.fault };
    } catch (error) {
      return { state: "unreadable", message: error instanceof Error ? error.message : String(error) };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Sets the password for protected sources, in memory only. */
  unlock(password: string): void {
    this.search = { ...this.search, password };
    // The next message starts a thread with the password.
    void this.calls.end(new Error("the password of its source was entered in the meantime: try again"));
  }

  /** Ends the thread and removes unpacked files. */
  async close(): Promise<void> {
    await this.calls.end(new Error("the archive was closed"));
    // If nothing was read, there is nothing to remove, and perhaps no permission to do so.
    if (this.calls.count > 0) removeUnpackedSources(this.search.unpackedDirectory);
  }
}

/** A Buffer arrives as a plain Uint8Array after crossing threads. */
function withBuffer(original: Original): Original {
  if (original.state !== "available") return original;
  const { buffer, byteOffset, byteLength } = original.bytes;
  return { ...original, bytes: Buffer.from(buffer, byteOffset, byteLength) };
}
