import { setPriority } from "node:os";
import { limitHeapGrowth, optimizeThriftily } from "../../../v8-flags.ts";
import type { JobMessage, JobRequest } from "../base/job-messages.ts";
import { extractUpload } from "./extract-upload.ts";
import { jobFaultOf } from "./job-fault.ts";
import { PhaseReporter } from "./phase-reporter.ts";

/**
 * Entry of the process of a job: one request in, phases out, then the result. A crash here does not affect the service.
 */

/** Scheduling priority: requests have priority over extractions. */
const JOB_NICENESS = 10;
/** Only the user of the service can read the output of a job. */
const PRIVATE_UMASK = 0o077;

/** Without the service, the result is useless. A graceful end would wait for threads. */
function dieWithService(): void {
  process.kill(process.pid, "SIGKILL");
}

function send(message: JobMessage): void {
  if (process.connected) process.send?.(message);
}

async function perform(request: JobRequest): Promise<void> {
  const reporter = new PhaseReporter(
    (phase) => send({ kind: "phase", ...phase }),
    () => performance.now(),
  );
  // Unpacking may take minutes before the first message is read: report the phase at once.
  reporter.show({ kind: "phase", phase: "parsing", state: "started" });
  try {
    await extractUpload(request, {
      processId: process.pid,
      startedAt: Date.now(),
      signal: new AbortController().signal,
      onEvent: (event) => reporter.show(event),
      enterDirectory: (path) => process.chdir(path),
    });
    send({ kind: "ended", fault: null });
  } catch (error) {
    send({ kind: "ended", fault: jobFaultOf(error) });
  }
}

process.on("disconnect", dieWithService);
// Ctrl-C and service managers signal all processes; the service decides about its jobs.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
process.umask(PRIVATE_UMASK);
setPriority(JOB_NICENESS);
optimizeThriftily();
limitHeapGrowth();
process.once("message", (request: JobRequest) => void perform(request));
