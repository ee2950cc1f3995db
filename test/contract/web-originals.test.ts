import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocalServer } from "../../src/http/local-server/local-server.ts";
import type { Archive } from "../../src/mail/archive.ts";
import { PROPERTY_SET } from "../../src/properties/named-properties.ts";
import { PID } from "../../src/properties/property-ids.ts";
import { openArchive } from "../../src/store/archive/open-archive.ts";
import { archiveIn } from "../../src/store/contract/archive-location.ts";
import { BROWSER, launchChromium } from "../chromium.ts";
import { archivetool, scratchDirectory } from "../e2e/cli.ts";
import { text, time } from "../pst-writer/property-writer.ts";
import { buildStore, sampleMail } from "../pst-writer/sample-store.ts";
import { bundlePages } from "./bundled-pages.ts";
import { ownFiles } from "./own-files.ts";
import { AXE, RUN_AXE } from "./web-fixture.ts";

/** Files and messages that are read again from their source: how they open, and what is shown if they do not open. */

const scratch = scratchDirectory("web-originals");
const source = join(scratch, "mail");
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
/** Number of source bytes that the server sends at once. */
const PIECE_BYTES = 1 << 20;

interface Served {
  readonly archive: Archive;
  readonly app: FastifyInstance;
  readonly url: string;
}

const served: Served[] = [];
let browser: Browser;
let page: Page;
let plain: Served;
let outlook: Served;
/** A store with an appointment and a task that have attachments. */
const outlookStore = join(scratch, "ann.pst");

/** A file as a part of a mail. */
const part = (name: string, type: string, text: string): string =>
  `--b\nContent-Type: ${type}; name="${name}"\nContent-Disposition: attachment; filename="${name}"\nContent-Transfer-Encoding: base64\n\n${Buffer.from(text, "latin1").toString("base64")}\n`;

async function serve(name: string, from: string, ...flags: readonly string[]): Promise<Served> {
  const output = join(scratch, name);
  const run = archivetool("-q", "extract", from, "-o", output, "--no-wiki", ...flags);
  expect(run.exitCode, run.stderr).toBe(0);
  const archive = await openArchive(archiveIn(output));
  const start = { source: name, environment: "contract", host: "127.0.0.1" };
  const app = await createLocalServer(archive, { ...ownFiles(), ...start }, null);
  const made = { archive, app, url: `${await app.listen({ host: "127.0.0.1", port: 0 })}/a/local` };
  served.push(made);
  return made;
}

beforeAll(async () => {
  if (BROWSER === undefined) return;
  await bundlePages();
  mkdirSync(source);
  const files = [
    part("pixel.png", "image/png", Buffer.from(PIXEL, "base64").toString("latin1")),
    part("table.csv", "text/csv", "berth,depth\n1,7\n"),
    part("plan.docx", "application/octet-stream", "PK no browser shows this"),
  ];
  const mail = `From: ann@quay.example\nTo: bob@quay.example\nSubject: Berths\nDate: Mon, 14 May 2001 10:00:00 +0000\nMessage-ID: <berths@quay.example>\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nThe berths. Write carol@quay.example or call (713) 555-0123.\n${"A line of a long mail.\n".repeat(PIECE_BYTES / 20)}${files.join("")}--b--\n`;
  writeFileSync(join(source, "berths.eml"), mail);
  plain = await serve("plain", source);
  const attached = [
    { properties: [text(PID.attachLongFilename, "pixel.png")], data: Buffer.from(PIXEL, "base64") },
    { properties: [text(PID.attachLongFilename, "plan.docx")], data: Buffer.from("PK no browser shows this") },
  ];
  writeFileSync(
    outlookStore,
    buildStore({ layout: "unicode", encoding: "permute" }, (writer) => {
      const start = time(writer.named({ set: PROPERTY_SET.appointment, name: 0x820d }), Date.UTC(2001, 4, 14));
      const folder = writer.addFolder("Private");
      for (const properties of [
        [text(PID.messageClass, "IPM.Appointment"), start],
        [text(PID.messageClass, "IPM.Task")],
      ])
        writer.addMessage(folder, { properties: [...properties, text(PID.subject, "Berths")], attachments: attached });
    }),
  );
  outlook = await serve("outlook", outlookStore);
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  for (const { app, archive } of served) {
    await app.close();
    await archive.close();
  }
});

const card = (name: string) => page.getByRole("link", { name: new RegExp(`^${name}`) });
/** Files of the displayed message. */
const FILES = 3;
/** Texts shown for the message and for each of its files. */
const expectStateOfAll = async (state: string): Promise<void> =>
  expect.poll(() => page.locator(".details").getByText(state).count()).toBe(1 + FILES);
const dialog = () => page.getByRole("dialog", { name: "Original not available" });

