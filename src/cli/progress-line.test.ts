import { expect, it } from "vitest";
import { ConsoleLog } from "./console-log.ts";
import { ProgressLine } from "./progress-line.ts";

it("names the phases of a run in words that are true whether or not it redacts", () => {
  const lines: string[] = [];
  const log = new ConsoleLog("info", (line) => void lines.push(line));
  const progress = new ProgressLine({ isTerminal: false, columns: 80, write: () => undefined, now: () => 0 }, log);
  for (const phase of ["parsing", "redaction", "outputs"] as const) progress.show({ kind: "phase", phase, state: "started" });
  expect(lines).toEqual(["reading mail …\n", "reading text again: redaction, language, index …\n", "writing pages …\n"]);
});
