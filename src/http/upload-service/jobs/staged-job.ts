import { jobFaultOf } from "./job-fault.ts";
import type { JobEnd, RunningJob } from "./job-process.ts";

/** Result of a job that ended before it began: it may be retried. */
const ENDED_EARLY: JobEnd = { fault: null, exitCode: null, signalName: "SIGKILL", lastWords: "" };

/**
 * Starts a job after a promise resolves; if it rejects, the job ends with that error. @param start returns a running
 * job
 */
export function chainJob(
  prepare: (signal: AbortSignal) => Promise<void>,
  start: (signal: AbortSignal) => Promise<RunningJob>,
): RunningJob {
  const stop = new AbortController();
  let running: RunningJob | null = null;
  const run = async (): Promise<JobEnd> => {
    try {
      await prepare(stop.signal);
    } catch (error) {
      return stop.signal.aborted ? ENDED_EARLY : { ...ENDED_EARLY, fault: jobFaultOf(error), signalName: null };
    }
    if (stop.signal.aborted) return ENDED_EARLY;
    running = await start(stop.signal);
    if (stop.signal.aborted) running.kill();
    return running.ended;
  };
  return {
    identity: null,
    begin: () => undefined,
    kill() {
      stop.abort();
      running?.kill();
    },
    ended: run(),
  };
}
