import { expect, it } from "vitest";
import { type ExtractSettings, extract, openArchive } from "./library.ts";

/** Settings as a program without types may give them. */
const refused: readonly (readonly [string, object])[] = [
  ['redact knows no type "emails"', { redact: ["email", "emails"] }],
  ["jobs is a whole number from 1 on, not 0", { jobs: 0 }],
  ["maxMessages is a whole number from 1 on, not 1.5", { maxMessages: 1.5 }],
];

it.each(refused)("refuses before anything is read: %s", async (message, settings) => {
  await expect(extract(["missing.mbox"], "never", settings as ExtractSettings)).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    message,
  });
});

it("refuses a run without sources", async () => {
  await expect(extract([], "never")).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
});

it("tells what is no archive", async () => {
  await expect(openArchive("README.md")).rejects.toMatchObject({ code: "NOT_AN_ARCHIVE" });
});
