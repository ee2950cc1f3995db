import type { ConsoleLog } from "./console-log.ts";

/** What a command may touch of the process: results, log lines, and the wish to stop. */
export interface Session {
  readonly signal: AbortSignal;
  readonly log: ConsoleLog;
  /** Prints a line of the result on stdout. */
  print(line: string): void;
}