describe.skipIf(BROWSER === undefined).each([1280, 390])("originals at %i pixels", (width) => {
  beforeAll(async () => {
    const context = await browser.newContext({ viewport: { width, height: 800 }, bypassCSP: true });
    page = await context.newPage();
    return () => context.close();
  });

  it("open if the browser shows them, and download otherwise", async () => {
    await page.goto(`${plain.url}/id/berths@quay.example`);
    for (const [name, shows] of [
      ["pixel.png", "document.images[0].naturalWidth === 1"],
      ["table.csv", "document.body.innerText.includes('berth,depth')"],
    ] as const) {
      const opening = page.waitForEvent("popup");
      await card(name).click();
      const opened = await opening;
      await opened.waitForFunction(shows);
      await opened.close();
    }
    const saving = page.waitForEvent("download");
    await card("plan.docx").click();
    expect((await saving).suggestedFilename()).toBe("plan.docx");
  });

  it.each(["calendar?view=list", "items"])("can be opened in %s", async (view) => {
    await page.goto(`${outlook.url}/${view}`);
    const stateLinks = (state: string) => page.locator(".attached a").getByText(state);
    await stateLinks("unchanged").nth(1).waitFor();
    // The other text with these names is for archives without attachments.
    expect(await page.getByText("sha256").count()).toBe(0);
    await page.locator(".thumbnail").waitFor();
    const opening = page.waitForEvent("popup");
    await card("pixel.png").click();
    const opened = await opening;
    await opened.waitForFunction("document.images[0].naturalWidth === 1");
    await opened.close();
    const saving = page.waitForEvent("download");
    await card("plan.docx").click();
    expect((await saving).suggestedFilename()).toBe("plan.docx");
    await page.addScriptTag({ content: AXE });
    expect(await page.evaluate(RUN_AXE)).toEqual([]);

    renameSync(outlookStore, `${outlookStore}-away`);
    await page.reload();
    await stateLinks("source not found").nth(1).waitFor();
    await card("plan.docx").click();
    await dialog().getByText("ORIGINAL_MOVED").waitFor();
    renameSync(`${outlookStore}-away`, outlookStore);
  });

  it("are shown unchanged, a long source in pieces", async () => {
    await page.goto(`${plain.url}/id/berths@quay.example`);
    await page.getByRole("button", { name: "Details" }).click();
    await expectStateOfAll("unchanged");
    const opening = page.waitForEvent("popup");
    await page.getByRole("link", { name: "MB 2" }).click();
    const opened = await opening;
    await opened.getByText("--b--").waitFor();
    expect(opened.url()).toContain(`offset=${PIECE_BYTES}`);
    await opened.close();
  });

  it("show the cause if their source is missing or changed", async () => {
    const file = join(source, "berths.eml");
    const away = join(scratch, "away");
    for (const [take, bring, reason, state] of [
      [source, `${source}-moved`, "its source file was not found", "source not found"],
      [file, away, "its source has changed", "changed or missing"],
    ] as const) {
      renameSync(take, bring);
      await page.goto(`${plain.url}/id/berths@quay.example`);
      await page.getByRole("button", { name: "Details" }).click();
      await expectStateOfAll(state);
      for (const link of [card("table.csv"), page.getByRole("link", { name: "Save original" })]) {
        await link.focus();
        await page.keyboard.press("Enter");
        await dialog().getByText(reason).waitFor();
        await page.evaluate(AXE);
        expect(await page.evaluate(RUN_AXE)).toEqual([]);
        await page.keyboard.press("Escape");
        await dialog().waitFor({ state: "detached" });
        // The focus is restored, and the history did not change.
        expect(await link.evaluate((element) => element.matches(":focus"))).toBe(true);
      }
      await page.goto(`${plain.url}/files`);
      await page.getByRole("link", { name: "table.csv" }).click();
      await dialog().getByText(reason).waitFor();
      await dialog().getByRole("button", { name: "Close" }).click();
      renameSync(bring, take);
    }
    const opening = page.waitForEvent("popup");
    await page.getByRole("link", { name: "table.csv" }).click();
    await (await opening).getByText("berth,depth").waitFor();
  });

  it("ask for a missing password, and open with it", async () => {
    const store = buildStore(
      { layout: "unicode", encoding: "permute" },
      (writer) => {
        writer.addMessage(writer.addFolder("Inbox"), sampleMail(3));
      },
      { password: "sesame" },
    );
    const [safe, secret] = [join(scratch, `safe-${width}.pst`), join(scratch, "secret")];
    writeFileSync(safe, store);
    writeFileSync(secret, "sesame\n");
    const { url } = await serve(`safe-${width}`, safe, "--password-file", secret);
    await page.goto(`${url}/message/msg-000001`);
    await page.getByRole("button", { name: "Details" }).click();
    await page.getByText("source needs a password").waitFor();
    await page.getByRole("link", { name: "Save original" }).click();
    for (const password of ["wrong", "sesame"]) {
      await dialog().getByLabel("Source password").fill(password);
      // Enter does nothing while the button is disabled.
      await dialog().locator("button:enabled", { hasText: "Open" }).waitFor();
      const saving = password === "sesame" ? page.waitForEvent("download") : null;
      await page.keyboard.press("Enter");
      if (saving !== null) expect((await saving).suggestedFilename()).toBe("msg-000001.eml");
    }
    await dialog().waitFor({ state: "detached" });
  });

  it("are withheld by a redacted archive, with a message", async () => {
    const { url } = await serve(`redacted-${width}`, source, "--redact");
    await page.goto(`${url}/message/msg-000001`);
    // Redacted text is labeled by its type, in words and not only by color.
    const gaps = page.locator(".text-of-mail .gap");
    await expect.poll(async () => (await gaps.allTextContents()).slice(0, 2)).toEqual(["email", "phone"]);
    expect(await gaps.first().getAttribute("title")).toBe("Redacted");
    await page.getByRole("button", { name: "Details" }).click();
    await page.getByText("Originals are not available in a redacted archive.").waitFor();
    await card("table.csv").click();
    await dialog().getByText("is withheld: the archive is redacted").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Formatted" }).click();
    await page.getByText("is withheld: the archive is redacted").waitFor();
  });
});
