import { WORDS } from "../words/words.ts";

/** Why something cannot be shown: code and message of the server, or that it is unreachable. */
export class Fault extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** HTTP status; 0 without a response. */
    readonly status: number,
  ) {
    super(message);
  }

  /** True if the server does not respond at all. */
  get isOffline(): boolean {
    return this.status === 0;
  }
}

/** The cause of a failed action in one line; the browser's text for a lost network is not shown. */
export function faultText(cause: unknown): string {
  if (cause instanceof Fault && cause.isOffline) return WORDS.states.offline;
  return cause instanceof Error ? cause.message : String(cause);
}
