import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROPERTY_SET } from "../../src/properties/named-properties.ts";
import { PID } from "../../src/properties/property-ids.ts";
import { text } from "../pst-writer/property-writer.ts";
import { buildStore } from "../pst-writer/sample-store.ts";
import type { StoreWriter, WrittenMessage } from "../pst-writer/store-writer.ts";
import { extractInline, withArchive } from "./extraction.ts";

const MAIL = [
  "From bo@mill.example Wed Jan  1 12:00:00 2003",
  "Message-ID: <1@mill.example>",
  "Date: Wed, 1 Jan 2003 12:00:00 +0000",
  "From: bo@mill.example",
  "To: kx7@mill.example",
  "Subject: Grain",
  "",
  "The grain is in.",
  "",
].join("\n");

function contact(store: StoreWriter, name: string, email: string): WrittenMessage {
  const address = store.named({ set: PROPERTY_SET.address, name: 0x8083 });
  return { properties: [text(PID.messageClass, "IPM.Contact"), text(PID.displayName, name), text(address, email)] };
}

describe("Outlook contacts as evidence", () => {
  let scratch = "";
  let mbox = "";
  let pst = "";
  beforeAll(() => {
    scratch = mkdtempSync(join(tmpdir(), "archivetool-contact-items-"));
    mbox = join(scratch, "mail.mbox");
    pst = join(scratch, "contacts.pst");
    writeFileSync(mbox, MAIL);
    const bytes = buildStore({ layout: "unicode", encoding: "permute" }, (store) => {
      const folder = store.addFolder("Contacts");
      store.addMessage(folder, contact(store, "Kay Xavier", "KX7@mill.example"));
      store.addMessage(folder, contact(store, "Nobody Wrote", "nobody@mill.example"));
    });
    writeFileSync(pst, bytes);
  });
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  function contactsOf(name: string) {
    return withArchive(join(scratch, name), async (archive) => {
      const found = [];
      for await (const batch of archive.contacts.scan()) {
        for (const { name, email, aliases, messageCount, sentCount, receivedCount } of batch)
          found.push({ name, email, aliases, messageCount, sentCount, receivedCount });
      }
      return found.sort((left, right) => (left.email < right.email ? -1 : 1));
    });
  }

  function itemsOf(name: string) {
    return withArchive(join(scratch, name), async (archive) => {
      const found: string[] = [];
      for await (const batch of archive.items.scan())
        found.push(...batch.map((item) => item.fields["display_name"] ?? ""));
      return found;
    });
  }

  it("name the addresses in mail, create no other contacts, and do not count as messages", async () => {
    await extractInline([mbox], join(scratch, "mail"));
    await extractInline([mbox, pst], join(scratch, "both"));
    const plain = await contactsOf("mail");
    const named = await contactsOf("both");
    expect(plain.map(({ name }) => name)).not.toContain("Kay Xavier");
    expect(named).toEqual(
      plain.map((row) => (row.email === "kx7@mill.example" ? { ...row, name: "Kay Xavier" } : row)),
    );
    expect(named.map(({ messageCount }) => messageCount)).toEqual([1, 1]);
  });

  it.each([
    ["before", [0, 1]],
    ["after", [1, 0]],
  ] as const)("have the same effect if an earlier run reads them, %s the mail", async (name, [first, second]) => {
    const paths = [pst, mbox];
    await extractInline([paths[first]!, paths[second]!], join(scratch, `full-${name}`));
    await extractInline([paths[first]!], join(scratch, `grown-${name}`));
    await extractInline([paths[second]!], join(scratch, `grown-${name}`), { incremental: true });
    const grown = await contactsOf(`grown-${name}`);
    expect(grown).toEqual(await contactsOf(`full-${name}`));
    expect(grown.map((row) => row.name)).toContain("Kay Xavier");
  });

  it("are imported once if their changed file is read again", async () => {
    const [first, second] = ["Kay Xavier", "Kay Quill"].map((added) =>
      buildStore({ layout: "unicode", encoding: "permute" }, (store) => {
        const folder = store.addFolder("Contacts");
        for (let copy = 0; copy < 2; copy++) store.addMessage(folder, contact(store, "Kay Xavier", "kx7@mill.example"));
        if (added !== "Kay Xavier") store.addMessage(folder, contact(store, added, "quill@mill.example"));
      }),
    ) as [Buffer, Buffer];
    const growing = join(scratch, "growing.pst");
    writeFileSync(growing, first);
    await extractInline([growing], join(scratch, "growing"));
    writeFileSync(growing, second);
    const report = await extractInline([growing], join(scratch, "growing"), { incremental: true });
    expect(report.sources[0]?.record.counts).toEqual({ seen: 3, kept: 3, duplicate: 0, skipped: 0, failed: 0 });
    expect(report.statistics.totalItems).toBe(3);
    expect(await itemsOf("growing")).toEqual(["Kay Xavier", "Kay Xavier", "Kay Quill"]);
  });

  it("have no effect through a redacted address, now or in a later run", async () => {
    await extractInline([pst], join(scratch, "redacted"), { redact: ["email"] });
    await extractInline([mbox], join(scratch, "redacted"), { incremental: true });
    await extractInline([pst, mbox], join(scratch, "redacted-full"), { redact: ["email"] });
    const redacted = await contactsOf("redacted");
    expect(redacted).toEqual(await contactsOf("redacted-full"));
    expect(redacted.map((row) => row.name)).not.toContain("Kay Xavier");
  });
});
