import { constants } from "node:os";

/** Signals that end a command; shells report 128 plus the number. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
type StopSignal = (typeof SIGNALS)[number];
/** Exit codes after a signal are 128 plus its number. */
const SIGNALLED = 128;
/** Milliseconds for the process to exit after its command; a system call may block a thread. */
const EXIT_MS = 200;

/** The reason of a command that a signal ended. */
export class Interruption extends Error {
  readonly exitCode: number;

  constructor(private readonly signalName: StopSignal) {
    super(`stopped by ${signalName}`);
    this.name = "AbortError";
    this.exitCode = SIGNALLED + constants.signals[signalName];
  }

  /** Ends the process by the signal itself when it does not end by the exit code. Holds nothing open. */
  insist(): void {
    setTimeout(() => dieOf(this.signalName), EXIT_MS).unref();
  }
}

/**
 * Aborts on the first signal, for commands that clean up; the second ends the process at once. @param isHeard whether
 * a command uses the signal; otherwise the process ends at once
 */
export function abortOnSignals(isHeard: () => boolean): AbortSignal {
  const abort = new AbortController();
  for (const name of SIGNALS) {
    process.on(name, () => {
      if (abort.signal.aborted) dieOf(name);
      const interruption = new Interruption(name);
      if (!isHeard()) process.exit(interruption.exitCode);
      abort.abort(interruption);
    });
  }
  return abort.signal;
}

function dieOf(signalName: StopSignal): void {
  process.removeAllListeners(signalName);
  process.kill(process.pid, signalName);
}
