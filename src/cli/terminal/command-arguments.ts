import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, sep } from "node:path";
import { formatOfName } from "../../mail/records/source-formats.ts";
import { archiveOfName } from "../../unpacking/archive-format.ts";

/** Environment that determines the default command. */
export interface Surroundings {
  /** True for the program as a single executable. */
  readonly isExecutable: boolean;
  readonly isTerminal: boolean;
  readonly commands: ReadonlySet<string>;
}

/** Flags allowed before the name of a command. */
export const LOG_FLAGS: ReadonlySet<string> = new Set(["-v", "--verbose", "-q", "--quiet"]);

/**
 * Adds the name of the command if it is missing. A command line that begins with a path means `open`. The single
 * executable without arguments and terminal was started from a desktop and shows the upload page.
 */
export function withCommand(args: readonly string[], surroundings: Surroundings): readonly string[] {
  const { isExecutable, commands } = surroundings;
  if (args.length === 0 && isExecutable && !surroundings.isTerminal)
    return ["service", "--open", "--data", join(homedir(), "Archives", "uploads")];
  const at = args.findIndex((arg) => !LOG_FLAGS.has(arg));
  const first = args[at];
  const isFile = first !== undefined && !first.startsWith("-") && !commands.has(first) && isPath(first);
  return isFile ? args.toSpliced(at, 0, "open") : args;
}

/** No command has a slash or the extension of a source in its name: a mistyped path is a missing file. */
function isPath(word: string): boolean {
  const hasExtension = formatOfName(word) !== null || archiveOfName(word) !== null;
  return word.includes("/") || word.includes(sep) || hasExtension || existsSync(word);
}
