import { stripVTControlCharacters } from "node:util";
import type { TestError } from "vitest";
import type { Reporter, SerializedError, TestModule } from "vitest/node";

/** Maximum characters of a failure message; most differences are at the beginning. */
const MOST_SAID = 2_000;

/**
 * Ends a run with one plain line that any CI can parse, after lists of skipped tests and of failed tests with reasons.
 * Of a long run, often only the end is kept.
 */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    let passed = 0;
    const skipped: string[] = [];
    // An error outside any test fails the run, so it counts as a failed test.
    const failed = unhandled.map(({ message }) => `outside the tests: ${message.split("\n", 1)[0]}`);
    for (const module of modules) {
      if (module.errors().length > 0) failed.push(module.relativeModuleId);
      for (const test of module.children.allTests()) {
        const { state, errors = [] } = test.result();
        const name = `${module.relativeModuleId} > ${test.fullName}`;
        if (state === "passed") passed++;
        else if (state === "skipped") skipped.push(name);
        else failed.push([name, ...errors.map(reasonOf)].join("\n"));
      }
    }
    for (const name of skipped) console.log(`skipped: ${name}`);
    for (const name of failed) console.log(`failed: ${name}`);
    console.log(`tests: ${passed} passed, ${failed.length} failed, ${skipped.length} skipped`);
  }
}

/** Expected and actual values without colors, indented so that no line looks like one of the summary. */
function reasonOf({ message, diff = "" }: TestError): string {
  const text = stripVTControlCharacters(`${message}\n${diff}`).trim().slice(0, MOST_SAID);
  return text.replaceAll(/^/gm, "  ");
}
