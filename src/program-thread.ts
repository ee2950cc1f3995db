import { Worker, type WorkerOptions } from "node:worker_threads";
import { builtFile, isExecutable, readBuiltFile } from "./built-files.ts";

/**
 * Starts a thread of this program.
 * @param entry its file, by the path in `dist/`
 */
export function startProgramThread(entry: string, options: WorkerOptions = {}): Worker {
  // In a built package, it is a single script without imports: see bundleThreads in scripts/bundle-program.mjs.
  if (isExecutable)
    return new Worker(readBuiltFile(entry.replace(/\.js$/, ".mjs")).toString(), { ...options, eval: true });
  return new Worker(builtFile(entry), options);
}

/**
 * Calls to a thread of this program. It starts with the first call, and again after it ended. While a call is pending,
 * it keeps the process alive.
 */
export class ThreadCalls<Reply extends { readonly call: number }> {
  /** Number of calls so far. */
  count = 0;
  private readonly pending = new Map<number, { resolve(reply: Reply): void; reject(error: Error): void }>();
  private worker: Worker | null = null;

  /** @param stopped the error of calls that are pending when the thread ends by itself */
  constructor(
    private readonly start: () => Worker,
    private readonly stopped: (cause: Error) => Error,
  ) {}

  /** Posts a message with the number of the call; resolves with the reply that has it. */
  post(messageOf: (call: number) => object): Promise<Reply> {
    const call = ++this.count;
    return new Promise((resolve, reject) => {
      this.pending.set(call, { resolve, reject });
      const worker = this.worker ?? this.open();
      worker.ref();
      worker.postMessage(messageOf(call));
    });
  }

  /** Posts a message without a reply, if the thread is running. */
  notify(message: object): void {
    this.worker?.postMessage(message);
  }

  /** Rejects a pending call; its reply is ignored. */
  cancel(call: number, reason: Error): void {
    this.take(call)?.reject(reason);
  }

  /** Ends the thread; pending calls reject. */
  async end(reason: Error): Promise<void> {
    const { worker } = this;
    this.worker = null;
    for (const { reject } of this.pending.values()) reject(reason);
    this.pending.clear();
    await worker?.terminate();
  }

  private open(): Worker {
    const worker = this.start();
    this.worker = worker;
    worker.on("message", (reply: Reply) => this.take(reply.call)?.resolve(reply));
    const ended = (cause: Error): void => {
      if (this.worker === worker) void this.end(this.stopped(cause));
    };
    worker.on("error", ended);
    worker.on("exit", (code) => ended(new Error(`exit code ${code}`)));
    return worker;
  }

  private take(call: number) {
    const waiting = this.pending.get(call);
    this.pending.delete(call);
    if (this.pending.size === 0) this.worker?.unref();
    return waiting;
  }
}
