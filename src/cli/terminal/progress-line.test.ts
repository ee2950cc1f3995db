import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ExtractionEvent, PHASES } from "../../extraction/extraction-event.ts";
import { ConsoleLog } from "./console-log.ts";
import { ProgressLine } from "./progress-line.ts";
import { RunProgress } from "./run-progress.ts";

const SHAPE = { hasWiki: true };

it("names the phases of a run, with and without redaction", () => {
  const lines: string[] = [];
  const log = new ConsoleLog("info", (line) => void lines.push(line));
  const screen = { isTerminal: false, columns: 80, write: () => undefined, now: () => 0 };
  const progress = new ProgressLine(screen, log, SHAPE);
  for (const phase of ["parsing", "redaction", "outputs"] as const)
    progress.show({ kind: "phase", phase, state: "started" });
  expect(lines).toEqual([
    "phase 1 of 7: reading mail …\n",
    "phase 4 of 7: preparing text …\n",
    "phase 7 of 7: writing pages …\n",
  ]);
});

it("shows the phase, the progress of the whole run, and elapsed and remaining time", () => {
  let now = 0;
  const drawn: string[] = [];
  const screen = { isTerminal: true, columns: 80, write: (text: string) => void drawn.push(text), now: () => now };
  const progress = new ProgressLine(screen, new ConsoleLog("info", () => undefined), SHAPE);
  const show = (at: number, event: ExtractionEvent): string => {
    now = at;
    progress.show(event);
    return drawn.at(-1)!.replace("\r\u001b[K", "");
  };
  expect(show(1, { kind: "phase", phase: "parsing", state: "started" })).toBe(
    "1/7 reading mail [--------------------] 0:00, ? left",
  );
  const reading = {
    kind: "reading",
    totalBytes: 4 << 20,
    messages: 1200,
    mailbox: `Projects/${"Kittiwake ".repeat(9)}`,
  } as const;
  // Half of the input is one seventh of the run, so six times the elapsed time remains.
  expect(show(10_000, { ...reading, bytes: 2 << 20 })).toBe(
    "1/7 reading mail [##------------------] 0:10, 0:59 left  1,200 messages, 204.8…",
  );
  expect(show(20_000, { ...reading, bytes: 4 << 20 })).toMatch(/^1\/7 reading mail \[#{5}-+\] 0:20, 0:49 left /);
  expect(show(60_000, { kind: "phase", phase: "outputs", state: "started" })).toMatch(
    /^7\/7 writing pages \[#{16}-{4}\] 1:00, 0:14 left$/,
  );
  expect(show(75_000, { kind: "phase", phase: "outputs", state: "progress", done: 300, total: 301 })).toMatch(
    / 0:06 left {2}300 of 301$/,
  );
});

describe("the estimate", () => {
  it("never decreases or exceeds the whole, and is correct if phases take as long as with real mail", () => {
    const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 });
    fc.assert(
      fc.property(
        fc.array(shares, { minLength: PHASES.length, maxLength: PHASES.length }),
        fc.boolean(),
        (all, hasWiki) => {
          const progress = new RunProgress({ hasWiki }, 0);
          let last = 0;
          for (const [index, phase] of PHASES.entries()) {
            progress.begin(phase, 0);
            for (const share of all[index]!) progress.advance(share);
            expect(progress.share).toBeGreaterThanOrEqual(last - 1e-9);
            last = progress.share;
            // A run of 1,000 s with constant speed.
            const left = progress.secondsLeft(progress.share * 1_000_000);
            if (left !== null) expect(left).toBeCloseTo(1000 - progress.share * 1000, 6);
          }
          expect(progress.share).toBeLessThan(1);
        },
      ),
    );
  });

  it("advances with the clock in a phase without progress events", () => {
    const progress = new RunProgress(SHAPE, 0);
    progress.begin("topics", 60_000);
    const before = progress.share;
    progress.pass(61_000);
    expect(progress.share).toBeGreaterThan(before);
    progress.pass(1_000_000);
    progress.begin("indexing", 1_000_000);
    const after = progress.share;
    progress.advance(0);
    progress.pass(2_000_000);
    expect(progress.share).toBe(after);
  });

  it("adapts to phases that take longer", () => {
    const progress = new RunProgress(SHAPE, 0);
    progress.begin("threading", 0);
    const expected = progress.secondsLeft(20_000)!;
    expect(progress.secondsLeft(40_000)).toBeCloseTo(2 * expected, 6);
  });
});
