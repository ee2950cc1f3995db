#!/usr/bin/env node
import { ArchiveError, ERRORS } from "../errors.ts";
import { ConsoleLog } from "./console-log.ts";
import { createProgram } from "./program.ts";

/** Exit code after Ctrl-C, by the convention of shells (128 + SIGINT). */
const INTERRUPTED = 130;

const abort = new AbortController();
process.on("SIGINT", () => abort.abort(new DOMException("interrupted", "AbortError")));
process.on("SIGTERM", () => abort.abort(new DOMException("terminated", "AbortError")));
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
  const program = createProgram(session);
  process.exitCode = await program.run(process.argv.slice(2));
} catch (error) {
  if (abort.signal.aborted) process.exitCode = INTERRUPTED;
  else {
    new ConsoleLog(process.argv.includes("-v") || process.argv.includes("--verbose") ? "debug" : "info", session.writeError).error(error);
    process.exitCode = error instanceof ArchiveError ? ERRORS[error.code].exitCode : 1;
  }
}
