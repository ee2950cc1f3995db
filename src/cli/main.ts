#!/usr/bin/env node
import { ArchiveError, ERRORS } from "../errors.ts";
import { ConsoleLog } from "./console-log.ts";
import { createProgram, neededCommands } from "./program.ts";

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

const session = {
  signal: abort.signal,
  print: (text: string): void => void process.stdout.write(`${text}\n`),
  writeError: (text: string): void => void process.stderr.write(text),
};

try {
  const args = process.argv.slice(2);
  const program = await createProgram(session, neededCommands(args));
  process.exitCode = await program.run(args);
} catch (error) {
  if (abort.signal.reason === interruption) process.exitCode = INTERRUPTED;
  else {
    new ConsoleLog(process.argv.includes("-v") || process.argv.includes("--verbose") ? "debug" : "info", session.writeError).error(
      abort.signal.aborted ? abort.signal.reason : error,
    );
    process.exitCode = error instanceof ArchiveError ? ERRORS[error.code].exitCode : 1;
  }
}
