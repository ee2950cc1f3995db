import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Share of the runs of slow property tests: a third in `npm test`, all in `npm run properties`. */
    readonly propertyShare: number;
  }
}

/** Number of runs of a slow property test. @param all number of runs in `npm run properties` */
export function propertyRuns(all: number): number {
  return Math.ceil(all * inject("propertyShare"));
}
