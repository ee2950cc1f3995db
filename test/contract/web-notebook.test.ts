import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BROWSER } from "../chromium.ts";
import { complaintsOf, type ServedWeb, serveWeb } from "./web-fixture.ts";

/** Tags, notes and reviews: written once, shown everywhere, and never lost to another user. */

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

const open = async (on: Page, path: string, there: string): Promise<void> => {
  await on.goto(`${web.base}/a/local${path}`);
  await on.locator(there).first().waitFor();
};

describe.skipIf(BROWSER === undefined)("tags and notes", () => {
  it("are written on a message, and appear in its row", async () => {
    await open(page, "/message/msg-000012", "article.named .text-of-mail");
    const article = page.locator("article.named");
    await article.getByRole("button", { name: "Add tag or note" }).click();
    await article.getByLabel("New tag").fill("press");
    await page.keyboard.press("Enter");
    await article.locator(".mark-line .tag", { hasText: "press" }).waitFor();
    await article.getByLabel("Relevant", { exact: true }).check();
    await article.getByRole("textbox", { name: "Note" }).fill("Call her — «today»");
    await article.getByRole("button", { name: "Save note" }).click();
    await page.getByText("Saved to notebook").waitFor();
    await article.locator(".has-note").waitFor();
    await open(page, "/search?q=id:12@harbour.example", ".row .tag");
    expect(await page.locator(".row .tag").allTextContents()).toEqual(["press"]);
    expect(await page.locator(".row .review").textContent()).toBe("Relevant");
    expect(await page.locator(".row .has-note").getAttribute("title")).toBe("Call her — «today»");
  });

  it("require confirmation before leaving an unsaved note, but not after saving", async () => {
    const asked: string[] = [];
    const writer = await web.browser.newPage();
    await open(writer, "/message/msg-000014", "article.named .text-of-mail");
    const article = writer.locator("article.named");
    await article.getByRole("button", { name: "Add tag or note" }).click();
    await article.getByRole("textbox", { name: "Note" }).fill("begun");
    writer.on("dialog", (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    await writer.evaluate("setTimeout(() => location.reload())");
    await expect.poll(() => asked).toEqual(["beforeunload"]);
    expect(await article.getByRole("textbox", { name: "Note" }).inputValue()).toBe("begun");
    await article.getByRole("button", { name: "Save note" }).click();
    await writer.getByText("Saved to notebook").waitFor();
    await writer.reload();
    await article.locator(".note-text", { hasText: "begun" }).waitFor();
    expect(asked).toHaveLength(1);
    await writer.close();
  });

  it("are equal in any spelling", async () => {
    await open(page, "/message/msg-000012", "article.named .text-of-mail");
    const article = page.locator("article.named");
    await article.getByRole("button", { name: "Add tag or note" }).click();
    await article.getByRole("button", { name: /^press/ }).waitFor();
    await article.getByLabel("New tag").fill("PRESS");
    await page.keyboard.press("Enter");
    await article.getByLabel("New tag").fill("Tide");
    await page.keyboard.press("Enter");
    await expect.poll(() => article.locator(".mark-line .tag").allTextContents()).toEqual(["press", "Tide"]);
    await article.getByRole("button", { name: /^Tide/ }).click();
    await expect.poll(() => article.locator(".mark-line .tag").allTextContents()).toEqual(["press"]);
    await article.getByLabel("New tag").fill("tide");
    await page.keyboard.press("Enter");
    await expect.poll(() => article.locator(".mark-line .tag").allTextContents()).toEqual(["press", "Tide"]);
    await article.getByRole("button", { name: /^Tide/ }).click();
    await expect.poll(() => article.locator(".mark-line .tag").allTextContents()).toEqual(["press"]);
  });

  it("are toggled by keys on the current row", async () => {
    await open(page, "/search?q=&sort=oldest", ".row");
    await page.keyboard.press("j");
    await page.keyboard.press("1");
    await page.locator(".row.cursor .tag", { hasText: "press" }).waitFor();
    await page.keyboard.press("1");
    await page.locator(".row.cursor .tag").waitFor({ state: "detached" });
    await page.keyboard.press("7");
    await page.getByText("No tag has the shortcut 7").waitFor();
  });

  it.each([
    ["/thread/thread-000001", ".conversation-head"],
    ["/people/contact-000001", ".page"],
    ["/topics/topic-001", ".page"],
  ])("are written on %s", async (path, place) => {
    await open(page, path, `${place} .mark-bar button`);
    const bar = page.locator(`${place} > .mark-bar`);
    await bar.getByRole("button", { name: /^Tag or annotate this/ }).click();
    await bar.getByRole("button", { name: /^press/ }).click();
    await bar.locator(".mark-line .tag").waitFor();
    await page.reload();
    await bar.locator(".mark-line .tag").waitFor();
  });

  it("of a conversation appear in the rows of its messages", async () => {
    await open(page, "/search?q=thread:thread-000001", ".row .tag");
    await expect.poll(() => page.locator(".row .tag").count()).toBe(6);
  });
});

describe.skipIf(BROWSER === undefined)("two who write at once", () => {
  it("keep all tags, and show each other's notes", async () => {
    const other = await web.browser.newPage();
    for (const writer of [page, other]) {
      await open(writer, "/message/msg-000003", "article.named .text-of-mail");
      await writer.locator("article.named").getByRole("button", { name: "Add tag or note" }).click();
    }
    const [mine, theirs] = [page, other].map((writer) => writer.locator("article.named"));
    await theirs!.getByLabel("New tag").fill("theirs");
    await other.keyboard.press("Enter");
    await theirs!.getByRole("textbox", { name: "Note" }).fill("Their note");
    await theirs!.getByRole("button", { name: "Save note" }).click();
    await theirs!.locator(".has-note").waitFor();
    await mine!.getByLabel("New tag").fill("mine");
    await page.keyboard.press("Enter");
    await expect.poll(() => mine!.locator(".mark-line .tag").allTextContents()).toEqual(["theirs", "mine"]);
    await theirs!.getByRole("textbox", { name: "Note" }).fill("Their other note");
    await theirs!.getByRole("button", { name: "Save note" }).click();
    await expect.poll(() => theirs!.getByRole("button", { name: "Save note" }).isDisabled()).toBe(true);
    await mine!.getByRole("textbox", { name: "Note" }).fill("My note");
    await mine!.getByRole("button", { name: "Save note" }).click();
    await mine!.getByRole("alert").getByText("Their other note").waitFor();
    await mine!.getByRole("button", { name: "Overwrite with my version" }).click();
    await mine!.getByRole("alert").waitFor({ state: "detached" });
    await other.reload();
    await other.locator("article.named .note-text", { hasText: "My note" }).waitFor();
    await other.close();
    complaints.splice(0, complaints.length, ...complaints.filter((text) => !text.includes("409")));
  });
});

describe.skipIf(BROWSER === undefined)("the notebook", () => {
  it("lists every mark with matching counts and colored tags", async () => {
    await open(page, "/search", ".row");
    await page.keyboard.press("g");
    await page.keyboard.press("b");
    await page.locator(".progress-words a", { hasText: /^\d/ }).first().waitFor();
    const relevant = page.locator(".progress-words li", { hasText: /^ ?Relevant/ }).locator("a");
    const count = await relevant.textContent();
    await relevant.click();
    await page.locator(".found", { hasText: new RegExp(`^${count} message`) }).waitFor();
    await page.goBack();
    const row = page.getByRole("row", { name: /press/ });
    const messages = row.getByRole("link", { name: /message/ });
    const found = await messages.textContent();
    await messages.click();
    await page.locator(".found", { hasText: new RegExp(`^${found} message`) }).waitFor();
    await page.goBack();
    const things = row.getByRole("link").first();
    const tagged = Number(await things.textContent());
    await things.click();
    await expect
      .poll(() => page.getByRole("region", { name: "Marked items" }).locator("tbody tr").count())
      .toBe(tagged);
    expect(new URL(page.url()).searchParams.get("tag")).toBe("press");
    await page.getByLabel("Shortcut for press").selectOption("4");
    await page.getByText("Saved to notebook").waitFor();
    await expect.poll(() => page.getByLabel("Shortcut for press").inputValue()).toBe("4");
    await expect.poll(() => page.title()).toContain("Notebook");
  });

  it("is imported from a file, and shows the result", async () => {
    await open(page, "/notebook", ".progress-words a");
    const entry = {
      kind: "tag",
      key: "carried",
      value: { color: "#112233", digit: null },
      updated_at: "2001-01-01T00:00:00Z",
    };
    const file = { format: "archivetool-notebook", version: 1, entries: [entry] };
    await page.locator("input[type=file]").setInputFiles({
      name: "notebook.json",
      mimeType: "application/json",
      buffer: Buffer.from(JSON.stringify(file)),
    });
    await page.getByText("1 imported").waitFor();
    await page.getByRole("row", { name: /carried/ }).waitFor();
    await page.getByRole("button", { name: "Delete tag carried" }).click();
    await page.getByRole("row", { name: /carried/ }).waitFor({ state: "detached" });
  });
});

describe.skipIf(BROWSER === undefined)("selected messages", () => {
  it("are selected with boxes, keys and Shift, then tagged, saved and deselected", async () => {
    await open(page, "/search?q=&sort=oldest", ".row");
    const chosen = page.locator(".selection-bar strong");
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await expect.poll(() => chosen.textContent()).toBe("1 selected");
    await page
      .locator(".row")
      .nth(3)
      .click({ modifiers: ["Shift"] });
    await expect.poll(() => chosen.textContent()).toBe("4 selected");
    await page.getByLabel("Select result 2").click();
    await expect.poll(() => chosen.textContent()).toBe("3 selected");
    await page.locator(".selection-bar summary[aria-label='Tag selection']").click();
    await page.locator(".selection-bar").getByLabel("New tag").fill("batch");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".row .tag", { hasText: "batch" }).count()).toBe(3);
    const link = page.locator(".selection-bar a[href*='format=csv']");
    const ids = new URL((await link.getAttribute("href"))!, web.base).searchParams.get("message_ids")!;
    expect(ids.split(",")).toHaveLength(3);
    await page.getByRole("button", { name: "Clear selection" }).click();
    await chosen.waitFor({ state: "detached" });
    await page.keyboard.press("*");
    await page.keyboard.press("a");
    await expect.poll(() => chosen.textContent()).toBe("24 selected");
    await page.locator(".selection-bar summary[aria-label='Tag selection']").click();
    await page
      .locator(".selection-bar")
      .getByRole("button", { name: /^batch/ })
      .click();
    await page.getByText("Tagged batch: 21").waitFor();
    // Closes the menu, then clears the selection.
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await chosen.waitFor({ state: "detached" });
    await open(page, "/search?q=tag:batch", ".found");
    await page.locator(".found", { hasText: /^24 messages/ }).waitFor();
  });
});

