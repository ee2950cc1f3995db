#!/usr/bin/env node
/**
 * What `archivetool` starts: the program, and one line where not even that can be loaded. Node reads the files of a
 * program at once, and would print the stack of its own loader when the system lets a process open too few.
 */
const TOO_MANY_FILES: ReadonlySet<unknown> = new Set(["EMFILE", "ENFILE"]);

import("./main.ts").catch((error: unknown) => {
  if (!(error instanceof Error) || !("code" in error) || !TOO_MANY_FILES.has(error.code)) throw error;
  process.exitCode = 1;
  process.stderr.write(
    "archivetool: the system lets this process open too few files\nhint: raise the limit of the shell: ulimit -n 1024\n",
  );
});
