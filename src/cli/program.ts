import { Command, CommanderError } from "commander";
import { ArchiveError } from "../errors.ts";
import { printableJson } from "../text/tokens/printable.ts";
import { shellWord } from "../text/tokens/shell-word.ts";
import { TOOL_NAME, TOOL_VERSION } from "../version.ts";
import { misplacedFiles } from "./extracting/misplaced-files.ts";
import { LOG_FLAGS } from "./terminal/command-arguments.ts";
import { ConsoleLog, type LogLevel } from "./terminal/console-log.ts";
import { heading, renderLine } from "./terminal/line.ts";
import type { Screen, Session } from "./terminal/session.ts";
import { withStoreAsSource } from "./terminal/store-source.ts";

/** Functions of the process. Text is written unchanged. */
export interface ProgramHost {
  readonly signal: AbortSignal;
  /** Prefix of suggested commands; the name of the tool by default. */
  readonly invocation?: string;
  /** Streams that show colors; none by default. */
  readonly colors?: { readonly stdout: boolean; readonly stderr: boolean };
  /** Terminal for progress; absent if there is none. */
  readonly screen?: Screen;
  print(line: string): void;
  /** Writes bytes to stdout unless it is a terminal; returns false if it is one. */
  printBytes?(bytes: Buffer): boolean;
  writeError(text: string): void;
}

/** Columns do not matter if nothing is drawn. */
const NO_SCREEN: Screen = { isTerminal: false, columns: 80, write: () => undefined, now: () => performance.now() };

export interface Program {
  /** The commander tree: docs are compared with it. */
  readonly command: Command;
  /**
   * Runs one command line and returns the exit code; throws argument errors (INVALID_ARGUMENT) and errors of
   * commands.
   */
  run(args: readonly string[]): Promise<number>;
}

type DeclareCommand = (program: Command, session: () => Session) => void;

/** Every command of the tool. To add one, write a file that declares it, and add a line here. */
const COMMANDS: Readonly<Record<string, () => Promise<DeclareCommand>>> = {
  open: async () => (await import("./reading/open.ts")).declareOpen,
  extract: async () => (await import("./extracting/extract.ts")).declareExtract,
  search: async () => (await import("./reading/search.ts")).declareSearch,
  show: async () => (await import("./reading/show.ts")).declareShow,
  hits: async () => (await import("./reading/hits.ts")).declareHits,
  export: async () => (await import("./reading/export.ts")).declareExport,
  people: async () => (await import("./people/people.ts")).declarePeople,
  topics: async () => (await import("./people/topics.ts")).declareTopics,
  mentions: async () => (await import("./reading/mentions.ts")).declareMentions,
  stats: async () => (await import("./reading/stats.ts")).declareStats,
  viz: async () => (await import("./reading/viz.ts")).declareViz,
  serve: async () => (await import("./reading/serve.ts")).declareServe,
  mcp: async () => (await import("./reading/mcp.ts")).declareMcp,
  api: async () => (await import("./reading/api.ts")).declareApi,
  service: async () => (await import("./service/service.ts")).declareService,
  copy: async () => (await import("./extracting/copy.ts")).declareCopy,
  remove: async () => (await import("./extracting/remove.ts")).declareRemove,
  validate: async () => (await import("./extracting/validate.ts")).declareValidate,
  schema: async () => (await import("./extracting/schema.ts")).declareSchema,
  info: async () => (await import("./reading/info.ts")).declareInfo,
  completion: async () => (await import("./completion/completion.ts")).declareCompletion,
};
/** Names of the commands. */
export const COMMAND_NAMES: ReadonlySet<string> = new Set([...Object.keys(COMMANDS), "help"]);
/** Commands with a query, which may begin with a minus. */
const QUERY_COMMANDS: ReadonlySet<string> = new Set(["search", "export", "hits", "mentions"]);
/** The command that describes all others. */
const COMPLETION = "completion";
/** Flags that need no command. */
const VERSION_FLAGS: ReadonlySet<string> = new Set(["-V", "--version"]);

/** The commands to load: the named one, none for the version, else all, for the help and suggestions. */
export function neededCommands(args: readonly string[]): readonly string[] {
  const first = args.find((arg) => !LOG_FLAGS.has(arg));
  const isKnown = first !== undefined && (VERSION_FLAGS.has(first) || Object.hasOwn(COMMANDS, first));
  if (!isKnown || first === COMPLETION) return Object.keys(COMMANDS);
  return VERSION_FLAGS.has(first) ? [] : [first];
}

