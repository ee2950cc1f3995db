import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SuggestionsWire } from "../../src/http/explore-api/wire/wire-corrections.ts";
import { BROWSER } from "../chromium.ts";
import { complaintsOf, type ServedWeb, serveWeb } from "./web-fixture.ts";

/** Corrections on the pages of people and topics. */

let web: ServedWeb;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  if (BROWSER === undefined) return;
  web = await serveWeb({ hasNotebook: true });
  page = await web.browser.newPage({ viewport: { width: 1280, height: 800 } });
  complaints = complaintsOf(page);
});
afterAll(() => web?.stop());

/** A file of corrections next to the served archive. */
function written(name: string): string {
  const path = join(dirname(web.archiveFile), name);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

const reloaded = (): Promise<unknown> => page.waitForEvent("load");

describe.skipIf(BROWSER === undefined)("corrections", () => {
  it("rename a person, and are undone", async () => {
    await page.goto(`${web.base}/a/local/people/contact-000001`);
    await page.getByText("Make corrections").click();
    await page.getByLabel("Name").fill("A New Name");
    await Promise.all([reloaded(), page.getByLabel("Name").press("Enter")]);
    expect(written("people.txt")).toContain("\nA New Name\n  ");
    await page.getByText("Make corrections").click();
    await Promise.all([reloaded(), page.getByRole("button", { name: /^Undo: .* rename$/ }).click()]);
    expect(written("people.txt")).not.toContain("A New Name");
  });

  it("hide a topic", async () => {
    await page.goto(`${web.base}/a/local/topics/topic-001`);
    await page.getByText("Make corrections").click();
    await Promise.all([page.waitForURL("**/topics"), page.getByRole("button", { name: "Hide topic" }).click()]);
    expect(written("topics.txt")).toContain("\n! ");
  });

  it("answer whether two are the same person", async () => {
    const one = { id: "contact-000001", name: "One", email: "one@x.example", message_count: 1 } as const;
    const other = { id: "contact-000002", name: "Other", email: "other@x.example", message_count: 1 } as const;
    const data: SuggestionsWire = { suggestions: [{ one, other, bits: 3, reason: "same full name" }] };
    await page.route("**/corrections/suggestions*", (route) => route.fulfill({ json: { status: "ok", data } }));
    await page.goto(`${web.base}/a/local/people/contact-000002`);
    await page.getByText("Same person?").waitFor();
    await page.getByText("same full name").waitFor();
    await page.getByRole("button", { name: "Later" }).click();
    expect(await page.getByText("Same person?").count()).toBe(0);
    await page.reload();
    await Promise.all([
      page.waitForURL("**/people/contact-000001"),
      page.getByRole("button", { name: "Yes", exact: true }).click(),
    ]);
    expect(written("people.txt")).toMatch(/ merge\n {2}.*\n {2}.*\n--\n$/);
    await page.unroute("**/corrections/suggestions*");
    expect(complaints).toEqual([]);
  });
});
