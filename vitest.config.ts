import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { SlowFilesFirst } from "./test/slow-files-first.ts";

/** Property tests that fail once fail again: `npm test` has one seed, `npm run properties` brings another. */
const PROPERTY_SEED = 1;
/** Slow property tests make a third of their runs in `npm test`, and all of them in `npm run properties`. */
const PROPERTY_SHARE = 1 / 3;
/** Milliseconds after which a test hangs: several times the longest, because CI may run on a slow machine. */
const TIMEOUT_MS = 600_000;
/** Milliseconds that `expect.poll` waits for an event: longer than any takes on a slow machine under load. */
const PATIENCE_MS = 180_000;
/**
 * Test files that run at the same time. One core is left for other work, but not on small machines: many tests spend
 * half of their time waiting for a program.
 */
const WORKERS = Math.max(3, availableParallelism() - 1);

export default defineConfig({
  test: {
    include: [
      "src/**/*.test.ts",
      "test/**/*.test.ts",
      "examples/**/*.test.ts",
      "bench/**/*.test.ts",
      "fuzz/**/*.test.ts",
    ],
    globalSetup: [
      "./test/fresh-program.mjs",
      "./test/unpack-real-data.ts",
      "./test/postgres-cluster.ts",
      "./test/run-directory.ts",
    ],
    setupFiles: ["./test/property-seed.ts"],
    provide: {
      propertySeed: Number(process.env["ARCHIVETOOL_PROPERTY_SEED"] ?? PROPERTY_SEED),
      propertyShare: process.env["ARCHIVETOOL_PROPERTY_SEED"] === undefined ? PROPERTY_SHARE : 1,
    },
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      exclude: ["src/**/*.test.ts", "src/**/client/**"],
      reporter: ["json-summary"],
      reportOnFailure: true,
    },
    pool: "threads",
    maxWorkers: WORKERS,
    isolate: false,
    sequence: { sequencer: SlowFilesFirst },
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
    expect: { poll: { timeout: PATIENCE_MS } },
    reporters: process.env["VERBOSE_TESTS"] ? ["verbose", "./test/reporter.ts"] : ["default", "./test/reporter.ts"],
  },
});
