import type { AuditAction } from "../mail/access.ts";
import type { Instant } from "../mail/instant.ts";
import type { AccessRegister } from "../store/access-register.ts";
import type { RequestedAct } from "./audited-request.ts";

/** Milliseconds in which somebody who reads an archive is one row: a view of the page asks some ten times. */
export const OPENED_ONCE_MS = 60 * 60 * 1000;
/** The same for one query: a list, its pages, counts and chart ask for it each. */
export const SEARCHED_ONCE_MS = 60 * 1000;
const ONCE_MS: ReadonlyMap<AuditAction, number> = new Map([
  ["opened", OPENED_ONCE_MS],
  ["searched", SEARCHED_ONCE_MS],
]);
/** Acts that are remembered so, the oldest forgotten first: each takes some 200 bytes. */
const REMEMBERED_ACTS = 10_000;

/** Acts that are one row for a while, and when each was put on record. */
class RecentActs {
  private readonly now: () => Instant;
  /** Oldest first. */
  private readonly recordedAt = new Map<string, Instant>();

  constructor(now: () => Instant) {
    this.now = now;
  }

  /** @param key of one who does it, of an archive and of a query */
  isDue(action: AuditAction, key: string): boolean {
    const last = this.recordedAt.get(`${action} ${key}`) ?? Number.NEGATIVE_INFINITY;
    return this.now() - last >= (ONCE_MS.get(action) ?? 0);
  }

  remember(action: AuditAction, key: string): void {
    if (!ONCE_MS.has(action)) return;
    this.recordedAt.delete(`${action} ${key}`);
    this.recordedAt.set(`${action} ${key}`, this.now());
    const [oldest] = this.recordedAt.keys();
    if (this.recordedAt.size > REMEMBERED_ACTS && oldest !== undefined) this.recordedAt.delete(oldest);
  }
}

/** Puts on record what is done with uploads, before it is done: what cannot be recorded is not done. */
export class AuditNotes {
  private readonly register: AccessRegister;
  private readonly now: () => Instant;
  private readonly recent: RecentActs;

  constructor(register: AccessRegister, now: () => Instant) {
    this.register = register;
    this.now = now;
    this.recent = new RecentActs(now);
  }

  /** Throws as the catalogue does. */
  note(name: string, uploadId: string, { action, detail, queryHash }: RequestedAct): void {
    const key = `${name} ${uploadId} ${queryHash}`;
    if (action === null || !this.recent.isDue(action, key)) return;
    this.register.record({ at: this.now(), name, action, uploadId, detail });
    this.recent.remember(action, key);
  }
}