/** @param names of the commands that are loaded. */
export async function createProgram(
  host: ProgramHost,
  names: readonly string[] = Object.keys(COMMANDS),
): Promise<Program> {
  const command = new Command(TOOL_NAME)
    .description("extract, search and browse email archives")
    .version(TOOL_VERSION, "-V, --version", "print the version")
    .option("-v, --verbose", "log at debug level, including each skipped item and stack traces")
    .option("-q, --quiet", "log only warnings and errors")
    .exitOverride()
    .configureHelp({ styleTitle: (title) => renderLine(heading(title), true) })
    .configureOutput({
      writeOut: (text) => host.print(text.trimEnd()),
      writeErr: (text) => host.writeError(text),
      getOutHasColors: () => host.colors?.stdout === true,
      getErrHasColors: () => host.colors?.stderr === true,
      // Errors in the arguments are thrown, so that all errors are printed in one form.
      outputError: () => undefined,
    });
  const hasColors = host.colors?.stdout === true;
  const session = (): Session => ({
    // Created only for commands that use it; without it, signals end the process at once.
    get signal() {
      return host.signal;
    },
    invocation: host.invocation ?? TOOL_NAME,
    screen: host.screen ?? NO_SCREEN,
    hasColors,
    print: (line) => host.print(renderLine(line, hasColors)),
    printBytes: (bytes) => {
      if (host.printBytes?.(bytes) === true) return;
      for (const line of bytes.toString().split(/\r\n|\r|\n/)) host.print(renderLine(line, hasColors));
    },
    printJson: (value) => host.print(printableJson(JSON.stringify(value, null, 2))),
    log: new ConsoleLog(levelOf(command.opts()), host.writeError, host.colors?.stderr === true),
  });
  for (const name of names) {
    const declare = await COMMANDS[name]!();
    declare(command, session);
  }
  for (const sub of command.commands) {
    sub.exitOverride();
    sub.option("-v, --verbose", "log at debug level").option("-q, --quiet", "log only warnings and errors");
    sub.hook("preAction", (_, action) => inheritLogFlags(command, action));
  }
  return {
    command,
    async run(args) {
      if (args.some((arg) => !LOG_FLAGS.has(arg))) return runProgram(command, args);
      for (const line of firstLines(host.invocation ?? TOOL_NAME)) host.print(line);
      return 1;
    },
  };
}

/** Output of a command line without arguments: first steps. */
function firstLines(invocation: string): readonly string[] {
  const uses = [
    ["open FILES...", "read mail and show it in the browser"],
    ["search ARCHIVE WORDS...", "search an archive"],
    ["export ARCHIVE WORDS...", "export matching messages"],
    ["service --open", "start the upload service"],
    ["--help", "list all commands"],
  ] as const;
  const width = Math.max(...uses.map(([use]) => use.length));
  return uses.map(([use, purpose]) => `${invocation} ${use.padEnd(width)}  ${purpose}`);
}

/** The log flags work before and after the name of the command. */
function inheritLogFlags(program: Command, action: Command): void {
  for (const flag of ["verbose", "quiet"])
    if (action.optsWithGlobals()[flag] === true) program.setOptionValue(flag, true);
}

function levelOf(flags: { readonly verbose?: boolean; readonly quiet?: boolean }): LogLevel {
  if (flags.verbose === true) return "debug";
  return flags.quiet === true ? "warning" : "info";
}

async function runProgram(command: Command, args: readonly string[]): Promise<number> {
  try {
    await command.parseAsync(withStoreAsSource(args), { from: "user" });
    return 0;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // The user requested help or the version; a command line without a command has already printed the help.
    if (error.exitCode === 0 || error.code === "commander.help") return error.exitCode;
    throw argumentError(command, error, args);
  }
}

/**
 * Converts an error of commander to our format. A suggestion on its second line is joined to the first; the hint
 * names the help of the command.
 */
function argumentError(program: Command, error: CommanderError, args: readonly string[]): ArchiveError {
  const misplaced = error.code === "commander.missingArgument" ? misplacedFiles(program) : null;
  if (misplaced !== null) return misplaced;
  const named = program.commands.find((command) => args.includes(command.name()));
  const message = error.message.replace(/^error: /, "").replaceAll("\n", " ");
  const word = error.code === "commander.unknownOption" ? args.find((arg) => message.includes(`'${arg}'`)) : undefined;
  if (word !== undefined && /^-[^-]/.test(word) && named !== undefined && QUERY_COMMANDS.has(named.name())) {
    const excluded = `-${shellWord(word.slice(1), process.platform)}`;
    return new ArchiveError("INVALID_ARGUMENT", message, {
      hint: `to exclude a word, put -- before the query: ${TOOL_NAME} ${named.name()} <source> -- ${excluded}`,
    });
  }
  const hint = `see ${[TOOL_NAME, ...(named === undefined ? [] : [named.name()]), "--help"].join(" ")}`;
  return new ArchiveError("INVALID_ARGUMENT", message, { hint });
}
