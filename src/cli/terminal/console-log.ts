import { ArchiveError } from "../../errors.ts";
import { type Line, renderLine } from "./line.ts";

export type LogLevel = "debug" | "info" | "warning";
const SEVERITY: Readonly<Record<LogLevel | "error", number>> = { debug: 0, info: 1, warning: 2, error: 3 };

/** Messages of systems and Node on too many open files. A thread reports its error only by its message. */
const TOO_MANY_FILES = /\bE[MN]FILE\b|too many open files/;
const TOO_MANY_FILES_MESSAGE = "too many open files";
const TOO_MANY_FILES_HINT = "raise the limit: ulimit -n 1024";

/** Log lines on stderr; results are printed separately. */
export class ConsoleLog {
  constructor(
    readonly level: LogLevel,
    private readonly write: (line: string) => void,
    private readonly hasColors: boolean = false,
  ) {}

  debug(line: string): void {
    this.print("debug", line);
  }

  info(line: string): void {
    this.print("info", line);
  }

  warning(line: string): void {
    this.print("warning", line);
  }

  /** One line `archivetool: <what> (<why>)` with a hint; the stack only at debug level. */
  error(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    const isCrowded = TOO_MANY_FILES.test(`${message}\n${causeOf(error)}`);
    const isUnnamed = isCrowded && !(error instanceof ArchiveError);
    const [what, why] = isUnnamed ? [TOO_MANY_FILES_MESSAGE, message] : [message, causeOf(error)];
    // Errors that name the file include the system error.
    const isIncluded = why === null || what.includes(why);
    this.print("error", [{ style: "error", text: "archivetool:" }, ` ${what}${isIncluded ? "" : ` (${why})`}`]);
    const hint = isCrowded ? TOO_MANY_FILES_HINT : error instanceof ArchiveError ? error.hint : null;
    if (hint !== null) this.print("error", [{ style: "heading", text: "hint:" }, ` ${hint}`]);
    if (this.level !== "debug" || !(error instanceof Error) || error.stack === undefined) return;
    for (const line of error.stack.split("\n")) this.print("error", line);
  }

  private print(level: LogLevel | "error", line: Line): void {
    if (SEVERITY[level] >= SEVERITY[this.level]) this.write(`${renderLine(line, this.hasColors)}\n`);
  }
}

function causeOf(error: unknown): string | null {
  if (!(error instanceof Error) || error.cause === undefined) return null;
  return error.cause instanceof Error ? error.cause.message : String(error.cause);
}
