import { expect, it } from "vitest";
import { SeededRandom } from "../examples/company/seeded-random.ts";
import { BlockCoverage, type Coverage } from "./block-coverage.ts";
import { fuzz } from "./fuzz-loop.ts";
import type { FuzzTarget } from "./fuzz-target.ts";
import { FUZZ_TARGETS as PLANTED } from "./planted-targets.ts";
import { FUZZ_TARGETS } from "./targets.ts";

/** Enough for coverage to lead through four gates; by chance alone all are passed once in some 100,000 inputs. */
const GUIDED_INPUTS = 6_000;
/** Inputs of each real target: its seeds and some hundred changes of them. */
const REAL_INPUTS = 200;

interface Attack {
  readonly found: readonly string[];
  readonly kept: number;
}

/** No input is ever news to it: chance alone. */
const BLIND: Coverage = { size: 0, collect: () => 0 };

async function attack(target: FuzzTarget, inputs: number, coverage: Coverage): Promise<Attack> {
  const found: string[] = [];
  let tried = 0;
  let kept = 0;
  await fuzz(
    { target, known: [], random: new SeededRandom(5), coverage },
    {
      begin: () => void tried++,
      finish: () => undefined,
      discovered: () => void kept++,
      found: (input, { reason, detail }) => void found.push(`${reason}\n${detail}\n${input.toString("base64")}`),
      isOver: () => tried >= inputs || found.length > 0,
    },
  );
  return { found, kept };
}

it("is led by coverage to a fault that chance does not find", async () => {
  const coverage = new BlockCoverage((url) => url.includes("planted-fault"));
  const guided = await attack(PLANTED.fault, GUIDED_INPUTS, coverage);
  coverage.close();
  expect(guided.kept).toBeGreaterThan(3);
  expect(guided.found.join()).toContain("the planted fault");
  expect(await attack(PLANTED.fault, GUIDED_INPUTS, BLIND)).toEqual({ found: [], kept: 0 });
});

it("reports output above the limit", async () => {
  expect((await attack(PLANTED.growth, 10, BLIND)).found.join()).toMatch(/^grows\n/);
});

it.each(Object.entries(FUZZ_TARGETS))(
  "fuzzes %s from its seeds without findings in some hundred inputs",
  async (_, target) => {
    expect(target.seeds().length).toBeGreaterThan(0);
    expect((await attack(target, REAL_INPUTS, BLIND)).found).toEqual([]);
  },
);
