import type { ConsoleLog } from "./console-log.ts";
import type { Line } from "./line.ts";

/** The terminal that progress is drawn on, if it is one. */
export interface Screen {
  readonly isTerminal: boolean;
  readonly columns: number;
  write(text: string): void;
  /** Milliseconds of a monotonic clock. */
  now(): number;
}

/** Access of a command to the process: results, log lines, and the stop signal. */
export interface Session {
  readonly signal: AbortSignal;
  /** How the program was started, as the first words of a command line that can be copied. */
  readonly invocation: string;
  readonly log: ConsoleLog;
  readonly screen: Screen;
  /** Whether results are shown in color. */
  readonly hasColors: boolean;
  /** Prints one line of the result on stdout, without terminal control sequences. */
  print(line: Line): void;
  /** Writes the bytes of a file to stdout: unchanged to a pipe or file, without control sequences to a terminal. */
  printBytes(bytes: Buffer): void;
  /** Prints a value as JSON on stdout. */
  printJson(value: unknown): void;
}
