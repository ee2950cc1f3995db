import fc from "fast-check";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /**
     * Seed of the generators of property tests: the same in every `npm test`, a new one in every `npm run
     * properties`.
     */
    readonly propertySeed: number;
  }
}

fc.configureGlobal({ seed: inject("propertySeed") });
