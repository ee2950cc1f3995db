import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashOf } from "../../src/http/upload-service/base/access-token.ts";
import { createUploadService } from "../../src/http/upload-service/upload-service.ts";
import { BROWSER, launchChromium } from "../chromium.ts";
import { bundlePages } from "./bundled-pages.ts";
import { createServiceFixture, NOON, type ServiceFixture } from "./service-fixture.ts";
import { AXE, complaintsOf, RUN_AXE } from "./web-fixture.ts";

/** The page of the upload service: signing in, uploading, opening an archive, deleting. */

const TOKEN = "correct-horse-battery-staple";

let fixture: ServiceFixture;
let app: FastifyInstance;
let uploadId: string;

beforeAll(async () => {
  await bundlePages();
  fixture = await createServiceFixture();
  uploadId = await fixture.addCompleted("harbour.mbox");
  app = await createUploadService(
    fixture.service,
    { host: "127.0.0.1", token: TOKEN, allowedHosts: [], allowedOrigins: [], environment: "contract", rateLimit: null },
    null,
  );
  await app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  await app.close();
  await fixture.remove();
});

describe("a session", () => {
  const session = async (body: unknown) =>
    app.inject({
      method: "POST",
      url: "/session",
      headers: { "content-type": "application/json" },
      payload: body as object,
    });

  it("requires the token, and shows no data without it", async () => {
    expect((await session({ token: "another" })).statusCode).toBe(401);
    expect((await session({})).statusCode).toBe(400);
    const { statusCode, headers } = await session({ token: TOKEN });
    expect(statusCode).toBe(204);
    const cookie = String(headers["set-cookie"]);
    expect(cookie).toMatch(/^archivetool_session_[0-9a-f]{12}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(cookie).not.toContain(TOKEN);
    const secure = await app.inject({
      method: "POST",
      url: "/session",
      headers: { "x-forwarded-proto": "https" },
      payload: JSON.stringify({ token: TOKEN }),
    });
    expect(secure.headers["set-cookie"]).toMatch(
      /^__Host-archivetool_session_[0-9a-f]{12}=.*; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    );
  });

  it("opens the uploads of its token, but not for pages of other origins", async () => {
    const cookie = String((await session({ token: TOKEN })).headers["set-cookie"]).split(";")[0]!;
    expect((await app.inject({ url: "/uploads", headers: { cookie } })).statusCode).toBe(200);
    expect((await app.inject({ url: "/uploads", headers: { cookie: `${cookie}x` } })).statusCode).toBe(401);
    const foreign = { cookie, origin: "https://evil.example" };
    const removed = await app.inject({ method: "DELETE", url: `/uploads/${uploadId}`, headers: foreign });
    expect([removed.statusCode, removed.json().error.code]).toEqual([400, "INVALID_QUERY"]);
  });

  it("is required by pages before they show data", async () => {
    for (const url of ["/", `/a/${uploadId}/`]) {
      const { statusCode, body } = await app.inject({ url });
      expect(statusCode).toBe(200);
      expect(body).not.toContain("harbour");
    }
  });
});

describe.skipIf(BROWSER === undefined)("the page of the service", () => {
  let browser: Browser;
  let page: Page;
  let complaints: string[];
  let base: string;
  const addresses: string[] = [];

  beforeAll(async () => {
    const bound = app.server.address();
    base = `http://127.0.0.1:${typeof bound === "object" && bound !== null ? bound.port : 0}`;
    browser = await launchChromium();
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    complaints = complaintsOf(page);
    page.on("request", (request) => addresses.push(request.url()));
  });
  afterAll(() => browser.close());

  it("requires the token once", async () => {
    await page.goto(`${base}/`);
    await page.getByLabel("Token").fill("another");
    await page.keyboard.press("Enter");
    await page.getByText("invalid token").waitFor();
    await page.getByLabel("Token").fill(TOKEN);
    await page.keyboard.press("Enter");
    await page.getByText("24 messages").waitFor();
  });

  it("accepts a file, and shows its progress and result", async () => {
    const mail = "From ann@x.example Mon May 14 16:39:00 2001\nFrom: ann@x.example\nSubject: rope\n\nrope\n";
    await page
      .locator("input[type=file]")
      .first()
      .setInputFiles([
        { name: "ropes.mbox", mimeType: "application/mbox", buffer: Buffer.from(mail) },
        { name: "ropes.txt", mimeType: "text/plain", buffer: Buffer.from("no mail") },
      ]);
    await page.getByText("unsupported file type").waitFor();
    await page.getByRole("button", { name: "Upload", exact: true }).click();
    const row = page.locator(".archive", { hasText: "ropes.mbox" });
    await row.getByText("queued").waitFor();
    expect(await row.getByRole("progressbar").count()).toBe(1);
    await fixture.startNext();
    await row.getByText("starting").waitFor();
    expect(await row.getByRole("progressbar").count()).toBe(1);
  });

  it("downloads files and receives events with an HTTP-only cookie, and without a token in URLs", async () => {
    await page.locator(".archive", { hasText: "24 messages" }).getByText("Files").click();
    const saving = page.waitForEvent("download");
    await page.getByRole("link", { name: "contacts.json" }).click();
    expect(JSON.parse(readFileSync(await (await saving).path(), "utf8"))).toHaveProperty("nodes");
    expect(addresses.some((address) => address.endsWith("/agent-stream"))).toBe(true);
    expect(await page.evaluate("document.cookie")).toBe("");
    expect(await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])")).not.toContain(TOKEN);
    expect(addresses.filter((address) => address.includes(TOKEN))).toEqual([]);
    await page.locator(".archive", { hasText: "24 messages" }).getByText("Files").click();
  });

  it("shows the name of an upload as plain text", async () => {
    const name = `"><img src=x onerror="window.ran=1">.mbox`;
    await page
      .locator("input[type=file]")
      .first()
      .setInputFiles([{ name, mimeType: "application/mbox", buffer: Buffer.from("From a\nSubject: x\n\nx\n") }]);
    await page.getByRole("button", { name: "Upload", exact: true }).click();
    await page.locator(".archive", { hasText: "onerror=" }).getByText("queued").waitFor();
    expect(await page.locator("main img").count()).toBe(0);
    expect(await page.evaluate("window.ran")).toBeUndefined();
    await page.getByRole("button", { name: /^Delete .*onerror=/ }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Delete .*onerror=/ })
      .click();
    await page.locator(".archive", { hasText: "onerror=" }).waitFor({ state: "detached" });
    expect((await fixture.catalog.list()).some(({ filename }) => filename.includes("onerror"))).toBe(false);
    expect(await page.evaluate("window.ran")).toBeUndefined();
  });

  it("leads into an archive, to mail and back", async () => {
    await page.getByRole("link", { name: "Explore" }).click();
    await page.locator(".value-list").first().waitFor();
    expect(new URL(page.url()).pathname).toBe(`/a/${uploadId}/`);
    await page.keyboard.press("/");
    await page.keyboard.type("hawser");
    await page.keyboard.press("Enter");
    await page.locator(".found", { hasText: /^1 / }).waitFor();
    await page.locator(".row").first().click();
    await page.locator(".named .text-of-mail").first().waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("a");
    await page.getByText("24 messages").waitFor();
  });

  /** Milliseconds within which an existing element is clicked. */
  const PRESSED_WITHIN_MS = 10_000;
  let guests = 0;
  const by = { name: "operator", at: NOON };
  /** Signs in with a new token. */
  async function signIn(guest: Page): Promise<void> {
    const name = `guest ${++guests}`;
    await fixture.catalog.access.addToken({ name, tokenHash: hashOf(name), mayUpload: true, createdAt: NOON }, by);
    await fixture.catalog.access.grant({ name, uploadId, role: "owner" }, by);
    await guest.getByLabel("Token").fill(name);
    await guest.keyboard.press("Enter");
  }
  const revokeLast = (): Promise<boolean> => fixture.catalog.access.revoke(`guest ${guests}`, by);

  it.each([
    ["search?q=mooring", (at) => at.locator("#facets .values input").first().click(), ".row"],
    ["search?q=mooring&view=read", (at) => at.getByLabel("Show as").selectOption("files"), ".data tbody tr"],
    [
      "message/msg-000012",
      (at) => at.getByRole("button", { name: "Details" }).first().click(),
      "article .text-of-mail",
    ],
    ["message/msg-000012", (at) => at.getByRole("button", { name: "Formatted" }).first().click(), ".warned"],
    ["people", (at) => at.locator(".data tbody th a").first().click(), ".figures"],
    ["about", (at) => at.getByRole("link", { name: "Calendar" }).click(), "h1"],
    [
      "hits",
      (at) =>
        at
          .locator("#q")
          .fill("berth")
          .then(() => at.getByText("Count hits").click()),
      ".data tbody tr",
    ],
    ["notebook", (at) => at.getByRole("link", { name: "Topics" }).click(), ".topic-cards li"],
    [
      "",
      (at) =>
        at.keyboard
          .press("g")
          .then(() => at.keyboard.press("a"))
          // Keys may go to any element: their effect shows whether they were handled.
          .then(() => at.waitForURL(`${base}/`)),
      ".archive-list li",
    ],
  ] as readonly (readonly [string, (at: Page) => Promise<unknown>, string])[])(
    "shows that a token has expired during %s, and continues at the same place",
    async (path, goOn, shown) => {
      const context = await browser.newContext();
      const guest = await context.newPage();
      const pageErrors: string[] = [];
      guest.on("pageerror", ({ message }) => pageErrors.push(message));
      await guest.goto(`${base}/a/${uploadId}/${path}`);
      await guest.getByLabel("Token").waitFor();
      // No one was signed in before.
      expect(await guest.getByText("You are signed out").count()).toBe(0);
      await signIn(guest);
      // The form to sign in has a heading too.
      await guest.getByLabel("Token").waitFor({ state: "detached" });
      await guest.locator("main h1").first().waitFor();
      await guest.locator("main .skeleton").first().waitFor({ state: "detached" });
      await revokeLast();
      const ended = guest.getByText("You have been signed out because your token expired or was revoked.");
      // A pending response may report it first; then the element to click is gone.
      guest.setDefaultTimeout(PRESSED_WITHIN_MS);
      const pressed = await goOn(guest).then(
        () => true,
        () => false,
      );
      guest.setDefaultTimeout(0);
      await ended.waitFor();
      const address = guest.url();
      await guest.getByLabel("Token").fill(TOKEN);
      await guest.keyboard.press("Enter");
      // Otherwise the keys go to the form.
      await guest.getByLabel("Token").waitFor({ state: "detached" });
      if (!pressed) await goOn(guest);
      await guest.locator(shown).first().waitFor();
      if (pressed) expect(guest.url()).toBe(address);
      expect(pageErrors).toEqual([]);
      await context.close();
    },
  );

  it.each([
    ["notebook", null, "Export JSON"],
    ["search?q=mooring", "Export", "MBOX"],
    ["", null, null],
  ] as const)("downloads nothing of %s with an expired token, and requests a new one", async (path, menu, link) => {
    const context = await browser.newContext();
    const guest = await context.newPage();
    const saved: string[] = [];
    guest.on("download", (file) => saved.push(file.suggestedFilename()));
    await guest.goto(path === "" ? base : `${base}/a/${uploadId}/${path}`);
    await signIn(guest);
    const opener = guest.locator(menu === null ? ".archive-list summary" : `summary[aria-label="${menu}"]`).first();
    if (menu !== null || path === "") await opener.click();
    const file = guest.locator("a[download]", link === null ? {} : { hasText: link }).first();
    await file.waitFor();
    await guest.waitForLoadState("networkidle");
    await revokeLast();
    await file.click();
    await guest.getByText("You have been signed out").waitFor();
    await signIn(guest);
    if (menu !== null || path === "") await opener.click();
    const coming = guest.waitForEvent("download");
    await file.click();
    await coming;
    // The rejected item was not a file.
    expect(saved).toHaveLength(1);
    await context.close();
  });

  it("keeps an unsaved note when a token expires, and hides it from other users", async () => {
    const context = await browser.newContext();
    const guest = await context.newPage();
    const note = guest.locator("article").first().getByRole("textbox", { name: "Note" });
    const edit = guest.locator("article").first().getByRole("button", { name: "Add tag or note" });
    const asOperator = async (): Promise<void> => {
      await guest.getByLabel("Token").fill(TOKEN);
      await guest.keyboard.press("Enter");
    };
    const save = guest.getByRole("button", { name: "Save note" }).first();
    /** As after a restart of the service with another token. */
    const end = async (): Promise<void> => {
      await context.clearCookies();
      await save.click();
      await guest.getByText("You have been signed out").waitFor();
    };
    await guest.goto(`${base}/a/${uploadId}/message/msg-000012`);
    await asOperator();
    // The page asks before the first letter, because the token may end while you write.
    const isKnown = guest.waitForResponse(
      (response) => response.url() === `${base}/session` && response.request().method() === "GET",
    );
    await edit.click();
    await isKnown;
    await note.fill("Half a thought");
    await end();
    await asOperator();
    await expect.poll(() => note.inputValue()).toBe("Half a thought");
    await save.click();
    await guest.getByText("Saved to notebook").waitFor();
    await note.fill("Half another");
    await end();
    // Another user.
    await signIn(guest);
    await edit.click();
    expect(await note.inputValue()).toBe("Half a thought");
    await note.fill("Half a third");
    await guest.keyboard.press("Escape");
    await guest.evaluate("document.activeElement.blur()");
    await guest.keyboard.press("g");
    await guest.keyboard.press("a");
    await guest.getByRole("button", { name: "Sign out" }).click();
    await guest.getByLabel("Token").fill(`guest ${guests}`);
    await guest.keyboard.press("Enter");
    await guest.locator(".archive-list li").first().waitFor();
    await guest.goBack();
    await edit.click();
    expect(await note.inputValue()).toBe("Half a thought");
    await context.close();
  });

  it("names what a delete button deletes", async () => {
    await page.getByRole("button", { name: "Delete harbour.mbox" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("This permanently deletes 24 messages in").waitFor();
    // A key of the view below does nothing, and Escape keeps the archive and the page.
    for (const key of ["g", "a", "j", "Escape"]) await page.keyboard.press(key);
    await dialog.waitFor({ state: "detached" });
    expect(new URL(page.url()).pathname).toBe("/");
    expect(await page.evaluate("document.activeElement.ariaLabel")).toBe("Delete harbour.mbox");
    await page.getByRole("button", { name: "Delete harbour.mbox" }).first().click();
    await dialog.getByRole("button", { name: "Keep", exact: true }).click();
    await page.getByRole("button", { name: "Delete harbour.mbox" }).first().click();
    await dialog.getByRole("button", { name: "Delete harbour.mbox" }).click();
    await page.getByRole("link", { name: "Explore" }).waitFor({ state: "detached" });
  });

  it("signs out", async () => {
    const context = await browser.newContext();
    const other = await context.newPage();
    await other.goto(`${base}/`);
    await other.getByLabel("Token").fill(TOKEN);
    await other.keyboard.press("Enter");
    await other.getByRole("button", { name: "Sign out" }).click();
    await other.getByLabel("Token").waitFor();
    expect(await context.cookies()).toEqual([]);
    await context.close();
  });

  it("offers only permitted actions", async () => {
    const { access } = fixture.catalog;
    const by = { name: "operator", at: NOON };
    const [own, lent] = [await fixture.addCompleted("own.mbox"), await fixture.addCompleted("lent.mbox")];
    const failed = await fixture.addQueued("failed.mbox");
    await fixture.startNext();
    await fixture.catalog.fail(failed, { code: "DAMAGED_SOURCE", message: "nothing can be read" }, NOON);
    for (const [name, mayUpload] of [
      ["reader", false],
      ["sender", true],
    ] as const) {
      await access.addToken({ name, tokenHash: hashOf(name), mayUpload, createdAt: NOON }, by);
      for (const uploadId of [lent, failed]) await access.grant({ name, uploadId, role: "reader" }, by);
    }
    await access.grant({ name: "sender", uploadId: own, role: "owner" }, by);
    for (const [name, buttons] of [
      ["reader", []],
      ["sender", ["Delete own.mbox"]],
    ] as const) {
      const context = await browser.newContext();
      const other = await context.newPage();
      await other.goto(`${base}/`);
      await other.getByLabel("Token").fill(name);
      await other.keyboard.press("Enter");
      await other.locator(".archive", { hasText: "nothing can be read" }).waitFor();
      const offered = other.getByRole("button", { name: /^(?:Delete|Try again)/ });
      expect(await offered.evaluateAll((found) => found.map((button) => button.ariaLabel))).toEqual(buttons);
      expect(await other.getByText("Select files").count()).toBe(name === "sender" ? 1 : 0);
      if (name === "sender") {
        // Uploaders may delete what they uploaded.
        const mail = "From ann@x.example Mon May 14 16:39:00 2001\nFrom: ann@x.example\nSubject: rope\n\nrope\n";
        const sent = { name: "sent.mbox", mimeType: "application/mbox", buffer: Buffer.from(mail) };
        await other.locator("input[type=file]").first().setInputFiles([sent]);
        await other.getByRole("button", { name: "Upload", exact: true }).click();
        await other.getByRole("button", { name: "Delete sent.mbox" }).waitFor();
      }
      await context.close();
    }
  });

  it("has no axe-core violations on a phone and a desktop", async () => {
    const [cookie] = await page.context().cookies();
    for (const [width, colorScheme] of [
      [1280, "dark"],
      [390, "light"],
    ] as const) {
      const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme, bypassCSP: true });
      const watched = await context.newPage();
      await watched.goto(`${base}/`);
      await watched.getByLabel("Token").waitFor();
      await watched.evaluate(AXE);
      expect(await watched.evaluate(RUN_AXE)).toEqual([]);
      await context.addCookies([cookie!]);
      await watched.goto(`${base}/`);
      await watched.locator(".archive").first().waitFor();
      await watched.evaluate(AXE);
      expect(await watched.evaluate(RUN_AXE)).toEqual([]);
      await context.close();
    }
  });

  it("reports no console errors", () => expect(complaints.filter((text) => !/40[0-9]/.test(text))).toEqual([]));
});
