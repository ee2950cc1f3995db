import type { PhaseEventWire } from "../../http/upload-service/wire-uploads.ts";

/** A phase as it was told last, and as it was when its first message was done, or it was first heard of. */
export interface ToldPhase {
  readonly event: PhaseEventWire;
  /** Milliseconds of a clock that never goes back. */
  readonly at: number;
  readonly firstDone: number;
  readonly firstAt: number;
}

/** How fast a phase goes. */
export interface PhasePace {
  /** Messages a second. */
  readonly rate: number;
  /** Null where nobody knows how many there are. */
  readonly secondsLeft: number | null;
}

/** Milliseconds that a phase must have been watched: before, its rate jumps. */
const WATCHED_MS = 1000;

/**
 * What is known of a phase after another event of it. It is watched from its first message on: what comes before, such
 * as unpacking a file of some gigabytes, would count as slowness of what follows.
 */
export function toldPhase(before: ToldPhase | undefined, event: PhaseEventWire, at: number): ToldPhase {
  const goesOn = before?.event.phase === event.phase && before.firstDone > 0 && event.done >= before.firstDone;
  if (goesOn && event.state !== "started") return { ...before, event, at };
  return { event, at, firstDone: event.done, firstAt: at };
}

/** Null as long as too little was seen. */
export function paceOf({ event: { done, total }, at, firstDone, firstAt }: ToldPhase): PhasePace | null {
  const rate = ((done - firstDone) / (at - firstAt)) * 1000;
  if (at - firstAt < WATCHED_MS || rate <= 0) return null;
  return { rate, secondsLeft: total === null ? null : Math.max(0, total - done) / rate };
}
