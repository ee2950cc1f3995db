import { closeSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { readFully } from "../files/read-fully.ts";
import type { OrdinalRange } from "../mail/archive.ts";
import { startProgramThread } from "../program-thread.ts";
import { DIVIDED_SCAN_MEMORY } from "../store/contract/reading-memory.ts";
import type { VaultPart, VaultPlan } from "./wiki/vault-part.ts";

/** Bytes of a rendered file read at a time. */
const CHUNK_BYTES = 1 << 18;

/** Messages to render in threads. */
interface DividedMessages {
  /** Output directory with the finished archive. */
  readonly directory: string;
  readonly ranges: readonly OrdinalRange[];
  /** Files with messages to write. */
  readonly json: boolean;
  readonly csv: boolean;
}

/** Start data of a thread. */
export interface PartsRequest extends DividedMessages {
  /** Null without a wiki. */
  readonly vault: VaultPlan | null;
  /** The index of the next range to render, which threads share. */
  readonly next: Int32Array;
}

export type PartReply =
  | { readonly index: number; readonly messages: number; readonly part: VaultPart | null }
  | { readonly fault: { readonly message: string; readonly code: string | null; readonly stack: string } };

/** Temporary file with the messages of a part as elements of extraction.json. */
export function linesPath(directory: string, index: number): string {
  return join(directory, `.message-lines-${index}`);
}

/** Temporary file with the messages of a part as rows of emails.csv. */
export function rowsPath(directory: string, index: number): string {
  return join(directory, `.message-rows-${index}`);
}

/** Threads that render parts of the messages of an archive. Each takes the next part when it is done with one. */
export class PartThreads {
  private threads: readonly Worker[] = [];
  private readonly parts = new Map<number, VaultPart | null>();
  private done: Promise<unknown> = Promise.resolve();
  private wake: () => void = () => undefined;

  /**
   * @param jobs maximum number of threads
   * @param onMessages called with the number of messages of each part
   */
  constructor(
    private readonly messages: DividedMessages,
    private readonly jobs: number,
    private readonly onMessages: (count: number) => void,
  ) {}

  start(vault: VaultPlan | null): void {
    const next = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const workerData = { ...this.messages, vault, next } satisfies PartsRequest;
    const resourceLimits = { maxYoungGenerationSizeMb: DIVIDED_SCAN_MEMORY.nurseryMib };
    this.threads = Array.from({ length: Math.min(this.jobs, this.messages.ranges.length) }, () =>
      startProgramThread("outputs/part-worker.js", { workerData, resourceLimits }),
    );
    this.done = Promise.all(this.threads.map((thread) => this.endOf(thread)));
    // Thrown when awaited.
    this.done.catch(() => undefined);
  }

  /** All parts in order, as they are rendered. */
  async *inOrder(): AsyncGenerator<{ readonly index: number; readonly part: VaultPart | null }> {
    for (const index of this.messages.ranges.keys()) {
      while (!this.parts.has(index)) await this.nextReply();
      yield { index, part: this.parts.get(index)! };
      this.parts.delete(index);
    }
  }

  private nextReply(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.wake = resolve;
      this.done.catch(reject);
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.terminate()));
  }

  /** Takes the replies of a thread. It ends when no part is left. */
  private endOf(thread: Worker): Promise<void> {
    return new Promise((resolve, reject) => {
      thread.on("message", (reply: PartReply) => {
        if ("fault" in reply) {
          reject(Object.assign(new Error(reply.fault.message), reply.fault));
          return;
        }
        this.parts.set(reply.index, reply.part);
        this.onMessages(reply.messages);
        this.wake();
      });
      thread.once("error", reject);
      thread.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`exit code ${code}`))));
    });
  }
}

/** Reads a temporary file and removes it. Each chunk is valid until the next. */
export function* takeChunks(path: string): Generator<Uint8Array> {
  const descriptor = openSync(path, "r");
  try {
    const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    for (let count = readFully(descriptor, chunk, null); count > 0; count = readFully(descriptor, chunk, null))
      yield chunk.subarray(0, count);
  } finally {
    closeSync(descriptor);
  }
  rmSync(path);
}
