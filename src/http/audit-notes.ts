import type { AuditAction } from "../mail/access.ts";
import type { Instant } from "../mail/dates/instant.ts";
import type { AccessRegister } from "../store/contract/access-register.ts";
import type { RequestedAct } from "./audited-request.ts";

/** Milliseconds during which repeated reads of an archive are one row: a view of the page sends about ten requests. */
const OPENED_ONCE_MS = 60 * 60 * 1000;
/** The same for one query: its list, pages, counts and chart are separate requests. */
const SEARCHED_ONCE_MS = 60 * 1000;
const ONCE_MS: ReadonlyMap<AuditAction, number> = new Map([
  ["opened", OPENED_ONCE_MS],
  ["searched", SEARCHED_ONCE_MS],
]);
/** Recent acts in memory, the oldest dropped first: each takes about 200 bytes. */
const REMEMBERED_ACTS = 10_000;

/** Recently recorded acts, with the time of each record. */
class RecentActs {
  /** Oldest first. */
  private readonly recordedAt = new Map<string, Instant>();
  /** Acts being recorded: concurrent requests share a row. */
  private readonly recording = new Map<string, Promise<void>>();

  constructor(private readonly now: () => Instant) {}

  /**
   * Records an act unless it was recorded a while ago. Rejects as `record` does.
   * @param act with caller, archive and query
   */
  async once(action: AuditAction, act: string, record: () => Promise<void>): Promise<void> {
    const onceMs = ONCE_MS.get(action);
    if (onceMs === undefined) return record();
    const key = `${action} ${act}`;
    const passedMs = this.now() - (this.recordedAt.get(key) ?? Number.NEGATIVE_INFINITY);
    // After the clock was set back nothing counts as recorded.
    if (passedMs >= 0 && passedMs < onceMs) return undefined;
    const recording =
      this.recording.get(key) ??
      record()
        .then(() => this.remember(key))
        .finally(() => this.recording.delete(key));
    this.recording.set(key, recording);
    return recording;
  }

  private remember(key: string): void {
    this.recordedAt.delete(key);
    this.recordedAt.set(key, this.now());
    const [oldest] = this.recordedAt.keys();
    if (this.recordedAt.size > REMEMBERED_ACTS && oldest !== undefined) this.recordedAt.delete(oldest);
  }
}

/** Records acts on uploads before they happen; if recording fails, the request fails. */
export class AuditNotes {
  private readonly recent: RecentActs;

  constructor(
    private readonly register: AccessRegister,
    private readonly now: () => Instant,
  ) {
    this.recent = new RecentActs(now);
  }

  /** Rejects as the catalog does. */
  async note(name: string, uploadId: string, { action, detail, queryHash }: RequestedAct): Promise<void> {
    if (action === null) return;
    await this.recent.once(action, `${name} ${uploadId} ${queryHash}`, () =>
      this.register.record({ at: this.now(), name, action, uploadId, detail }),
    );
  }
}
