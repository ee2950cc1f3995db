import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { keptItemsOf } from "../../../test/kept-items.ts";
import { realData } from "../../../test/real-data.ts";
import { pathBytes } from "../../files/path-text.ts";
import { UNIT_BYTES, UNIT_FILES_MAX } from "../maildir/mail-tree.ts";
import { messageFiles, readFilesUnit } from "../maildir/message-files.ts";
import type { OpenedSource, SourceItem } from "../reading/source.ts";
import { readUnit } from "../work-units.ts";
import { openSource } from "./detect-format.ts";

const LIMITS = { password: null, skipProtected: false } as const;
const CALENDAR = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nEND:VEVENT\nEND:VCALENDAR\n";
const CARD = "BEGIN:VCARD\nFN:Ann\nEND:VCARD\n";
const MESSAGE = "From: Ann <ann@site.example>\nSubject: x\n\nbody\n";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "archivetool-source-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Writes files by relative path; names may contain bytes that are not UTF-8, escaped. */
function write(files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(pathBytes(join(root, dirname(name))), { recursive: true });
    // Bytes that are not text are written one by one.
    const isBinary = /^(?:\xcf|\x1a|\x89)/.test(content);
    writeFileSync(pathBytes(`${root}/${name}`), content, isBinary ? "latin1" : "utf8");
  }
}

const open = (name = "") => openSource(name === "" ? root : join(root, name), LIMITS);

async function readAll(source: OpenedSource): Promise<readonly SourceItem[]> {
  const items: SourceItem[] = [...source.notes];
  for (const unit of source.units()) items.push(...(await readUnit(unit)));
  return items.filter(({ kind }) => kind !== "file-end");
}

const list = (items: readonly SourceItem[]) =>
  items.map((item) => `${"code" in item ? `${item.kind} ${item.code}` : item.kind} ${item.mailbox} ${item.location}`);

describe("detection", () => {
  it.each([
    ["box.mbox", `From - \n${MESSAGE}`, "mbox"],
    ["box.MBX", `From - \n${MESSAGE}`, "mbox"],
    ["Inbox", `From - \n${MESSAGE}`, "mbox"],
    ["bom", `\ufeffFrom - \n${MESSAGE}`, "mbox"],
    ["mail.eml", "anything", "eml"],
    ["1.", MESSAGE, "eml"],
    ["lead", `\n\n${MESSAGE}`, "eml"],
  ])("detects %s", async (name, content, format) => {
    write({ [name]: content });
    const source = await open(name);
    expect(source).toMatchObject({ format, isFile: true, sizeBytes: Buffer.byteLength(content) });
    expect((await readAll(source)).map((item) => item.kind)).toEqual(["rfc5322"]);
  });

  it.each([
    ["a file that is not there", {}, "nothing", "SOURCE_NOT_FOUND", "no such file or directory"],
    ["a path through a file", { a: MESSAGE }, "a/b", "SOURCE_NOT_FOUND", "no such file or directory"],
    ["an empty file", { "a.mbox": "" }, "a.mbox", "SOURCE_EMPTY", "the file is empty"],
    ["an empty directory", { "a/.DS_Store": "x" }, "a", "SOURCE_EMPTY", "no mail in this directory"],
    [
      "a directory without mail",
      { "a/b.txt": "Note: hi\n", "a/c.jpg": "\xff\xd8" },
      "a",
      "SOURCE_EMPTY",
      "no file in this directory is a message",
    ],
    ["text", { "a.txt": "hello\nworld\n" }, "a.txt", "UNSUPPORTED_FORMAT", "not a supported mail archive"],
    ["a packed month", { "a.mbox.gz": "\x1f\x8b\b" }, "a.mbox.gz", "UNSUPPORTED_FORMAT", "this is"],
    ["an MBOX that is none", { "a.mbox": "hello\n" }, "a.mbox", "UNSUPPORTED_FORMAT", 'no "From " line'],
    ["UW-IMAP's mbx", { "a.mbx": "*mbx*\r\n" }, "a.mbx", "UNSUPPORTED_FORMAT", "UW-IMAP"],
    ["a mailbox of Notes", { "a.nsf": "\x1a\0\0\x04\0\0" }, "a.nsf", "UNSUPPORTED_FORMAT", "Notes"],
  ])("rejects %s in one line with the path", async (_, files, name, code, reason) => {
    write(files);
    if (name.endsWith(".gz")) writeFileSync(join(root, name), Buffer.of(0x1f, 0x8b, 8));
    const error = await open(name).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "ArchiveError", code });
    const { message } = error as Error;
    expect(message.startsWith(`${join(root, name)}: `)).toBe(true);
    expect(message).toContain(reason);
    expect(message).not.toContain("\n");
  });

  it.each([
    ["one with several messages", { "a/box.mbox": `From - \n${MESSAGE}\nFrom - \n${MESSAGE}` }],
    ["mailboxes without extension", { "a/Inbox": `From - \n${MESSAGE}\nFrom - \n${MESSAGE}`, "a/x.txt": "x" }],
    ["stores of Outlook", { "a/b/c.pst": "!BDN...", "a/d.ost": "!BDN..." }],
  ])("does not read a directory with only mailbox files as messages: %s", async (_, files) => {
    write(files);
    await expect(open("a")).rejects.toMatchObject({
      code: "SOURCE_EMPTY",
      message: expect.stringContaining("no file in this directory is a message"),
    });
  });

  it("reports once why a path", async () => {
    const error = (await open("nothing").catch((thrown: unknown) => thrown)) as Error;
    expect(error.message).toBe(`${join(root, "nothing")}: no such file or directory`);
    expect(error.cause).toBeUndefined();
  });

  it("explains how to read a file with a name that is not UTF-8", async () => {
    await expect(open("gr\ufffd\ufffde.mbox")).rejects.toMatchObject({
      code: "SOURCE_NOT_FOUND",
      hint: expect.stringContaining("pass its directory"),
    });
  });

  it("opens a mailbox package of Apple Mail", async () => {
    write({ "Old.mbox/mbox": `From - \n${MESSAGE}`, "Old.mbox/table_of_contents": "x" });
    expect(list(await readAll(await open("Old.mbox")))).toEqual(["rfc5322 Old offset:0"]);
  });
});

