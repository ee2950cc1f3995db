import { Command, CommanderError } from "commander";
import { ArchiveError } from "../errors.ts";
import { TOOL_NAME, TOOL_VERSION } from "../version.ts";
import { declareApi } from "./api.ts";
import { ConsoleLog, type LogLevel } from "./console-log.ts";
import { declareExtract } from "./extract.ts";
import { declareInfo } from "./info.ts";
import { misplacedFiles } from "./misplaced-files.ts";
import { declareSchema } from "./schema.ts";
import { declareSearch } from "./search.ts";
import { declareServe } from "./serve.ts";
import { declareService } from "./service.ts";
import type { Session } from "./session.ts";
import { declareStats } from "./stats.ts";
import { declareValidate } from "./validate.ts";
import { declareViz } from "./viz.ts";

/** What the process gives the program. */
export interface ProgramHost {
  readonly signal: AbortSignal;
  print(line: string): void;
  writeError(text: string): void;
}

export interface Program {
  /** The commander tree: docs are compared with it. */
  readonly command: Command;
  /** Runs one command line and gives the exit code; errors in the arguments (INVALID_ARGUMENT) and of commands are thrown. */
  run(args: readonly string[]): Promise<number>;
}

/** Every command of the tool. Adding one is a file that declares it, and a line here. */
const COMMANDS = [
  declareExtract,
  declareSearch,
  declareStats,
  declareViz,
  declareServe,
  declareApi,
  declareService,
  declareValidate,
  declareSchema,
  declareInfo,
] as const;

export function createProgram(host: ProgramHost): Program {
  const command = new Command(TOOL_NAME)
    .description("turns decades of email into knowledge")
    .version(TOOL_VERSION, "-V, --version", "print the version")
    .option("-v, --verbose", "log at debug level: each skipped item, and the stack of an error")
    .option("-q, --quiet", "log only warnings and errors")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => host.print(text.trimEnd()),
      writeErr: (text) => host.writeError(text),
      // Errors in the arguments are thrown, and printed where all errors are: in one form.
      outputError: () => undefined,
    });
  const session = (): Session => ({
    signal: host.signal,
    print: host.print,
    log: new ConsoleLog(levelOf(command.opts()), host.writeError),
  });
  for (const declare of COMMANDS) declare(command, session);
  for (const sub of command.commands) {
    sub.exitOverride();
    sub.option("-v, --verbose", "log at debug level").option("-q, --quiet", "log only warnings and errors");
    sub.hook("preAction", (_, action) => inheritLogFlags(command, action));
  }
  return { command, run: (args) => runProgram(command, args) };
}

/** The log flags work before and after the name of the command. */
function inheritLogFlags(program: Command, action: Command): void {
  for (const flag of ["verbose", "quiet"]) if (action.optsWithGlobals()[flag] === true) program.setOptionValue(flag, true);
}

function levelOf(flags: { readonly verbose?: boolean; readonly quiet?: boolean }): LogLevel {
  if (flags.verbose === true) return "debug";
  return flags.quiet === true ? "warning" : "info";
}

async function runProgram(command: Command, args: readonly string[]): Promise<number> {
  try {
    await command.parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help and version were asked for; a command line without a command has been answered with the help.
    if (error.exitCode === 0 || error.code === "commander.help") return error.exitCode;
    throw argumentError(command, error);
  }
}

/** An error of commander in the words and form of all others. A suggestion that commander puts on a second line stays on the first. */
function argumentError(command: Command, error: CommanderError): ArchiveError {
  const misplaced = error.code === "commander.missingArgument" ? misplacedFiles(command) : null;
  return misplaced ?? new ArchiveError("INVALID_ARGUMENT", error.message.replace(/^error: /, "").replaceAll("\n", " "));
}
