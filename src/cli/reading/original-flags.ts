import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import type { OriginalSearch } from "../../sources/read-original.ts";
import { PASSWORD_VARIABLE, type PasswordFlags, passwordFromFlags } from "../extracting/extraction-flags.ts";
import type { Session } from "../terminal/session.ts";

/** Flags of commands that read originals again. */
export interface OriginalFlags extends PasswordFlags {
  readonly sources?: readonly string[];
}

export function addOriginalFlags(command: Command): Command {
  return command
    .option("--sources <dirs...>", "directories that now contain the sources or their contents")
    .option("--password <pass>", "password for protected PST/OST files")
    .option("--password-file <file>", `file whose first line is the password (or set ${PASSWORD_VARIABLE})`);
}

/** Locations and passwords of originals from the flags. */
export function originalSearch(flags: OriginalFlags, session: Session): OriginalSearch {
  const directories = (flags.sources ?? []).map((directory) => resolve(directory));
  return { directories, password: passwordFromFlags(flags, session.log), unpackedDirectory: privateDirectory() };
}

/** A new path in the system's temporary directory. */
export function privateDirectory(): string {
  return join(tmpdir(), `archivetool-${process.pid}-${process.hrtime.bigint()}`);
}