describe("Maildir", () => {
  it("reads folders, flags and names", async () => {
    write({
      "cur/2.host:2,S": MESSAGE,
      "cur/1.host:2,": MESSAGE,
      "new/3.host": MESSAGE,
      "tmp/4.host": MESSAGE,
      ".Entw&APw-rfe.2001/cur/5.host:2,D": MESSAGE,
      "Nested/Deep/cur/6.host": "not even a header",
      "Nested/Deep/new/7.host": MESSAGE,
      "dovecot.index.log": "x",
      subscriptions: "x",
      "notes.txt": "my notes\n",
    });
    const source = await open();
    expect(source).toMatchObject({ format: "maildir", isFile: false });
    const items = await readAll(source);
    expect(list(items)).toEqual([
      "note maildir-undelivered INBOX tmp",
      "rfc5322 INBOX cur/1.host:2,",
      "rfc5322 INBOX cur/2.host:2,S",
      "rfc5322 INBOX new/3.host",
      "skipped not-a-message INBOX notes.txt",
      "rfc5322 Entwürfe/2001 .Entw&APw-rfe.2001/cur/5.host:2,D",
      "rfc5322 Nested/Deep Nested/Deep/cur/6.host",
      "rfc5322 Nested/Deep Nested/Deep/new/7.host",
    ]);
    expect(items[2]).toMatchObject({ flags: ["seen"] });
    expect(items[5]).toMatchObject({ flags: ["draft"] });
  });

  it("unpacks messages that Dovecot compressed, and reports those that are not readable", async () => {
    write({ "cur/1.host:2,S": MESSAGE });
    const packed = gzipSync(`${MESSAGE}${"line\n".repeat(30_000)}`);
    writeFileSync(join(root, "cur/2.host:2,S"), packed);
    writeFileSync(join(root, "cur/3.host:2,S"), packed.subarray(0, -20));
    writeFileSync(join(root, "cur/4.host:2,S"), packed.fill(0xff, 40, 60));
    writeFileSync(join(root, "cur/6.host:2,S"), Buffer.from("28b52ffd00", "hex"));
    writeFileSync(join(root, "cur/5.host:2,S"), gzipSync(Buffer.alloc(70_000_000, "x")));
    const items = await readAll(await open());
    expect(list(items)).toEqual([
      "rfc5322 INBOX cur/1.host:2,S",
      "rfc5322 INBOX cur/2.host:2,S",
      "note message-truncated INBOX cur/3.host:2,S",
      "rfc5322 INBOX cur/3.host:2,S",
      "damaged file-unreadable INBOX cur/4.host:2,S",
      "damaged file-unreadable INBOX cur/5.host:2,S",
      "skipped foreign-mail INBOX cur/6.host:2,S",
    ]);
    expect(items[1]).toMatchObject({ isWholeFile: false, flags: ["seen"] });
  });

  it("does not read a folder named new as a Maildir", async () => {
    write({ "ann/new/1.": MESSAGE, "ann/new/2.": "no header" });
    expect(list(await readAll(await open()))).toEqual(["rfc5322 ann/new ann/new/1.", "rfc5322 ann/new ann/new/2."]);
  });
});

