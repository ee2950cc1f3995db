import type { PhaseEventWire } from "../../http/upload-service/base/wire-uploads.ts";

/** The last event of a phase, and the first one, or the one with the first finished message. */
export interface PhaseProgress {
  readonly event: PhaseEventWire;
  /** Milliseconds of a clock that never goes back. */
  readonly at: number;
  readonly first: PhaseEventWire;
  readonly firstAt: number;
}

/** How fast a phase goes. */
interface PhasePace {
  /** Messages per second; 0 while the files read contain none. */
  readonly rate: number;
  /** Null where nobody knows how much there is left. */
  readonly secondsLeft: number | null;
}

/** What a phase does: bytes while messages are read, else messages. */
interface PhaseAmount {
  readonly done: number;
  /** Null where nobody knows how much there is. */
  readonly total: number | null;
}

/** Milliseconds that a phase must have been watched: before, its rate jumps. */
const WATCHED_MS = 1000;

/** Progress of a phase: by bytes if known, because the number of messages in a file is not. */
export function amountOf({ done, total, bytes, total_bytes }: PhaseEventWire): PhaseAmount {
  return total_bytes === undefined ? { done, total } : { done: bytes ?? 0, total: total_bytes };
}

/** What is said of a phase until it has ended. */
const MOST_PERCENT = 99;

/**
 * Progress of a phase in whole percent; null if unknown. Never 100 before its end: after its last message, a file is
 * hashed as a whole.
 */
export function percentOf(event: PhaseEventWire): number | null {
  const { done, total } = amountOf(event);
  if (!total) return null;
  const percent = Math.floor((done / total) * 100);
  return event.state === "completed" ? percent : Math.min(MOST_PERCENT, percent);
}

/**
 * What is known of a phase after another event of it. It is watched from its first message on: what comes before, such
 * as unpacking a file of some gigabytes, would count as slowness of what follows.
 */
export function advancePhase(before: PhaseProgress | undefined, event: PhaseEventWire, at: number): PhaseProgress {
  const goesOn = before?.event.phase === event.phase && before.first.done > 0 && event.done >= before.first.done;
  if (goesOn && event.state !== "started") return { ...before, event, at };
  return { event, at, first: event, firstAt: at };
}

/** Null as long as too little was seen. */
export function paceOf({ event, at, first, firstAt }: PhaseProgress): PhasePace | null {
  const seconds = (at - firstAt) / 1000;
  const rate = (event.done - first.done) / seconds;
  const { done, total } = amountOf(event);
  const speed = (done - amountOf(first).done) / seconds;
  if (at - firstAt < WATCHED_MS || (rate <= 0 && speed <= 0)) return null;
  // After the last message, a phase may have further work without progress events.
  return { rate, secondsLeft: total === null || speed <= 0 || done >= total ? null : (total - done) / speed };
}
