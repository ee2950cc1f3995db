import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that start programs and browsers. */
const SLOW = /\/test\/(?:e2e|contract)\//;

/**
 * Runs end-to-end and contract tests before all others, so that no slow file runs alone at the end. On a fresh clone,
 * Vitest knows no durations and sorts files by size.
 */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification): boolean => SLOW.test(moduleId);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}