describe("trees of message files", () => {
  it("reads an Enron tree in numeric order", async () => {
    write({
      "ann-b/inbox/10.": MESSAGE,
      "ann-b/inbox/9.": MESSAGE,
      "ann-b/inbox/deep/1.": MESSAGE,
      "ann-b/1.": MESSAGE,
    });
    const source = await open();
    expect(source.format).toBe("maildir");
    expect(list(await readAll(source))).toEqual([
      "rfc5322 ann-b ann-b/1.",
      "rfc5322 ann-b/inbox ann-b/inbox/9.",
      "rfc5322 ann-b/inbox ann-b/inbox/10.",
      "rfc5322 ann-b/inbox/deep ann-b/inbox/deep/1.",
    ]);
  });

  it("reads .eml files and reports other files", async () => {
    write({
      "export/a.eml": MESSAGE,
      "export/B.EML": "no header",
      "export/empty.eml": "",
      "export/picture.png": "\x89PNG",
      "export/store.pst": "!BDN....",
      "export/box": `From - \n${MESSAGE}\nFrom - \n${MESSAGE}`,
      "export/one": `From - \n${MESSAGE}`,
      "export/Trash": `From - \n${MESSAGE}`,
      "export/Trash.msf": "// <!-- <mdb:mork:z",
      "export/old.dbx": "\xcf\xad\x12\xfe\xc5\xfd\x74\x6f",
      "export/months.zip": "PK\x03\x04",
      "export/sheet.xlsx": "PK\x03\x04",
      "export/.git/x": MESSAGE,
    });
    const source = await open("export");
    expect(source.format).toBe("eml");
    const items = await readAll(source);
    expect(list(items)).toEqual([
      "rfc5322 export B.EML",
      "skipped mbox-in-directory export Trash",
      "skipped not-a-message export Trash.msf",
      "rfc5322 export a.eml",
      "skipped mbox-in-directory export box",
      "damaged empty-message export empty.eml",
      "skipped packed-in-directory export months.zip",
      "skipped foreign-mail export old.dbx",
      "rfc5322 export one",
      "skipped not-a-message export picture.png",
      "skipped not-a-message export sheet.xlsx",
      "skipped store-in-directory export store.pst",
    ]);
    expect(items.find(({ location }) => location === "old.dbx")).toMatchObject({
      message: expect.stringContaining("undbx"),
    });
    for (const item of items) if ("sha256" in item) expect(item.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it("reads files with names that are not UTF-8, and shows valid Unicode", async () => {
    write({ "caf\ufffde9/1.eml": MESSAGE, "caf\ufffde9/\ufffdff.eml": MESSAGE });
    expect(list(await readAll(await open()))).toEqual([
      "rfc5322 caf\ufffde9 caf\ufffde9/1.eml",
      "rfc5322 caf\ufffde9 caf\ufffde9/\ufffdff.eml",
    ]);
  });

  it("follows no links and waits for no pipe", async () => {
    write({ "a/1.": MESSAGE });
    symlinkSync("..", join(root, "a/loop"));
    symlinkSync("1.", join(root, "a/2."));
    execFileSync("mkfifo", [join(root, "a/pipe")]);
    expect(list(await readAll(await open()))).toEqual([
      "skipped symbolic-link a a/2.",
      "skipped symbolic-link a a/loop",
      "skipped special-file a a/pipe",
      "rfc5322 a a/1.",
    ]);
  });

  it("counts a file that vanished, and one that became a link or a pipe, as damaged", async () => {
    write({ "1.eml": MESSAGE, "2.eml": MESSAGE, "3.eml": MESSAGE });
    const source = await open();
    const units = [...source.units()];
    for (const name of ["1.eml", "2.eml", "3.eml"]) unlinkSync(join(root, name));
    symlinkSync("/etc/hostname", join(root, "2.eml"));
    execFileSync("mkfifo", [join(root, "3.eml")]);
    const items = await keptItemsOf(units);
    expect(list(items).map((line) => line.split(" ").slice(0, 2).join(" "))).toEqual([
      "damaged file-vanished",
      "damaged file-unreadable",
      "damaged file-unreadable",
    ]);
  });

  it.each([
    ["its messages, of which there are fewer", { "1.eml": MESSAGE, "a.ics": CALENDAR, "b.ics": CALENDAR }, "eml"],
    ["messages without a name for it", { "inbox/1.": MESSAGE, "a.ics": CALENDAR, "b.vcf": CARD }, "maildir"],
    ["its calendars, where there is no mail", { "a.ics": CALENDAR, "b.ics": CALENDAR, "c.vcf": CARD }, "ics"],
    ["its calendars, beside what is no mail", { "a.ics": CALENDAR, notes: "no mail" }, "ics"],
  ])("is named after %s", async (_, files, format) => {
    write(files);
    expect((await open()).format).toBe(format);
  });

  it("divides units by number and size, in order and without loss", async () => {
    const names = Array.from({ length: UNIT_FILES_MAX + 10 }, (_, index) => `${index}.eml`);
    write(Object.fromEntries(names.map((name) => [name, MESSAGE])));
    appendFileSync(join(root, "100.eml"), "x".repeat(UNIT_BYTES));
    const units = [...(await open()).units()].map((unit) =>
      unit.kind === "files" ? messageFiles(unit).map((file) => file.relativePath) : [],
    );
    expect(units.map((unit) => unit.length)).toEqual([100, 1, names.length - 101]);
    expect(units.flat()).toEqual(names);
  });

  it("reads messages larger than its buffer, and truncates those above the limit, with a hash", async () => {
    write({ "1.eml": MESSAGE, "2.eml": MESSAGE + "x".repeat(3_000_000), "3.eml": MESSAGE });
    const runs = [...(await open()).units()].flatMap((cut) => (cut.kind === "files" ? cut.runs : []));
    const read = async (bytesMax?: number) =>
      Array.from(await readFilesUnit({ kind: "files", root, runs }, bytesMax), (item) =>
        item.kind === "rfc5322" ? item.bytes.length : "code" in item ? item.code : item.kind,
      );
    const length = MESSAGE.length;
    expect([...(await readFilesUnit({ kind: "files", root, runs }))].length).toBe(3);
    expect(await read()).toEqual([length, length + 3_000_000, length]);
    expect(await read(1_000_000)).toEqual([length, "message-too-large", 1_000_000, "file-end", length]);
  });
});

const enron = realData("enron-14-custodians");

describe("real mail", () => {
  it.skipIf(enron === null)("an Enron tree of 42,661 messages", async () => {
    const source = await openSource(enron!, LIMITS);
    let messages = 0;
    let bytes = 0;
    const mailboxes = new Set<string>();
    for (const unit of source.units()) {
      for (const item of await readUnit(unit)) {
        if (item.kind === "rfc5322") {
          messages++;
          bytes += item.bytes.length;
        }
        mailboxes.add(item.mailbox);
      }
    }
    expect({ format: source.format, messages, bytes, sizeBytes: source.sizeBytes, mailboxes: mailboxes.size }).toEqual({
      format: "maildir",
      messages: 42_661,
      bytes: 112_998_858,
      sizeBytes: 112_998_858,
      mailboxes: 292,
    });
  });
});
