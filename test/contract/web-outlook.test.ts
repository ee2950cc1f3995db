import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocalServer } from "../../src/http/local-server/local-server.ts";
import type { Archive } from "../../src/mail/archive.ts";
import { PID } from "../../src/properties/property-ids.ts";
import { openArchive } from "../../src/store/archive/open-archive.ts";
import { archiveIn } from "../../src/store/contract/archive-location.ts";
import { BROWSER, launchChromium } from "../chromium.ts";
import { archivetool, scratchDirectory } from "../e2e/cli.ts";
import { writeMbox } from "../e2e/fixture-mail.ts";
import { text } from "../pst-writer/property-writer.ts";
import { buildStore } from "../pst-writer/sample-store.ts";
import { bundlePages } from "./bundled-pages.ts";
import { ownFiles } from "./own-files.ts";
import { drawnView } from "./web-fixture.ts";

/** Calendars that extend beyond the mail, items internal to Outlook, and sources named like their only mailbox. */

const scratch = scratchDirectory("web-outlook");

let archive: Archive;
let app: FastifyInstance;
let base = "";
let browser: Browser | undefined;

const event = (uid: string, day: string): string =>
  `BEGIN:VEVENT\r\nUID:${uid}\r\nDTSTART;VALUE=DATE:${day}\r\nSUMMARY:${uid}\r\nEND:VEVENT\r\n`;

beforeAll(async () => {
  await bundlePages();
  const source = join(scratch, "mail");
  mkdirSync(source);
  writeMbox(
    join(source, "Inbox.mbox"),
    Array.from({ length: 12 }, (_, month) =>
      [
        `Message-ID: <${month}@quay.example>`,
        `Date: ${new Date(Date.UTC(2001, month, 14)).toUTCString().replace("GMT", "+0000")}`,
        "From: Ada Quay <ada@quay.example>",
        `Subject: Berth ${month}`,
        "",
        `Mooring ${month}`,
        "",
      ].join("\n"),
    ),
  );
  const events = [event("fair", "20010510"), event("party", "20010903"), event("renewal", "20440101")];
  writeFileSync(join(source, "work.ics"), `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${events.join("")}END:VCALENDAR\r\n`);
  const store = buildStore({ layout: "unicode", encoding: "permute" }, (writer) => {
    const folder = writer.addFolder("Other");
    for (const name of ["IPM.Microsoft.FolderDesign.NamedView", "IPM.Custom.Form"])
      writer.addMessage(folder, { properties: [text(PID.messageClass, name), text(PID.subject, name)] });
  });
  writeFileSync(join(source, "ada.pst"), store);
  const output = join(scratch, "archive");
  const run = archivetool("-q", "extract", source, "-o", output, "--no-wiki");
  expect(run.exitCode, run.stderr).toBe(0);
  archive = await openArchive(archiveIn(output));
  const start = { source: "mail", environment: "contract", host: "127.0.0.1", ...ownFiles() };
  app = await createLocalServer(archive, start, null);
  base = await app.listen({ host: "127.0.0.1", port: 0 });
  if (BROWSER !== undefined) browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await app.close();
  await archive.close();
});

describe("a calendar", () => {
  it.each([
    ["", "2001-09"],
    ["?search=fair", "2001-05"],
    ["?search=renewal", "2044-01"],
    ["?search=nothing", null],
  ])("opens at the last month with events in the time of the mail: %s", async (query, month) => {
    const answer = await fetch(`${base}/api/explore/events${query}`);
    expect(((await answer.json()) as { readonly data: object }).data).toMatchObject({ month });
  });
});

describe.skipIf(BROWSER === undefined)("the page", () => {
  it("opens the calendar there, and collapses items internal to Outlook", async () => {
    const page = await browser!.newPage();
    const drawn = drawnView(page);
    await page.goto(`${base}/a/local/calendar`);
    await drawn();
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toContain("Sep 2001");
    await page.goto(`${base}/a/local/items`);
    await drawn();
    const facts = (name: string) => page.locator(".cards li").filter({ hasText: name }).locator(".facts");
    expect(await facts("IPM.Custom.Form").isVisible()).toBe(true);
    expect(await facts("IPM.Microsoft").isVisible()).toBe(false);
    await page.getByText("Internal to Outlook").click();
    expect(await facts("IPM.Microsoft").isVisible()).toBe(true);
    await page.goto(`${base}/a/local/mailboxes`);
    await drawn();
    expect(await page.locator(".data tbody th").filter({ hasText: /inbox/i }).count()).toBe(1);
    await page.close();
  });
});
