import type { Worker } from "node:worker_threads";
import { ArchiveError, type ErrorCode, systemErrorCode } from "../../errors.ts";
import type { ExtractionEvent } from "../../extraction/extraction-event.ts";
import { PublishGate } from "../../extraction/publishing/publish-gate.ts";
import type { ExtractionReport, ExtractionRequest } from "../../extraction/run/extraction-request.ts";
import type { OutputFormats } from "../../outputs/write-outputs.ts";
import { startProgramThread } from "../../program-thread.ts";
import type { CopyReport } from "../../store/archive/copy-archive.ts";
import type { ArchiveLocation } from "../../store/contract/archive-location.ts";
import { processLimits, requireAddressSpace } from "./address-space.ts";

/** Milliseconds for a thread to clean up after a signal; most phases are long computations that cannot react. */
const GRACE_MS = 200;
/** Maximum milliseconds to wait for its end. Only a system or SQLite call can delay it. */
const END_MS = 400;
/** Error code of a thread that exceeds its memory limit. */
const OUT_OF_MEMORY = "ERR_WORKER_OUT_OF_MEMORY";

/** Code of the records of requested redactions, which are not warnings. */
export const REDACTED = "redacted";

/** Serializable parameters of an extraction. */
export interface ExtractionWork {
  readonly kind: "extract";
  readonly request: Omit<ExtractionRequest, "signal" | "gate" | "onEvent" | "writeOutputs">;
  /** The requested outputs; an incremental run also updates the others that the output directory has. */
  readonly formats: Omit<OutputFormats, "jobs" | "onMessages">;
  /** True to report every redacted message. */
  readonly tellsRedactions: boolean;
}

/** Imports a document as an archive and returns its location. */
interface ImportWork {
  readonly kind: "import";
  readonly documentPath: string;
  readonly cacheDirectory: string;
  /** Unique name of this import. */
  readonly name: string;
}

/** Copies an archive to another location and returns its number of messages. */
interface CopyWork {
  readonly kind: "copy";
  readonly from: ArchiveLocation;
  readonly to: ArchiveLocation;
  /** True to read both archives again and compare them completely. */
  readonly isVerified: boolean;
}

/**
 * Work of a command that may take long, so that it runs in a thread and Ctrl-C works. Plain data that can be posted
 * to threads.
 */
export type CommandWork = ExtractionWork | ImportWork | CopyWork;

type WorkResult<W extends CommandWork> = W extends ExtractionWork
  ? ExtractionReport
  : W extends CopyWork
    ? CopyReport
    : ArchiveLocation;

/** Start data of the thread. */
export interface WorkOrder {
  readonly work: CommandWork;
  readonly gate: SharedArrayBuffer;
}

/** Message that cancels the work in a thread. */
export const STOP = "stop";

export interface WorkFault {
  readonly code: ErrorCode | null;
  readonly message: string;
  readonly hint: string;
  readonly cause: string | null;
  readonly stack: string;
}

export type WorkReply =
  | { readonly kind: "event"; readonly event: ExtractionEvent }
  | { readonly kind: "result"; readonly result: unknown }
  | { readonly kind: "fault"; readonly fault: WorkFault };

/** Callbacks and signal of the caller. */
export interface WorkWatch {
  readonly signal: AbortSignal;
  onEvent(event: ExtractionEvent): void;
  /** Removes leftovers of a stopped thread. */
  cleanUp(): void;
}

/**
 * Young-generation heap of the thread in MiB. With twice as much, extracting 25,000 messages with Node.js 24 took 10 MB
 * more and no less CPU time; with half, 30 MB less and 3 % more CPU time.
 */
const NURSERY_MB = 24;

/**
 * Runs work in a separate thread, so that this one handles signals during long computations and calls of SQLite and the
 * system. A stopped thread is requested to end, then terminated.
 * @throws the reason of the signal; errors of the work; ArchiveError EXTRACTION_CRASHED if memory ran out.
 */
export async function performWork<W extends CommandWork>(work: W, watch: WorkWatch): Promise<WorkResult<W>> {
  watch.signal.throwIfAborted();
  requireAddressSpace(processLimits());
  const gate = new PublishGate();
  const workerData = { work, gate: gate.memory } satisfies WorkOrder;
  const resourceLimits = { maxYoungGenerationSizeMb: NURSERY_MB };
  const thread = startProgramThread("cli/command-thread.js", { workerData, resourceLimits });
  const ended = new Promise<Outcome>((settle) => thread.once("exit", () => settle({ kind: "gone" })));
  // The signal of a server outlives the thread.
  const settled = new AbortController();
  const stopping = new Promise<Outcome>((settle) => {
    const stopThread = (): void => void stop(thread, ended, gate).then(settle);
    watch.signal.addEventListener("abort", stopThread, { once: true, signal: settled.signal });
  });
  const outcome = await Promise.race([replyOf(thread, watch), ended, stopping]).finally(() => settled.abort());
  // The thread ended at an unknown point.
  if (outcome.kind === "gone" || outcome.kind === "crash") watch.cleanUp();
  // A published result is returned, even if a signal arrives.
  if (watch.signal.aborted && gate.close()) throw watch.signal.reason;
  if (outcome.kind === "result") return outcome.result as WorkResult<W>;
  if (outcome.kind === "fault") throw thrownBy(outcome.fault);
  if (outcome.kind === "crash") throw crashOf(outcome.error);
  throw new ArchiveError("INTERNAL_ERROR", "the command thread exited before it finished");
}

/** Outcome of a thread; `gone` if it ended without a message, or is blocked in a system call. */
type Outcome =
  | Exclude<WorkReply, { readonly kind: "event" }>
  | { readonly kind: "crash"; readonly error: Error }
  | { readonly kind: "gone" };

/** Asks a thread to end, and ends it after a grace period. Too late for a publishing run, which is over in a moment. */
async function stop(thread: Worker, ended: Promise<Outcome>, gate: PublishGate): Promise<Outcome> {
  if (!gate.close()) return ended;
  thread.postMessage(STOP);
  await Promise.race([ended, pause(GRACE_MS)]);
  void thread.terminate();
  return Promise.race([ended, pause(END_MS)]);
}

function replyOf(thread: Worker, watch: WorkWatch): Promise<Outcome> {
  return new Promise((settle) => {
    thread.on("message", (reply: WorkReply) => {
      if (reply.kind === "event") watch.onEvent(reply.event);
      else settle(reply);
    });
    thread.once("error", (error) => settle({ kind: "crash", error }));
  });
}

function crashOf(error: Error): Error {
  if (systemErrorCode(error) !== OUT_OF_MEMORY) return error;
  return new ArchiveError("EXTRACTION_CRASHED", "out of memory", { cause: error });
}

function thrownBy({ code, message, hint, cause, stack }: WorkFault): Error {
  const error =
    code === null
      ? new Error(message)
      : new ArchiveError(code, message, { hint, ...(cause === null ? {} : { cause: new Error(cause) }) });
  error.stack = stack;
  return error;
}

/** Holds no resources. */
function pause(milliseconds: number): Promise<Outcome> {
  return new Promise((settle) => setTimeout(settle, milliseconds, { kind: "gone" }).unref());
}