describe.skipIf(BROWSER === undefined)("everything that is chosen", () => {
  it("is deselected by deselecting one row", async () => {
    await open(page, "/search?q=&sort=oldest", ".row");
    const chosen = page.locator(".selection-bar strong");
    await page.keyboard.press("*");
    await page.keyboard.press("a");
    await expect.poll(() => chosen.textContent()).toBe("24 selected");
    await page.getByLabel("Select result 2").click();
    await chosen.waitFor({ state: "detached" });
    await page.getByLabel("Select result 3").click();
    await expect.poll(() => chosen.textContent()).toBe("1 selected");
    await page.keyboard.press("Escape");
    await chosen.waitFor({ state: "detached" });
  });
});

describe.skipIf(BROWSER === undefined)("the menu of selected messages", () => {
  it("is closed by Escape, which restores the focus; only then is the selection cleared", async () => {
    await open(page, "/search?q=&sort=oldest", ".row");
    const chosen = page.locator(".selection-bar strong");
    const focused = (): Promise<unknown> =>
      page.evaluate("document.activeElement.ariaLabel ?? document.activeElement.tagName");
    await page.getByLabel("Select result 1", { exact: true }).click();
    await page.getByLabel("Select result 2", { exact: true }).click();
    await page.getByLabel("Tag selection").click();
    await page.getByLabel("New tag").fill("over");
    await page.keyboard.press("Enter");
    await page.locator(".row .tag", { hasText: "over" }).nth(1).waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".selection-bar details[open]").waitFor({ state: "detached" });
    expect(await focused()).toBe("Tag selection");
    expect(await chosen.textContent()).toBe("2 selected");
    await page.keyboard.press("Escape");
    await chosen.waitFor({ state: "detached" });
    expect(await focused()).toBe("Results, 24 messages");
  });
});

