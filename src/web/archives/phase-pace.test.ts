import { expect, it } from "vitest";
import type { PhaseEventWire } from "../../http/upload-service/base/wire-uploads.ts";
import { advancePhase, amountOf, type PhaseProgress, paceOf, percentOf } from "./phase-pace.ts";

const phaseEvent = (phase: PhaseEventWire["phase"], done: number, total: number | null = 1000): PhaseEventWire => ({
  upload_id: "upload-abcdefgh2345",
  phase,
  state: done === 0 ? "started" : "progress",
  done,
  total,
  timestamp: "2026-01-02T12:00:00Z",
});

function watched(...events: readonly (readonly [number, PhaseEventWire])[]): PhaseProgress {
  let known: PhaseProgress | undefined;
  for (const [at, event] of events) known = advancePhase(known, event, at);
  return known!;
}

it("returns rate and remaining time of a phase since its first event", () => {
  const pace = paceOf(
    watched([5000, phaseEvent("parsing", 100)], [6000, phaseEvent("parsing", 200)], [7000, phaseEvent("parsing", 500)]),
  );
  expect(pace).toEqual({ rate: 200, secondsLeft: 2.5 });
});

it("estimates no remaining time after the last message", () => {
  expect(paceOf(watched([0, phaseEvent("indexing", 1)], [2000, phaseEvent("indexing", 1000)]))?.secondsLeft).toBeNull();
});

it("restarts with each phase, and with an interrupted extraction", () => {
  expect(paceOf(watched([0, phaseEvent("parsing", 900)], [4000, phaseEvent("indexing", 10)]))).toBeNull();
  const again = [[0, phaseEvent("parsing", 900)] as const, [4000, phaseEvent("parsing", 0)] as const];
  expect(paceOf(watched(...again, [6000, phaseEvent("parsing", 100)], [8000, phaseEvent("parsing", 200)]))?.rate).toBe(
    50,
  );
});

it("counts from the first message on, however long the file was unpacked before", () => {
  const events = [[0, phaseEvent("parsing", 0)] as const, [96_000, phaseEvent("parsing", 10)] as const];
  expect(paceOf(watched(...events))).toBeNull();
  expect(paceOf(watched(...events, [98_000, phaseEvent("parsing", 1010)]))?.rate).toBe(500);
});

it("returns nothing in the first second, and no end for an unknown total", () => {
  expect(paceOf(watched([0, phaseEvent("parsing", 1)], [900, phaseEvent("parsing", 500)]))).toBeNull();
  expect(paceOf(watched([0, phaseEvent("parsing", 5)], [9000, phaseEvent("parsing", 5)]))).toBeNull();
  expect(paceOf(watched([0, phaseEvent("parsing", 1, null)], [2000, phaseEvent("parsing", 501, null)]))).toEqual({
    rate: 250,
    secondsLeft: null,
  });
});

it("uses bytes while messages are read, because their total is unknown", () => {
  const reading = (done: number, bytes: number): PhaseEventWire => ({
    ...phaseEvent("parsing", done, null),
    bytes,
    total_bytes: 10_000,
  });
  const known = watched([0, reading(1, 1000)], [2000, reading(501, 3000)]);
  expect(paceOf(known)).toEqual({ rate: 250, secondsLeft: 7 });
  expect(amountOf(known.event)).toEqual({ done: 3000, total: 10_000 });
  expect(percentOf(known.event)).toBe(30);
  // Files without messages.
  expect(paceOf(watched([0, reading(1, 1000)], [2000, reading(1, 3000)]))).toEqual({ rate: 0, secondsLeft: 7 });
  // One huge message: its bytes are reported when it is read.
  expect(paceOf(watched([0, reading(1, 1000)], [2000, reading(2, 1000)]))?.secondsLeft).toBeNull();
});

it("never returns 100 % before the end, and nothing for an unknown total", () => {
  expect(percentOf(phaseEvent("indexing", 999))).toBe(99);
  expect(percentOf(phaseEvent("indexing", 1000))).toBe(99);
  expect(percentOf({ ...phaseEvent("indexing", 1000), state: "completed" })).toBe(100);
  expect(percentOf(phaseEvent("parsing", 5, null))).toBeNull();
  expect(percentOf(phaseEvent("indexing", 0, 0))).toBeNull();
});
