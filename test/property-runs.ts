import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Part of the runs of slow property tests that is made: a third in `npm test`, all in `npm run properties`. */
    readonly propertyShare: number;
  }
}

/** Runs of a slow property test. @param all runs of `npm run properties` */
export function propertyRuns(all: number): number {
  return Math.ceil(all * inject("propertyShare"));
}
