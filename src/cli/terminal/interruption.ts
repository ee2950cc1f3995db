import { constants } from "node:os";

/** Signals that ask a command to end; shells show 128 and their number for them. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
type StopSignal = (typeof SIGNALS)[number];
/** What shells add to the number of the signal that ended a command. */
const SIGNALLED = 128;
/**
 * How long the process may take to end when its command has, in milliseconds: a call of the system may hold a thread.
 */
const EXIT_MS = 200;

/** The reason of a command that a signal ended. */
export class Interruption extends Error {
  readonly exitCode: number;
  private readonly signalName: StopSignal;

  constructor(signalName: StopSignal) {
    super(`stopped by ${signalName}`);
    this.name = "AbortError";
    this.signalName = signalName;
    this.exitCode = SIGNALLED + constants.signals[signalName];
  }

  /** Ends the process by the signal itself when it does not end by the exit code. Holds nothing open. */
  insist(): void {
    setTimeout(() => dieOf(this.signalName), EXIT_MS).unref();
  }
}

/**
 * Aborts on the first signal, for commands that clean up; the second one ends the process at once.
 *
 * @param isHeard whether a command looks at the signal; one that does not has nothing to clean up, and ends at once.
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
