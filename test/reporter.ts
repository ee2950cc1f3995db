import type { Reporter, TestModule } from "vitest/node";

/** Closes a run with one plain line that any CI can read, and names what was skipped. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const count = { passed: 0, failed: 0, skipped: 0 };
    const skipped: string[] = [];
    for (const module of modules) {
      if (module.errors().length > 0) count.failed++;
      for (const test of module.children.allTests()) {
        const state = test.result().state;
        if (state === "passed") count.passed++;
        else if (state === "failed") count.failed++;
        else {
          count.skipped++;
          skipped.push(`${module.relativeModuleId} > ${test.fullName}`);
        }
      }
    }
    for (const name of skipped) console.log(`skipped: ${name}`);
    console.log(`tests: ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
  }
}
