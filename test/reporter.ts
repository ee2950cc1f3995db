import type { Reporter, SerializedError, TestModule } from "vitest/node";

/**
 * Closes a run with one plain line that any CI can read, and names what was skipped and what failed: of a long run often
 * only the end is kept.
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
        const { state } = test.result();
        if (state === "passed") passed++;
        else (state === "failed" ? failed : skipped).push(`${module.relativeModuleId} > ${test.fullName}`);
      }
    }
    for (const name of skipped) console.log(`skipped: ${name}`);
    for (const name of failed) console.log(`failed: ${name}`);
    console.log(`tests: ${passed} passed, ${failed.length} failed, ${skipped.length} skipped`);
  }
}
