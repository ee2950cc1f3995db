#!/usr/bin/env node
import { ArchiveError, ERRORS } from "../errors.ts";
import { ConsoleLog } from "./console-log.ts";
import { showsColours } from "./line.ts";
import { createProgram, neededCommands, type ProgramHost } from "./program.ts";
import { invocationOf } from "./shell-word.ts";

/** Exit code after Ctrl-C, by the convention of shells (128 + SIGINT). A request to terminate is an error as any other. */
const INTERRUPTED = 130;
const interruption = new DOMException("interrupted", "AbortError");

const abort = new AbortController();
process.on("SIGINT", () => abort.abort(interruption));
process.on("SIGTERM", () => abort.abort(new DOMException("ended by SIGTERM", "AbortError")));
// `archivetool stats … | head` closes our output early: that is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

/** Columns of a terminal that does not tell. */
const DEFAULT_COLUMNS = 80;

function hasColours(stream: { readonly isTTY?: boolean }): boolean {
  return showsColours({
    isTerminal: stream.isTTY === true,
    noColor: process.env["NO_COLOR"],
    forceColor: process.env["FORCE_COLOR"],
    term: process.env["TERM"],
  });
}

const colours = { stdout: hasColours(process.stdout), stderr: hasColours(process.stderr) };

const host: ProgramHost = {
  signal: abort.signal,
  invocation: invocationOf(process.argv[1] ?? "", process.cwd(), process.platform),
  colours,
  screen: {
    isTerminal: process.stderr.isTTY === true && process.env["TERM"] !== "dumb",
    get columns(): number {
      return process.stderr.columns ?? DEFAULT_COLUMNS;
    },
    write: (text) => void process.stderr.write(text),
    now: () => performance.now(),
  },
  print: (text: string): void => void process.stdout.write(`${text}\n`),
  writeError: (text: string): void => void process.stderr.write(text),
};

try {
  const args = process.argv.slice(2);
  const program = await createProgram(host, neededCommands(args));
  process.exitCode = await program.run(args);
} catch (error) {
  if (abort.signal.reason === interruption) process.exitCode = INTERRUPTED;
  else {
    const level = process.argv.includes("-v") || process.argv.includes("--verbose") ? "debug" : "info";
    new ConsoleLog(level, host.writeError, colours.stderr).error(abort.signal.aborted ? abort.signal.reason : error);
    process.exitCode = error instanceof ArchiveError ? ERRORS[error.code].exitCode : 1;
  }
}
