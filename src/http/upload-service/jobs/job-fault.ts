import { ArchiveError, type ErrorCode, systemErrorCode } from "../../../errors.ts";
import type { JobFault } from "../base/job-messages.ts";

/** Stack frames of an error in the log. */
const TRACED_FRAMES = 12;

/** Error code of a worker thread that exceeds its memory limit. */
const WORKER_OUT_OF_MEMORY = "ERR_WORKER_OUT_OF_MEMORY";

/** Error codes of the system and SQLite for a full disk. */
const FULL_DISK_CODES: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "SQLITE_FULL"]);

export const OUT_OF_MEMORY_MESSAGE =
  "the extraction ran out of memory: add memory, or split the archive and upload its parts";

/** Errors whose own message contains server paths or command-line advice. */
const MESSAGES: ReadonlyMap<ErrorCode, string> = new Map([
  ["DISK_FULL", "the server disk is full: free some space, then upload again"],
  ["OUTPUT_UNWRITABLE", "the service cannot write to its data directory: see the service log"],
  ["INTERNAL_ERROR", "the extraction failed with an internal error: see the service log"],
]);

/** Hints that differ from those of the command line. */
const ADVICE: ReadonlyMap<ErrorCode, string> = new Map([
  ["PASSWORD_REQUIRED", "set the field password and upload it again"],
  ["SOURCE_CHANGED", "add it again when no program is writing to it"],
  ["SOURCE_UNREADABLE", "give the service user read permission"],
]);

/** Converts any error of an extraction to the error shown for its upload. */
export function jobFaultOf(thrown: unknown): JobFault {
  const trace = traceOf(thrown);
  if (isOutOfMemory(thrown)) return { code: "EXTRACTION_CRASHED", message: OUT_OF_MEMORY_MESSAGE, trace };
  const code = codeOf(thrown);
  const known = MESSAGES.get(code);
  if (known !== undefined || !(thrown instanceof ArchiveError)) return { code, message: known ?? "", trace };
  const advice = ADVICE.get(code);
  return { code, message: advice === undefined ? thrown.message : `${thrown.message}: ${advice}`, trace };
}

function codeOf(thrown: unknown): ErrorCode {
  if (thrown instanceof ArchiveError) return thrown.code;
  return FULL_DISK_CODES.has(systemErrorCode(thrown) ?? "") ? "DISK_FULL" : "INTERNAL_ERROR";
}

function isOutOfMemory(thrown: unknown): boolean {
  return (
    systemErrorCode(thrown) === WORKER_OUT_OF_MEMORY ||
    (thrown instanceof Error && systemErrorCode(thrown.cause) === WORKER_OUT_OF_MEMORY)
  );
}

/** The kinds of an error and of its causes, and where it was thrown. */
function traceOf(thrown: unknown): readonly string[] {
  if (!(thrown instanceof Error)) return [typeof thrown];
  const kind = `${thrown.name} ${systemErrorCode(thrown) ?? ""}`.trim();
  const cause =
    thrown.cause instanceof Error
      ? [`caused by ${thrown.cause.name} ${systemErrorCode(thrown.cause) ?? ""}`.trim()]
      : [];
  return [kind, ...cause, ...framesOf(thrown.stack ?? "")];
}

/** Returns the lines of a stack that name code locations, without those of the message. */
export function framesOf(stack: string): readonly string[] {
  return stack
    .split("\n")
    .filter((line) => /^ {4}at /.test(line))
    .slice(0, TRACED_FRAMES)
    .map((line) => line.trim());
}
