import fc from "fast-check";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /**
     * What the generators of property tests begin with: the same in every `npm test`, a new one in every `npm run
     * properties`.
     */
    readonly propertySeed: number;
  }
}

fc.configureGlobal({ seed: inject("propertySeed") });
