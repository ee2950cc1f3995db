import type { PhaseEventWire } from "../../http/upload-service/base/wire-uploads.ts";

/** The last event of a phase, and the first one, or the one with the first finished message. */
export interface PhaseProgress {
  readonly event: PhaseEventWire;
  /** Milliseconds of a monotonic clock. */
  readonly at: number;
  readonly first: PhaseEventWire;
  readonly firstAt: number;
}

/** Speed of a phase. */
interface PhasePace {
  /** Messages per second; 0 while the files read contain none. */
  readonly rate: number;
  /** Null if unknown. */
  readonly secondsLeft: number | null;
}

/** Work of a phase: bytes while messages are read, else messages. */
interface PhaseAmount {
  readonly done: number;
  /** Null if unknown. */
  readonly total: number | null;
}

/** Milliseconds that a phase must have been observed: before, its rate fluctuates. */
const WATCHED_MS = 1000;

/** Progress of a phase: by bytes if known, because the number of messages in a file is not. */
export function amountOf({ done, total, bytes, total_bytes }: PhaseEventWire): PhaseAmount {
  return total_bytes === undefined ? { done, total } : { done: bytes ?? 0, total: total_bytes };
}

/** Maximum percentage of a running phase. */
const MOST_PERCENT = 99;

/**
 * Progress of a phase in whole percent; null if unknown. Never 100 before its end, because a file is hashed after its
 * last message.
 */
export function percentOf(event: PhaseEventWire): number | null {
  const { done, total } = amountOf(event);
  if (!total) return null;
  const percent = Math.floor((done / total) * 100);
  return event.state === "completed" ? percent : Math.min(MOST_PERCENT, percent);
}

/**
 * Progress of a phase after an event. Measured from its first message, because earlier work, such as unpacking a file
 * of some gigabytes, would distort its speed.
 */
export function advancePhase(before: PhaseProgress | undefined, event: PhaseEventWire, at: number): PhaseProgress {
  const goesOn = before?.event.phase === event.phase && before.first.done > 0 && event.done >= before.first.done;
  if (goesOn && event.state !== "started") return { ...before, event, at };
  return { event, at, first: event, firstAt: at };
}

/** Null until enough was observed. */
export function paceOf({ event, at, first, firstAt }: PhaseProgress): PhasePace | null {
  const seconds = (at - firstAt) / 1000;
  const rate = (event.done - first.done) / seconds;
  const { done, total } = amountOf(event);
  const speed = (done - amountOf(first).done) / seconds;
  if (at - firstAt < WATCHED_MS || (rate <= 0 && speed <= 0)) return null;
  // After the last message, a phase may have further work without progress events.
  return { rate, secondsLeft: total === null || speed <= 0 || done >= total ? null : (total - done) / speed };
}
