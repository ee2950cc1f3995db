import type { AuditAction } from "../../mail/access.ts";
import type { Instant } from "../../mail/instant.ts";
import type { AccessRegister } from "../../store/access-register.ts";
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

/** Puts on record what is done with uploads, before it is done: what cannot be recorded is not done. */
export class AuditNotes {
  private readonly register: AccessRegister;
  private readonly now: () => Instant;
  /** When an act was put on record that is one row for a while, oldest first. */
  private readonly recent = new Map<string, Instant>();

  constructor(register: AccessRegister, now: () => Instant) {
    this.register = register;
    this.now = now;
  }

  /** Throws as the catalogue does. */
  note(name: string, uploadId: string, { action, detail, queryHash }: RequestedAct): void {
    if (action === null) return;
    const at = this.now();
    const onceMs = ONCE_MS.get(action);
    const key = `${action} ${name} ${uploadId} ${queryHash}`;
    if (onceMs !== undefined && at - (this.recent.get(key) ?? Number.NEGATIVE_INFINITY) < onceMs) return;
    this.register.record({ at, name, action, uploadId, detail });
    if (onceMs !== undefined) this.remember(key, at);
  }

  private remember(key: string, at: Instant): void {
    this.recent.delete(key);
    this.recent.set(key, at);
    const [oldest] = this.recent.keys();
    if (this.recent.size > REMEMBERED_ACTS && oldest !== undefined) this.recent.delete(oldest);
  }
}
