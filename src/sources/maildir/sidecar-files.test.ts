import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSource } from "../formats/detect-format.ts";
import { readUnit } from "../work-units.ts";

const MESSAGE = "From: Ann <ann@mill.example>\nSubject: x\n\nbody\n";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "archivetool-sidecars-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function read(files: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(root, dirname(name)), { recursive: true });
    writeFileSync(join(root, name), typeof content === "string" ? content : JSON.stringify(content));
  }
  const source = await openSource(root, { password: null, skipProtected: false });
  const items = [...source.notes];
  for (const unit of source.units()) items.push(...(await readUnit(unit)));
  return items
    .filter(({ kind }) => kind !== "file-end")
    .map((item) => `${item.mailbox} ${item.location} ${"flags" in item ? item.flags.join(" ") : item.kind}`);
}

describe("an export of Proton Mail", () => {
  const LABELS = {
    Version: 1,
    Payload: [
      { ID: "abc==", Name: "Weir", Path: "Mill/Weir", Type: 3 },
      { ID: "def==", Name: "Otters, wild", Path: "Otters, wild", Type: 1 },
      { ID: "0", Name: "Inbox", Path: "Inbox", Type: 3 },
    ],
  };
  const message = (LabelIDs: readonly string[], more: object = {}) => ({ Version: 1, Payload: { LabelIDs, ...more } });

  it("has folders, labels and flags", async () => {
    const found = await read({
      "mail_20240501/labels.json": LABELS,
      "mail_20240501/a.eml": MESSAGE,
      "mail_20240501/a.metadata.json": message(["5", "0", "10", "def=="], { Unread: 0, IsRepliedAll: 1 }),
      "mail_20240501/b.eml": MESSAGE,
      "mail_20240501/b.metadata.json": message(["5", "abc=="], { Unread: true, IsForwarded: true }),
      "mail_20240501/c.eml": MESSAGE,
      "mail_20240501/c.metadata.json": message(["8"]),
      "mail_20240501/d.eml": MESSAGE,
      "mail_20240501/d.metadata.json": "{ damaged",
      "mail_20240501/other.metadata.json": "{}",
    });
    expect(found).toEqual([
      "Inbox mail_20240501/a.eml seen replied flagged label:Otters, wild",
      "Mill/Weir mail_20240501/b.eml forwarded",
      "Drafts mail_20240501/c.eml draft",
      "mail_20240501 mail_20240501/d.eml ",
      "mail_20240501 mail_20240501/other.metadata.json skipped",
    ]);
  });
});

describe("an export of Zimbra", () => {
  it("has flags and tags", async () => {
    const found = await read({
      "Inbox.meta": { type: 1 },
      "Inbox/1-Gate.eml": MESSAGE,
      "Inbox/1-Gate.eml.meta": { unread: 0, FlagStr: "arf", TagNames: "Weir:a\\:b" },
      "Inbox/2-Gate.eml": MESSAGE,
      "Inbox/2-Gate.eml.meta": { unread: 1, FlagStr: "uwd", TagStr: ":Otter" },
      "Inbox/3-Gate.eml": MESSAGE,
      "Inbox/3-Gate.eml.meta": { unread: 0, FlagStr: 7, TagStr: "1,2" },
    });
    expect(found).toEqual([
      "Inbox Inbox/1-Gate.eml seen replied flagged label:Weir label:a:b",
      "Inbox Inbox/2-Gate.eml draft forwarded label:Otter",
      "Inbox Inbox/3-Gate.eml seen",
    ]);
  });
});
