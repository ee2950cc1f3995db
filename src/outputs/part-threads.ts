import type { Worker } from "node:worker_threads";
import type { OrdinalRange } from "../mail/archive.ts";
import { startProgramThread } from "../program-thread.ts";
import type { VaultPart, VaultPlan } from "./wiki/vault-part.ts";

/** Young-generation heap of a thread in MiB. */
const NURSERY_MB = 16;

/** Messages to render in threads. */
interface DividedMessages {
  /** Output directory with the finished archive. */
  readonly directory: string;
  readonly ranges: readonly OrdinalRange[];
  /** Maximum number of threads. */
  readonly jobs: number;
}

/** Start data of a thread. */
export interface PartsOrder {
  readonly directory: string;
  readonly ranges: readonly OrdinalRange[];
  readonly vault: VaultPlan;
  /** The index of the next range to render, which threads share. */
  readonly next: Int32Array;
}

export type PartReply =
  | { readonly index: number; readonly messages: number; readonly part: VaultPart }
  | { readonly fault: { readonly message: string; readonly code: string | null; readonly stack: string } };

/** Threads that render parts of the messages of an archive. Each takes the next part when it is done with one. */
export class PartThreads {
  private threads: readonly Worker[] = [];
  private readonly parts: VaultPart[] = [];
  private done: Promise<unknown> = Promise.resolve();

  /** @param onMessages called with the number of messages of each part */
  constructor(
    private readonly messages: DividedMessages,
    private readonly onMessages: (count: number) => void,
  ) {}

  start(vault: VaultPlan): void {
    const { directory, ranges, jobs } = this.messages;
    const next = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const workerData = { directory, ranges, vault, next } satisfies PartsOrder;
    const resourceLimits = { maxYoungGenerationSizeMb: NURSERY_MB };
    this.threads = Array.from({ length: Math.min(jobs, ranges.length) }, () =>
      startProgramThread("outputs/part-worker.js", { workerData, resourceLimits }),
    );
    this.done = Promise.all(this.threads.map((thread) => this.endOf(thread)));
    // Thrown when awaited.
    this.done.catch(() => undefined);
  }

  /** Waits for all parts and returns them in order. */
  async all(): Promise<readonly VaultPart[]> {
    await this.done;
    return this.parts;
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
        this.parts[reply.index] = reply.part;
        this.onMessages(reply.messages);
      });
      thread.once("error", reject);
      thread.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`exit code ${code}`))));
    });
  }
}
