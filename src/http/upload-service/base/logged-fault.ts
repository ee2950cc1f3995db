/** Maximum depth of logged causes. */
const MAX_CAUSES = 4;
/** Errors whose messages contain only names in our code. Others contain paths with upload names, or input. */
const PLAIN_ERRORS: ReadonlySet<string> = new Set(["TypeError", "RangeError", "ReferenceError", "SqliteError"]);

/** A logged error of a chain. */
interface LoggedError {
  readonly type: string;
  readonly code?: string;
  readonly message?: string;
  /** Lines of the stack, without the message that precedes them. */
  readonly at: readonly string[];
}

/** An error for the service log: what happened and where in the code, without names, mail or secrets. */
export function loggedFault(error: unknown): readonly LoggedError[] {
  const chain: LoggedError[] = [];
  for (let next = error; next instanceof Error && chain.length < MAX_CAUSES; next = next.cause) {
    const { name, message, stack = "" } = next;
    const code = "code" in next && typeof next.code === "string" ? { code: next.code } : {};
    const at = framesBehind(message, stack);
    chain.push({ type: name, ...code, ...(PLAIN_ERRORS.has(name) ? { message } : {}), at });
  }
  return chain;
}

/** Stack lines after the message, which may contain similar lines. */
function framesBehind(message: string, stack: string): readonly string[] {
  const start = stack.indexOf(message);
  const frames = start < 0 ? "" : stack.slice(start + message.length);
  return frames.split("\n").flatMap((line) => (/^ {4}at /.test(line) ? [line.trim()] : []));
}
