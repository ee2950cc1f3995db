#!/usr/bin/env node
import { isSea } from "node:sea";
import { ArchiveError, exitCodeOf, systemErrorCode } from "../errors.ts";
import { invocationOf } from "../text/tokens/shell-word.ts";
import { COMMAND_NAMES, createProgram, neededCommands, type ProgramHost } from "./program.ts";
import { withCommand } from "./terminal/command-arguments.ts";
import { ConsoleLog } from "./terminal/console-log.ts";
import { abortOnSignals, Interruption } from "./terminal/interruption.ts";
import { showsColors } from "./terminal/line.ts";

let isSignalReceived = false;
const signal = abortOnSignals(() => isSignalReceived);
let stdoutFault: Error | null = null;
// `archivetool stats … | head` closes our output early: that is not an error, and servers continue.
process.stdout.on("error", (error) => {
  if (systemErrorCode(error) !== "EPIPE") stdoutFault ??= error;
});
// Unwritable log lines must not end the command.
process.stderr.on("error", () => undefined);

/** Columns if the terminal does not report them. */
const DEFAULT_COLUMNS = 80;

function hasColors(stream: { readonly isTTY?: boolean }): boolean {
  return showsColors({
    isTerminal: stream.isTTY === true,
    noColor: process.env["NO_COLOR"],
    forceColor: process.env["FORCE_COLOR"],
    term: process.env["TERM"],
  });
}

/** Writes to a stream that may have been closed at the other end. */
function write(stream: NodeJS.WriteStream, text: string): void {
  if (stream.writable) stream.write(text);
}

const colors = { stdout: hasColors(process.stdout), stderr: hasColors(process.stderr) };

const host: ProgramHost = {
  get signal(): AbortSignal {
    isSignalReceived = true;
    return signal;
  },
  invocation: invocationOf(process.argv[1] ?? "", process.cwd(), process.platform),
  colors,
  screen: {
    isTerminal: process.stderr.isTTY === true && process.env["TERM"] !== "dumb",
    get columns(): number {
      return process.stderr.columns ?? DEFAULT_COLUMNS;
    },
    write: (text) => write(process.stderr, text),
    now: () => performance.now(),
  },
  print: (text) => write(process.stdout, `${text}\n`),
  printBytes: (bytes) => {
    if (process.stdout.isTTY === true) return false;
    if (process.stdout.writable) process.stdout.write(bytes);
    return true;
  },
  writeError: (text) => write(process.stderr, text),
};

const level = process.argv.includes("-v") || process.argv.includes("--verbose") ? "debug" : "info";
const log = new ConsoleLog(level, host.writeError, colors.stderr);

try {
  const args = withCommand(process.argv.slice(2), {
    isExecutable: isSea(),
    // Opening the input takes 3 ms.
    get isTerminal(): boolean {
      return process.stdin.isTTY === true || process.stdout.isTTY === true;
    },
    commands: COMMAND_NAMES,
  });
  const program = await createProgram(host, neededCommands(args));
  process.exitCode = await program.run(args);
} catch (thrown) {
  // After a stop, any error is caused by the signal.
  const error: unknown = signal.aborted ? signal.reason : thrown;
  log.error(error);
  if (error instanceof Interruption) error.insist();
  process.exitCode =
    error instanceof Interruption ? error.exitCode : error instanceof ArchiveError ? exitCodeOf(error.code) : 1;
}
// Files are written synchronously, and their errors emitted in the next turn.
setImmediate(() => {
  if (stdoutFault === null) return;
  log.error(new Error("cannot write the results to standard output", { cause: stdoutFault }));
  process.exitCode = 1;
});
