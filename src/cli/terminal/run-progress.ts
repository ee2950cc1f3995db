import { PHASES, type Phase } from "../../extraction/extraction-event.ts";

/** Properties of a run that affect the duration of phases. */
export interface RunShape {
  readonly hasWiki: boolean;
}

/**
 * Seconds per phase for 42,661 messages with two threads, averaged between a busy and an idle machine. Only their
 * ratios matter.
 */
const SECONDS: Readonly<Record<Phase, number>> = {
  parsing: 27,
  threading: 0.3,
  contact_resolution: 4,
  redaction: 24,
  topics: 13,
  indexing: 7,
  outputs: 18,
};
/** The same for an early phase. */
const SECONDS_WITHOUT_WIKI: Partial<Record<Phase, number>> = { outputs: 2 };

/**
 * Share of a phase that its messages take; indexes and pages follow the last message. A first run stores messages while
 * it learns topics.
 */
const REPORTED_PARTS: Partial<Record<Phase, number>> = { topics: 0.9, indexing: 0.4, outputs: 0.6 };

/** Maximum estimated progress of a phase that reports none. */
const GUESSED_SHARE = 0.9;

/** Progress below which no remaining time is shown. */
const LEAST_SHARE = 0.01;

/**
 * Progress of a whole run. Phases have fixed shares, measured with real mail. The time spent so far predicts the rest,
 * so the estimate improves with each finished phase.
 */
export class RunProgress {
  private readonly parts: ReadonlyMap<Phase, number>;
  private readonly startedAt: number;
  private phase: Phase = PHASES[0];
  /** Share of the run that completed phases make up. */
  private ended = 0;
  private shareOfPhase = 0;
  private begunAt: number;
  /** True if the phase reports progress. */
  private isShown = false;

  constructor({ hasWiki }: RunShape, now: number) {
    const seconds = { ...SECONDS, ...(hasWiki ? {} : SECONDS_WITHOUT_WIKI) };
    const total = PHASES.reduce((sum, phase) => sum + seconds[phase], 0);
    this.parts = new Map(PHASES.map((phase) => [phase, seconds[phase] / total]));
    this.startedAt = now;
    this.begunAt = now;
  }

  /** Starts a phase; earlier ones are complete. */
  begin(phase: Phase, now: number): void {
    this.phase = phase;
    this.begunAt = now;
    this.isShown = false;
    this.shareOfPhase = 0;
    this.ended = PHASES.slice(0, PHASES.indexOf(phase)).reduce((sum, each) => sum + this.parts.get(each)!, 0);
  }

  /** @param share of the phase that is complete, 0 to 1. */
  advance(share: number): void {
    this.isShown = true;
    this.shareOfPhase = Math.max(this.shareOfPhase, Math.min(1, share) * (REPORTED_PARTS[this.phase] ?? 1));
  }

  /** Updates the time: the progress of a phase that reports none is estimated from earlier phases. */
  pass(now: number): void {
    const beforeSeconds = (this.begunAt - this.startedAt) / 1000;
    if (this.isShown || this.ended < LEAST_SHARE || beforeSeconds <= 0) return;
    const expectedSeconds = (beforeSeconds * this.parts.get(this.phase)!) / this.ended;
    this.shareOfPhase = Math.max(
      this.shareOfPhase,
      Math.min(GUESSED_SHARE, (now - this.begunAt) / 1000 / expectedSeconds),
    );
  }

  /** From 1. */
  get phaseNumber(): number {
    return PHASES.indexOf(this.phase) + 1;
  }

  /** Progress of the run, 0 to 1. */
  get share(): number {
    return this.ended + this.parts.get(this.phase)! * this.shareOfPhase;
  }

  elapsedSeconds(now: number): number {
    return (now - this.startedAt) / 1000;
  }

  /** Seconds until the run ends; null until enough is done for an estimate. */
  secondsLeft(now: number): number | null {
    const { share } = this;
    return share < LEAST_SHARE ? null : (this.elapsedSeconds(now) * (1 - share)) / share;
  }
}
