import { startProgramThread, ThreadCalls } from "../program-thread.ts";
import type { FileSeal } from "./file-seal.ts";

export interface SealCall {
  readonly call: number;
  readonly path: string;
}

export interface SealReply {
  readonly call: number;
  readonly seal: FileSeal;
}

/** Young generation of the thread, in MiB: the bytes of files are outside of it. */
const NURSERY_MIB = 1;

/** A thread that computes seals of complete files while others are written and synced. Starts with the first file. */
export class SealThread {
  private readonly calls = new ThreadCalls<SealReply>(
    () => startProgramThread("files/seal-worker.js", { resourceLimits: { maxYoungGenerationSizeMb: NURSERY_MIB } }),
    (cause) => cause,
  );
  private readonly seals = new Map<string, Promise<FileSeal>>();
  private readonly stop = (): void => void this.calls.end(this.signal.reason as Error);

  constructor(private readonly signal: AbortSignal) {
    signal.addEventListener("abort", this.stop);
  }

  /** The seal of a file; computed once. Rejects if it cannot be read, or with the reason of the signal. */
  sealOf(path: string): Promise<FileSeal> {
    const begun = this.seals.get(path);
    if (begun !== undefined) return begun;
    const seal = this.calls.post((call) => ({ call, path }) satisfies SealCall).then((reply) => reply.seal);
    // Thrown when it is awaited.
    seal.catch(() => undefined);
    this.seals.set(path, seal);
    return seal;
  }

  async close(): Promise<void> {
    this.signal.removeEventListener("abort", this.stop);
    await this.calls.end(new Error("the files are not published"));
  }
}
