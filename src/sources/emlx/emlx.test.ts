import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { keptItemsOf } from "../../../test/kept-items.ts";
import { parseMessage } from "../../mime/parse-message.ts";
import { openSource } from "../formats/detect-format.ts";
import { readUnit } from "../work-units.ts";
import { emlxMailbox, openEmlx } from "./emlx.ts";

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
    ["a count that is too small", `20\n${MESSAGE}${properties(1)}`, MESSAGE, ["seen"]],
    ["a count that is too large", `${MESSAGE.length + 40}\n${MESSAGE}${properties(1)}`, MESSAGE, ["seen"]],
    ["a count that is far too large", `9999\n${MESSAGE}${properties(1)}`, MESSAGE, ["seen"]],
    ["a binary property list", `${Buffer.byteLength(MESSAGE)}\n${MESSAGE}bplist00`, MESSAGE, []],
    ["a count that is too small, without property list", `20\n${MESSAGE}`, MESSAGE, []],
  ])("opens %s", (_, file, message, flags) => {
    const opened = openEmlx(Buffer.from(file));
    expect([opened?.message.toString(), opened?.flags]).toEqual([message, flags]);
  });

  it.each(["", "0\n", "12", "12\n", "From: a\n\n", "12 x\n", `${" ".repeat(40)}\n`])("leaves %j unchanged", (file) => {
    expect(openEmlx(Buffer.from(file))).toBeNull();
  });
});

describe("emlxMailbox", () => {
  it.each([
    ["INBOX.mbox/01234567-89AB-CDEF-0123-456789ABCDEF/Data/3/1/Messages", "INBOX"],
    ["Archive.mbox/2003.mbox/Messages", "Archive/2003"],
    ["Sent Messages.imapmbox/Messages", "Sent Messages"],
    [".mbox", ".mbox"],
  ])("is %s", (path, mailbox) => {
    expect(emlxMailbox(path, "/Library/Mail")).toBe(mailbox);
  });

  it.each([
    ["01234567-89AB-CDEF-0123-456789ABCDEF/Data/Messages", "/Mail/INBOX.mbox", "INBOX"],
    ["", "/Mail/Sent.mbox/01234567-89AB-CDEF-0123-456789ABCDEF/Data/Messages", "Sent"],
    ["", "/kept", "kept"],
    ["Messages", "/", "INBOX"],
  ])("is %s in %s after the renamed mailbox", (path, root, mailbox) => {
    expect(emlxMailbox(path, root)).toBe(mailbox);
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
      // Must be read at once: the reader reuses its buffer for the next file.
      for (const item of await readUnit(unit))
        if (item.kind !== "file-end")
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

  it("is read file by file", async () => {
    writeFileSync(join(root, "7.emlx"), emlx(MESSAGE, 16));
    const source = await openSource(join(root, "7.emlx"), { password: null, skipProtected: false });
    const [item] = await keptItemsOf(source.units());
    expect([source.format, item]).toMatchObject(["eml", { kind: "rfc5322", mailbox: "INBOX", flags: ["flagged"] }]);
  });
});

describe("a message without its attachments", () => {
  const part = (type: string, encoding: string, name: string): string =>
    `Content-Type: ${type}; name="${name}"\nContent-Transfer-Encoding: ${encoding}\nX-Apple-Content-Length: 99\n`;
  const MAIL = [
    "From: Ann <ann@site.example>\nSubject: Plans\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n",
    "--b\nContent-Type: text/plain\n\nSee below.\n",
    `--b\n${part("application/pdf", "base64", "plan.pdf")}\n--b\nContent-Type: multipart/mixed; boundary=c\n\n`,
    `--c\n${part("text/csv", "quoted-printable", "depths.csv").replace(/X-Apple.*\n/, "")}\n\n--c\n${part("text/plain", "7bit", "log.txt")}\n`,
    `--c--\n--b\n${part("image/png", "base64", "gone.png")}\n\n--b--\n`,
  ].join("");
  const FILES = {
    "Data/Messages/123.partial.emlx": emlx(MAIL, 1),
    "Data/Messages/124.emlx": emlx(MESSAGE, 1),
    "Data/Messages/123.3.2.emlxpart": "a log\n",
    "Data/Attachments/123/2/plan.pdf": "%PDF bytes".repeat(40),
    "Data/Attachments/123/3.1/depths.csv": "Tiefe;Länge\n1;2\n".repeat(9),
    "Data/Attachments/999/2/other.txt": "of no message",
  };

  const put = (files: Readonly<Record<string, string>>): void => {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(join(root, dirname(name)), { recursive: true });
      writeFileSync(join(root, name), content);
    }
  };

  it("restores those next to it, and reports missing ones", async () => {
    put(FILES);
    const items = await keptItemsOf((await openSource(root, { password: null, skipProtected: false })).units());
    expect(items.map((item) => ("code" in item ? [item.code, item.location] : [item.kind, item.location]))).toEqual([
      ["not-a-message", "Data/Attachments/999/2/other.txt"],
      ["rfc5322", "Data/Messages/124.emlx"],
      ["attachment-missing", "Data/Messages/123.partial.emlx"],
      ["rfc5322", "Data/Messages/123.partial.emlx"],
    ]);
    const mail = items.at(-1)!;
    const read = parseMessage(mail.kind === "rfc5322" ? mail.bytes : Buffer.alloc(0));
    expect(read.textBody).toBe("See below.");
    expect(read.attachments.map((file) => [file.filename, Buffer.from(file.bytes()).toString()])).toEqual([
      ["plan.pdf", FILES["Data/Attachments/123/2/plan.pdf"]],
      ["depths.csv", FILES["Data/Attachments/123/3.1/depths.csv"]],
      ["log.txt", "a log\n"],
      ["gone.png", ""],
    ]);
    expect(read.findings).toEqual([]);
  });

  it("is restored if it is the only source, and links are not followed", async () => {
    put(FILES);
    const path = join(root, "Data/Messages/123.partial.emlx");
    const bytesOf = async (): Promise<Buffer | null> => {
      const items = await keptItemsOf((await openSource(path, { password: null, skipProtected: false })).units());
      return items.map((item) => (item.kind === "rfc5322" ? Buffer.from(item.bytes) : null)).find(Boolean) ?? null;
    };
    expect((await bytesOf())?.toString()).toContain(Buffer.from("%PDF bytes%PDF").toString("base64").slice(0, 12));
    rmSync(join(root, "Data/Attachments/123/2"), { recursive: true });
    mkdirSync(join(root, "secret"));
    writeFileSync(join(root, "secret/plan.pdf"), "not of this mail");
    symlinkSync(join(root, "secret"), join(root, "Data/Attachments/123/2"));
    expect((await bytesOf())?.toString()).not.toContain(Buffer.from("not of this").toString("base64").slice(0, 12));
  });
});
