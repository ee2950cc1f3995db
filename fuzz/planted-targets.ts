import type { FuzzTarget } from "./fuzz-target.ts";
import { plantedFault } from "./planted-fault.ts";

const planted: FuzzTarget = {
  seeds: () => [Buffer.from("nothing of it")],
  words: ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"],
  bytesMax: 400,
  run: (input) => plantedFault(input.toString("latin1")),
};

/** Targets with known faults: tests of the fuzzer look for these. */
export const FUZZ_TARGETS = {
  fault: planted,
  growth: { ...planted, run: (input: Buffer): number => 1_000_001 + 21 * input.length },
  hang: {
    ...planted,
    seeds: (): readonly Buffer[] => [Buffer.from("hang")],
    run(): number {
      for (;;);
    },
  },
  death: {
    ...planted,
    seeds: (): readonly Buffer[] => [Buffer.from("death")],
    run(): number {
      const all: unknown[] = [];
      for (;;) all.push(new Array(1_000_000).fill(all.length));
    },
  },
} satisfies Readonly<Record<string, FuzzTarget>>;
