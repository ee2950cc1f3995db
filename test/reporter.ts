import { stripVTControlCharacters } from "node:util";
import type { TestError } from "vitest";
import type { Reporter, SerializedError, TestModule } from "vitest/node";

/** Characters said of why a test failed: what differs stands at the begin of most, and of a huge one the end says no more. */
const MOST_SAID = 2_000;

/**
 * Closes a run with one plain line that any CI can read, and names what was skipped and what failed and why: of a long
 * run often only the end is kept.
 */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    let passed = 0;
    const skipped: string[] = [];
    // What went wrong outside any test makes the run fail, so it is counted as one that failed.
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

/** What was expected and what came, without colours and indented, so that no line of it is taken for one of the summary. */
function reasonOf({ message, diff = "" }: TestError): string {
  const said = stripVTControlCharacters(`${message}\n${diff}`).trim().slice(0, MOST_SAID);
  return said.replaceAll(/^/gm, "  ");
}
