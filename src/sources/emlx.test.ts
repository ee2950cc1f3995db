import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { keptItemsOf } from "../../test/kept-items.ts";
import { openSource } from "./detect-format.ts";
import { emlxMailbox, openEmlx } from "./emlx.ts";
import { readUnit } from "./work-units.ts";

const MESSAGE = "From: Ann <ann@site.example>\nSubject: Grüße\n\nbody\n";
const properties = (flags: number): string =>
  `<?xml version="1.0"?>\n<plist version="1.0"><dict>\n\t<key>flags</key>\n\t<integer>${flags}</integer>\n</dict></plist>\n`;
const emlx = (message: string, flags: number): string =>
  `${String(Buffer.byteLength(message)).padEnd(10)}\n${message}${properties(flags)}`;

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "archivetool-emlx-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("openEmlx", () => {
  it.each([
    ["a message read and answered", emlx(MESSAGE, 8_590_195_717), MESSAGE, ["seen", "replied"]],
    ["a message without flags", emlx(MESSAGE, 0), MESSAGE, []],
    ["a message without property list", `${Buffer.byteLength(MESSAGE)}\r\n${MESSAGE}`, MESSAGE, []],
    ["a message cut short", `9999\n${MESSAGE}`, MESSAGE, []],
  ])("opens %s", (_, file, message, flags) => {
    const opened = openEmlx(Buffer.from(file));
    expect([opened?.message.toString(), opened?.flags]).toEqual([message, flags]);
  });

  it.each(["", "0\n", "12", "12\n", "From: a\n\n", "12 x\n", `${" ".repeat(40)}\n`])("leaves %j as it is", (file) => {
    expect(openEmlx(Buffer.from(file))).toBeNull();
  });
});

describe("emlxMailbox", () => {
  it.each([
    ["INBOX.mbox/01234567-89AB-CDEF-0123-456789ABCDEF/Data/3/1/Messages", "INBOX"],
    ["Archive.mbox/2003.mbox/Messages", "Archive/2003"],
    ["Sent Messages.imapmbox/Messages", "Sent Messages"],
    ["Messages", "Messages"],
    [".mbox", ".mbox"],
  ])("names %s", (path, mailbox) => {
    expect(emlxMailbox(path)).toBe(mailbox);
  });
});

describe("a directory of Apple Mail", () => {
  it("is read as messages with flags in the mailbox that Mail shows", async () => {
    const files = { "INBOX.mbox/Messages/1.emlx": emlx(MESSAGE, 1), "INBOX.mbox/Messages/2.emlx": MESSAGE };
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(join(root, dirname(name)), { recursive: true });
      writeFileSync(join(root, name), content);
    }
    const source = await openSource(root, { password: null, skipProtected: false });
    const items: unknown[] = [];
    for (const unit of source.units()) {
      // Read at once: the reader uses its buffer again for the next file.
      for (const item of await readUnit(unit))
        items.push(item.kind === "rfc5322" ? [item.mailbox, item.bytes.toString(), item.flags] : item);
    }
    expect([source.format, items]).toEqual([
      "eml",
      [
        ["INBOX", MESSAGE, ["seen"]],
        ["INBOX", MESSAGE, []],
      ],
    ]);
  });

  it("is read file by file, too", async () => {
    writeFileSync(join(root, "7.emlx"), emlx(MESSAGE, 16));
    const source = await openSource(join(root, "7.emlx"), { password: null, skipProtected: false });
    const [item] = await keptItemsOf(source.units());
    expect([source.format, item]).toMatchObject(["eml", { kind: "rfc5322", mailbox: "INBOX", flags: ["flagged"] }]);
  });
});
