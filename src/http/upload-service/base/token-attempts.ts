import type { FastifyRequest } from "fastify";
import { ArchiveError } from "../../../errors.ts";
import type { Instant } from "../../../mail/dates/instant.ts";
import { isLoopback } from "./host-names.ts";

/** Wrong tokens that an address may send before it has to wait, for typing errors. */
export const FREE_ATTEMPTS = 10;
/** Milliseconds that an address waits after the first excess attempt; each further one doubles it. */
export const FIRST_WAIT_MS = 1000;
/** Maximum milliseconds of the wait. */
export const LONGEST_WAIT_MS = 60 * 1000;
/** Addresses in memory, the oldest dropped first: each takes about 100 bytes. */
const REMEMBERED_ADDRESSES = 10_000;

interface Attempts {
  readonly count: number;
  /** When the last wrong token arrived, and for how long tokens of this address are not checked. */
  readonly lastAt: Instant;
  readonly waitMs: number;
}

const NO_ATTEMPTS: Attempts = { count: 0, lastAt: 0, waitMs: 0 };

/** Limits guessing of tokens. Sessions are not affected. */
export class TokenAttempts {
  /** Oldest first. */
  private readonly known = new Map<string, Attempts>();
  /** The pending check of each address. */
  private readonly turns = new Map<string, Promise<void>>();

  constructor(private readonly now: () => Instant) {}

  /**
   * Returns what `check` returns; null counts as a wrong token. Rejects with RATE_LIMITED while the address has to
   * wait. Checks of one address run one at a time.
   */
  attempt<T>(address: string, check: () => Promise<T | null>): Promise<T | null> {
    const turn = (this.turns.get(address) ?? Promise.resolve()).then(() => this.attemptNow(address, check));
    const settled = turn
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => {
        if (this.turns.get(address) === settled) this.turns.delete(address);
      });
    this.turns.set(address, settled);
    return turn;
  }

  private async attemptNow<T>(address: string, check: () => Promise<T | null>): Promise<T | null> {
    this.requireWaited(address);
    const found = await check();
    if (found !== null) this.known.delete(address);
    else this.remember(address);
    return found;
  }

  private requireWaited(address: string): void {
    const { lastAt, waitMs } = this.known.get(address) ?? NO_ATTEMPTS;
    const passedMs = this.now() - lastAt;
    // A clock that was set back does not extend the wait.
    if (passedMs < 0 || passedMs >= waitMs) return;
    const seconds = Math.ceil((waitMs - passedMs) / 1000);
    throw new ArchiveError("RATE_LIMITED", `too many wrong tokens from this address: try again in ${seconds} s`, {
      retryAfterSeconds: seconds,
    });
  }

  private remember(address: string): void {
    const count = (this.known.get(address) ?? NO_ATTEMPTS).count + 1;
    this.known.delete(address);
    const beyond = count - FREE_ATTEMPTS;
    const waitMs = beyond < 0 ? 0 : Math.min(FIRST_WAIT_MS * 2 ** beyond, LONGEST_WAIT_MS);
    this.known.set(address, { count, lastAt: this.now(), waitMs });
    const [oldest] = this.known.keys();
    if (this.known.size > REMEMBERED_ADDRESSES && oldest !== undefined) this.known.delete(oldest);
  }
}

/** The client address of a request: with a proxy on this machine, the address that the proxy added. */
export function addressOf({ socket, headers }: FastifyRequest): string {
  const near = socket.remoteAddress ?? "";
  const forwarded = String(headers["x-forwarded-for"] ?? "")
    .split(",")
    .at(-1)!
    .trim();
  return forwarded !== "" && isLoopback(near.replace(/^::ffff:/, "")) ? forwarded : near;
}