describe.skipIf(BROWSER === undefined)("searches", () => {
  it("are saved with a name, and suggested with recent ones", async () => {
    await open(page, "/search", ".row");
    await page.locator("#q").fill("berth");
    await page.keyboard.press("Enter");
    await page.locator(".found", { hasText: /^\d+ messages? in/ }).waitFor();
    await page.locator("summary[aria-label='Save search']").click();
    await page.getByLabel("Search name").fill("where ships lie");
    await page.keyboard.press("Enter");
    await page.getByText("Search saved: where ships lie").waitFor();
    await open(page, "/search", ".row");
    await page.locator("#q").focus();
    await page.getByRole("option", { name: /saved.*where ships lie/ }).waitFor();
    await page.getByRole("option", { name: /recent.*berth/ }).click();
    await expect.poll(() => page.locator("#q").inputValue()).toBe("berth");
    await open(page, "/notebook", ".progress-words a");
    await page
      .getByRole("row", { name: /where ships lie/ })
      .getByRole("button")
      .click();
    await page.getByRole("row", { name: /where ships lie/ }).waitFor({ state: "detached" });
  });
});

describe.skipIf(BROWSER === undefined)("the notebook of a read-only server", () => {
  it("is hidden", async () => {
    const reading = await serveWeb();
    const reader = await reading.browser.newPage();
    const asked: string[] = [];
    reader.on("request", (request) => asked.push(request.url()));
    await reader.goto(`${reading.base}/a/local/message/msg-000012`);
    await reader.locator("article.named .text-of-mail").waitFor();
    expect(await reader.locator(".mark-bar").count()).toBe(0);
    await reader.goto(`${reading.base}/a/local/search`);
    await reader.locator(".row").first().waitFor();
    await reader.keyboard.press("1");
    expect(asked.filter((url) => url.includes("/notebook"))).toEqual([]);
    await reading.stop();
  });

  it("is logged to the console", () => {
    expect(complaints).toEqual([]);
  });
});
