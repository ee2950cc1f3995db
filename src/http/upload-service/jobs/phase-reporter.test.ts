import fc from "fast-check";
import { expect, it } from "vitest";
import { PHASES } from "../../../extraction/extraction-event.ts";
import type { JobPhase } from "../base/wire-uploads.ts";
import { PhaseReporter, PROGRESS_INTERVAL_MS } from "./phase-reporter.ts";

const reading = (messages: number, bytes: number, mailbox = "") =>
  ({ kind: "reading", bytes, totalBytes: 1000, messages, mailbox }) as const;
const progress = (done: number) =>
  ({ kind: "phase", phase: "redaction", state: "progress", done, total: 1000 }) as const;

it("reports every start and end, and marks disabled phases as skipped", () => {
  const reported: JobPhase[] = [];
  const reporter = new PhaseReporter(
    (phase) => reported.push(phase),
    () => 0,
  );
  for (const phase of PHASES) {
    reporter.show({ kind: "phase", phase, state: "started" });
    reporter.show({ kind: "phase", phase, state: "completed", done: 4, skipped: phase === "redaction" });
  }
  expect(reported.map(({ phase, state }) => `${phase} ${state}`)).toEqual(
    PHASES.flatMap((phase) => [`${phase} started`, `${phase} completed`]),
  );
  expect(reported.filter(({ isSkipped }) => isSkipped)).toEqual([
    { phase: "redaction", state: "completed", done: 4, total: 4, isSkipped: true },
  ]);
});

it("reports the start of a phase once, although unpacking and reading both start it", () => {
  const reported: JobPhase[] = [];
  const reporter = new PhaseReporter(
    (phase) => reported.push(phase),
    () => 0,
  );
  reporter.show({ kind: "phase", phase: "parsing", state: "started" });
  reporter.show({ kind: "phase", phase: "parsing", state: "started" });
  reporter.show(reading(1, 1));
  reporter.show({ kind: "phase", phase: "threading", state: "started" });
  expect(reported.map(({ phase, state }) => `${phase} ${state}`)).toEqual([
    "parsing started",
    "parsing progress",
    "threading started",
  ]);
});

it("reports progress at most four times a second", () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 400 }), { minLength: 1, maxLength: 200 }), (pauses) => {
      let now = 0;
      const reportedAt: number[] = [];
      const reporter = new PhaseReporter(
        () => reportedAt.push(now),
        () => now,
      );
      for (const [index, pause] of pauses.entries()) {
        now += pause;
        reporter.show(index % 2 === 0 ? progress(index) : reading(index, index));
      }
      expect(reportedAt[0]).toBe(pauses[0]);
      for (const [index, at] of reportedAt.entries())
        if (index > 0) expect(at - reportedAt[index - 1]!).toBeGreaterThanOrEqual(PROGRESS_INTERVAL_MS);
      expect(reportedAt.filter((at) => at < reportedAt[0]! + 1000).length).toBeLessThanOrEqual(4);
    }),
  );
});

it("reports bytes read and total bytes, because the number of messages is unknown", () => {
  const reported: JobPhase[] = [];
  let now = 0;
  const reporter = new PhaseReporter(
    (phase) => reported.push(phase),
    () => now,
  );
  reporter.show(reading(3, 40));
  now += PROGRESS_INTERVAL_MS;
  reporter.show(reading(9, 1000));
  expect(reported.map(({ phase, done, total, bytes }) => ({ phase, done, total, bytes }))).toEqual([
    { phase: "parsing", done: 3, total: null, bytes: { done: 40, total: 1000 } },
    { phase: "parsing", done: 9, total: null, bytes: { done: 1000, total: 1000 } },
  ]);
});

it("omits warnings and locations, which may contain names from mail", () => {
  const reported: JobPhase[] = [];
  const reporter = new PhaseReporter(
    (phase) => reported.push(phase),
    () => 0,
  );
  const warning = { code: "redacted", message: "secret", source: 0, location: "secret", sha256: null } as const;
  reporter.show({ kind: "warning", warning });
  expect(reported).toEqual([]);
  reporter.show(reading(3, 1, "secret"));
  expect(JSON.stringify(reported)).not.toContain("secret");
});
