import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "examples/**/*.test.ts", "bench/**/*.test.ts", "fuzz/**/*.test.ts"],
    globalSetup: ["./test/unpack-real-data.ts"],
    pool: "threads",
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 300_000,
    reporters: process.env["VERBOSE_TESTS"] ? ["verbose", "./test/reporter.ts"] : ["default", "./test/reporter.ts"],
  },
});
