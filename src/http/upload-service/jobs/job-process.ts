import { type ChildProcess, fork } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { builtFile } from "../../../built-files.ts";
import { identifyProcess, type ProcessIdentity } from "../../../files/process-identity.ts";
import type { JobFault, JobMessage, JobRequest } from "../base/job-messages.ts";
import type { JobPhase } from "../base/wire-uploads.ts";

/** How a job's process ended. */
export interface JobEnd {
  /** Error that the job reported; null if it reported none. */
  readonly fault: JobFault | null;
  readonly exitCode: number | null;
  /** The signal that ended it, such as `SIGKILL`. */
  readonly signalName: string | null;
  /** The end of its stderr output. */
  readonly lastWords: string;
}

export interface RunningJob {
  /** Null if no process could be started; `ended` reports it. */
  readonly identity: ProcessIdentity | null;
  /** Starts the job. The process waits for this, so that a service that ends before recording it leaves no orphan. */
  begin(): void;
  /** Kills it. */
  kill(): void;
  /** Never rejects. */
  readonly ended: Promise<JobEnd>;
}

export type StartJob = (request: JobRequest, onPhase: (phase: JobPhase) => void) => RunningJob;

/** Characters of stderr that are kept: V8's message about a full heap begins with the reason. */
const LAST_WORDS_LENGTH = 8192;
/** Time to wait for the last output of a dead process, in milliseconds: a child process could keep the stream open. */
const LAST_WORDS_MS = 1000;

/**
 * Starts jobs as separate processes. @param environment their variables @param entry the module to run; replaced in
 * tests
 */
export function createJobStarter(
  environment: Readonly<Record<string, string | undefined>>,
  entry: URL = builtFile("http/extraction-job.js"),
): StartJob {
  return (request, onPhase) => {
    const child = fork(entry, [], {
      env: environment,
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      execArgv: [],
    });
    return new JobProcess(child, request, onPhase);
  };
}

class JobProcess implements RunningJob {
  readonly identity: ProcessIdentity | null;
  readonly ended: Promise<JobEnd>;
  private fault: JobFault | null = null;
  private lastWords = "";

  constructor(
    private readonly child: ChildProcess,
    private readonly request: JobRequest,
    onPhase: (phase: JobPhase) => void,
  ) {
    this.identity = child.pid === undefined ? null : identifyProcess(child.pid);
    child.on("message", (message: JobMessage) => {
      if (message.kind === "phase") return onPhase(message);
      this.fault = message.fault;
      // Everything is on disk or reported; open handles must not keep the process alive.
      this.kill();
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.lastWords = (this.lastWords + text).slice(0, LAST_WORDS_LENGTH);
    });
    this.ended = this.awaitEnd();
  }

  begin(): void {
    // `ended` reports a process that has already exited.
    this.child.send(this.request, () => undefined);
  }

  kill(): void {
    this.child.kill("SIGKILL");
  }

  private awaitEnd(): Promise<JobEnd> {
    const { child } = this;
    return new Promise((resolve) => {
      const settle = (exitCode: number | null, signalName: string | null): void => {
        resolve({ fault: this.fault, exitCode, signalName, lastWords: this.lastWords });
      };
      child.on("error", () => {
        if (child.pid === undefined) settle(null, null);
      });
      child.on("close", settle);
      child.on(
        "exit",
        (exitCode, signalName) =>
          void pause(LAST_WORDS_MS, null, { ref: false }).then(() => settle(exitCode, signalName)),
      );
    });
  }
}
