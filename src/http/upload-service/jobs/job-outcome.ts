import type { UploadFault } from "../../../mail/uploads.ts";
import type { JobResult } from "../base/job-messages.ts";
import { framesOf, OUT_OF_MEMORY_MESSAGE } from "./job-fault.ts";
import type { JobEnd } from "./job-process.ts";

/**
 * Maximum attempts of an upload whose job was killed: the upload may be the cause, and must not block the queue
 * forever.
 */
export const MAX_INTERRUPTIONS = 3;
/**
 * Maximum attempts of an upload whose service ended before its job: restarts are not its fault, but an upload that
 * crashes its service must not do so forever.
 */
export const MAX_ATTEMPTS = 20;

/** Outcome of a job. An interrupted one is retried, or fails with that error. */
export type JobOutcome =
  | { readonly kind: "completed"; readonly result: JobResult }
  | { readonly kind: "failed" | "interrupted"; readonly fault: UploadFault; readonly trace: readonly string[] };

/** Signals sent from outside: by the kernel on low memory, an operator, a service manager. A retry may succeed. */
const FOREIGN_SIGNALS: ReadonlySet<string> = new Set(["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP"]);

/** @param result of the job; null if it did not finish */
export function outcomeOf(end: JobEnd, result: JobResult | null): JobOutcome {
  if (end.fault !== null) {
    const { code, message, trace } = end.fault;
    return { kind: "failed", fault: { code, message }, trace };
  }
  if (result !== null) return { kind: "completed", result };
  const trace = framesOf(end.lastWords);
  if (/heap out of memory|allocation failed/i.test(end.lastWords))
    return { kind: "failed", fault: crash(OUT_OF_MEMORY_MESSAGE), trace };
  if (end.signalName !== null && FOREIGN_SIGNALS.has(end.signalName))
    return { kind: "interrupted", fault: crash(interruption(`its process was killed (${end.signalName})`)), trace };
  const how = end.signalName ?? (end.exitCode === null ? "it could not be started" : `exit code ${end.exitCode}`);
  const message = `the extraction process exited unexpectedly (${how}): report this bug with the service log`;
  return { kind: "failed", fault: crash(message), trace };
}

/** Error of an upload whose service ended before its job. */
export const SERVICE_ENDED_FAULT: UploadFault = crash(
  `the service stopped during each of ${MAX_ATTEMPTS} extractions of this upload: check that the machine has enough memory, or split the archive`,
);

/** Error of an upload after the last attempt. */
function interruption(last: string): string {
  return `the extraction was interrupted ${MAX_INTERRUPTIONS} times, most recently because ${last}: check that the machine has enough memory, or split the archive`;
}

function crash(message: string): UploadFault {
  return { code: "EXTRACTION_CRASHED", message };
}
