import { resolve } from "node:path";
import { describe, expect, it } from "vitest";

const { faultOf } = (await import(resolve(import.meta.dirname, "../scripts/check-commits.mjs"))) as {
  readonly faultOf: (subject: string) => string | null;
};

describe("commit subjects", () => {
  it.each(["docs: add six how-to guides", "page, search: fix the focus", "test: run the sign-out check once again"])(
    "accepts %s",
    (subject) => expect(faultOf(subject)).toBeNull(),
  );

  it.each([
    ["Hear no silence in the test of what uploads say", "area"],
    ["docs: added guides", "imperative"],
    ["Docs: add guides", "area"],
    [`docs: ${"a".repeat(60)}`, "characters"],
  ])("rejects %s", (subject, fault) => expect(faultOf(subject)).toContain(fault));
});
