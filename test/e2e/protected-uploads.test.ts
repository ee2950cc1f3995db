import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BROWSER, launchChromium } from "../chromium.ts";
import { AXE, RUN_AXE } from "../contract/web-fixture.ts";
import { buildStore, sampleMail } from "../pst-writer/sample-store.ts";
import { buildZip } from "../zip-file.ts";
import { scratchDirectory } from "./cli.ts";
import { type RunningService, startService } from "./running-service.ts";

/** Protected stores in an upload of several sources, from the upload to the archive that contains them. */

const scratch = scratchDirectory("protected-uploads");
const MBOX = "From mara Mon Jan  6 12:00:00 2003\nFrom: mara@harbour.example\nSubject: Crane\n\nThe offer is in.\n";

let service: RunningService;
let browser: Browser;
beforeAll(async () => {
  service = await startService(join(scratch, "data"));
  if (BROWSER !== undefined) browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await service.end("SIGTERM");
});

const store = (number: number, password: string): Buffer =>
  buildStore(
    { layout: "unicode", encoding: "permute" },
    (writer) => writer.addMessage(writer.addFolder("Inbox"), sampleMail(number)),
    { password },
  );

interface Detail {
  readonly upload_id: string;
  readonly status: string;
  readonly error: { readonly code: string } | null;
  readonly counts: { readonly messages: number } | null;
  readonly provenance: { readonly warnings: readonly { readonly code: string; readonly message: string }[] } | null;
}

async function upload(name: string, bytes: Buffer): Promise<string> {
  const answer = await fetch(`${service.url}/upload?filename=${name}`, {
    method: "POST",
    body: new Uint8Array(bytes),
  });
  expect(answer.status).toBe(202);
  return ((await answer.json()) as Detail).upload_id;
}

async function ended(uploadId: string): Promise<Detail> {
  let detail: Detail | undefined;
  await expect
    .poll(
      async () => {
        detail = (await (await fetch(`${service.url}/uploads/${uploadId}`)).json()) as Detail;
        return detail.status;
      },
      { timeout: 120_000 },
    )
    .toMatch(/completed|failed/);
  return detail!;
}

const protectedOf = ({ provenance }: Detail) =>
  provenance!.warnings.filter(({ code }) => code === "password-protected").map(({ message }) => message);

describe("protected stores of an upload", () => {
  it("are skipped among other sources, and extracted once each has its password", async () => {
    const zip = buildZip([
      { name: "mail.mbox", content: MBOX },
      { name: "a.pst", content: store(1, "anchor") },
      { name: "b.pst", content: store(2, "bollard") },
    ]);
    const first = await upload("several.zip", zip);
    const skipped = await ended(first);
    expect(skipped).toMatchObject({ status: "completed", counts: { messages: 1 } });
    expect(protectedOf(skipped)).toHaveLength(2);
    const send = (uploadId: string): Promise<Response> =>
      fetch(`${service.url}/uploads/${uploadId}/passwords`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ passwords: ["bollard", "anchor"] }),
      });
    const answer = await send(first);
    expect(answer.status).toBe(202);
    const again = await ended(((await answer.json()) as Detail).upload_id);
    // Nothing is left to extract with them.
    const rejected = await send(again.upload_id);
    expect([rejected.status, await rejected.text()]).toEqual([400, expect.stringContaining("no protected files")]);
    expect(again).toMatchObject({ status: "completed", counts: { messages: 3 } });
    expect(protectedOf(again)).toEqual([]);
    // The first archive stays as it was; the catalog contains no password.
    expect((await ended(first)).counts?.messages).toBe(1);
    expect(readFileSync(join(scratch, "data", "catalogue.db"), "latin1")).not.toContain("bollard");
  });

  it("are all listed if an upload has no other source; a single one is an error", async () => {
    const zip = buildZip([
      { name: "c.pst", content: store(3, "capstan") },
      { name: "d.pst", content: store(4, "derrick") },
    ]);
    const skipped = await ended(await upload("protected.zip", zip));
    expect(skipped).toMatchObject({ status: "completed", counts: { messages: 0 } });
    expect(protectedOf(skipped)).toHaveLength(2);
    expect(await ended(await upload("alone.pst", store(1, "anchor")))).toMatchObject({
      status: "failed",
      error: { code: "PASSWORD_REQUIRED" },
    });
  });

  it.skipIf(BROWSER === undefined)(
    "are listed on the page, each with a password field and a button to skip it",
    async () => {
      const context = await browser.newContext({ bypassCSP: true });
      const page = await context.newPage();
      await page.goto(`${service.url}/`);
      const form = page
        .locator(".archive", { hasText: "several.zip" })
        .getByRole("form", { name: "2 protected files skipped. several.zip" });
      await form.getByLabel(/^Password for .*a\.pst$/).fill("anchor");
      await form.getByLabel(/^Password for .*b\.pst$/).waitFor();
      await page.evaluate(AXE);
      expect(await page.evaluate(RUN_AXE)).toEqual([]);
      await form.getByRole("button", { name: /^Skip: .*b\.pst$/ }).click();
      expect(await form.getByRole("listitem").count()).toBe(1);
      // An upload that contains only protected files also needs all of their passwords.
      const others = page.getByRole("form", { name: "2 protected files skipped. protected.zip" });
      expect(await others.getByRole("listitem").count()).toBe(2);
      expect(await others.getByLabel(/^Password for .*[cd]\.pst$/).count()).toBe(2);
      expect(await others.getByRole("button", { name: /^Skip: .*[cd]\.pst$/ }).count()).toBe(2);
      await form.getByRole("button", { name: "Extract again" }).click();
      // A second archive next to the earlier one; only the file skipped in the form is missing from it.
      const row = page.locator(".archive", { hasText: "several.zip" }).first();
      await row.getByText("2 messages").waitFor({ timeout: 120_000 });
      const rest = row.getByRole("form", { name: "1 protected file skipped. several.zip" });
      await rest.getByLabel(/^Password for /).waitFor();
      await rest.getByRole("button", { name: /^Skip: / }).click();
      expect(await rest.getByRole("listitem").count()).toBe(0);
      await context.close();
    },
  );
});
