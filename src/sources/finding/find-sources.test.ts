import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { realData } from "../../../test/real-data.ts";
import { openSource } from "../formats/detect-format.ts";
import { readUnit } from "../work-units.ts";
import { findSources } from "./find-sources.ts";

const MAIL = "From: Ann <ann@site.example>\nSubject: x\n\nbody\n";
const ONE = `From ann@site.example Mon May 14 16:39:00 2001\n${MAIL}\n`;
const MBOX = `${ONE}From ann@site.example Mon May 14 16:40:00 2001\n${MAIL}`;

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "find-sources-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(root, dirname(name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
}

const found = () => findSources(root, "left out").paths.map((path) => relative(root, path) || ".");

async function countMessages(): Promise<number> {
  let count = 0;
  for (const path of findSources(root, "left out").paths) {
    const source = await openSource(path, { password: null, skipProtected: false });
    for (const unit of source.units())
      for (const item of await readUnit(unit)) count += item.kind === "rfc5322" ? 1 : 0;
  }
  return count;
}

describe("output directories", () => {
  const OUTPUT = {
    ".archivetool-files.json": "{}",
    "extraction.json": "{}",
    "wiki/attachments/a.eml": MAIL,
    "old.mbox": MBOX,
  };
  const named = (files: Readonly<Record<string, string>>, prefix: string): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(files).map(([name, content]) => [prefix + name, content]));

  it("is not a source, and is listed as omitted", async () => {
    write({ ...named(OUTPUT, "archive/"), "box.mbox": MBOX, "archive/.archivetool-run/staging/a.eml": MAIL });
    const { paths, leftOut, leftOutCount } = findSources(root, "left out");
    expect([paths, leftOut, leftOutCount]).toEqual([[join(root, "box.mbox")], [join(root, "archive")], 1]);
  });

  it("is left to the reader of a directory, which reports it", async () => {
    write({ ...named(OUTPUT, "mail/archive/"), "mail/a.eml": MAIL });
    const { paths, leftOut } = findSources(root, "left out");
    expect([paths, leftOut]).toEqual([[join(root, "mail")], []]);
    expect(await countMessages()).toBe(1);
  });

  it("is an error if it contains only that", async () => {
    write(OUTPUT);
    expect(findSources(root, "left out")).toMatchObject({ paths: [], leftOut: [root], leftOutCount: 1 });
  });
});

describe("a folder with numbered files", () => {
  const folder = (content: (number: number) => string): Readonly<Record<string, string>> =>
    Object.fromEntries(Array.from({ length: 200 }, (_, number) => [`folder/${number + 1}.`, content(number + 1)]));

  it("is sampled to detect messages; other names are always checked", async () => {
    write({ ...folder(() => MAIL), "folder/sent": MBOX, "folder/notes.bin": "\0", "other/1": "\0" });
    const { paths, mailboxFiles, leftOut } = findSources(root, "left out");
    expect([paths, mailboxFiles]).toEqual([[join(root, "folder/sent"), join(root, "folder")], 1]);
    expect(leftOut).toEqual([join(root, "other/1")]);
  });

  it("is read completely if one of the sampled files differs", () => {
    write(folder((number) => ([3, 150].includes(number) ? MBOX : MAIL)));
    expect(findSources(root, "left out").mailboxFiles).toBe(2);
  });
});

describe("sources of an unpacked archive", () => {
  it.each([
    ["a Maildir", { "Maildir/cur/1:2,S": MAIL, "Maildir/new/2": MAIL, "Maildir/.Sent/cur/3": MAIL }, ["Maildir"], 3],
    ["a Maildir without a directory around it", { "cur/1": MAIL, "tmp/x": MAIL }, ["."], 1],
    ["several Maildirs", { "mail/ann/cur/1": MAIL, "mail/bob/cur/2": MAIL }, ["mail"], 2],
    [
      "a tree of EML files",
      { "Export/Inbox/a.eml": MAIL, "Export/Sent/b.EML": MAIL, "Export/readme.txt": "hi" },
      ["Export"],
      2,
    ],
    [
      "bare message files",
      { "maildir/allen-p/inbox/1.": MAIL, "maildir/allen-p/sent/1.": MAIL },
      ["maildir/allen-p"],
      2,
    ],
    ["EML files at the top", { "a.eml": MAIL, "b.eml": MAIL }, ["."], 2],
    ["one MBOX", { "box.mbox": MBOX }, ["box.mbox"], 2],
    [
      "Google Takeout",
      {
        "Takeout/Mail/All mail.mbox": MBOX,
        "Takeout/archive_browser.html": "<html>",
        "Takeout/Mail/User Settings/a.json": "{}",
      },
      ["Takeout/Mail/All mail.mbox"],
      2,
    ],
    [
      "mailboxes of Thunderbird, without extension",
      { "Mail/Inbox": MBOX, "Mail/Inbox.msf": "// x", "Mail/Sent": MBOX },
      ["Mail/Inbox", "Mail/Sent"],
      4,
    ],
    ["the package of Apple Mail", { "Old.mbox/mbox": MBOX, "Old.mbox/table_of_contents": "\0\0" }, ["Old.mbox"], 2],
    [
      "the messages of Apple Mail",
      {
        "V10/Acc/INBOX.mbox/X/Data/Messages/1.emlx": `${MAIL.length}\n${MAIL}`,
        "V10/Acc/INBOX.mbox/Info.plist": "<plist>",
      },
      ["V10/Acc/INBOX.mbox"],
      1,
    ],
    ["a PST", { "deep/down/a.pst": "!BDN and so on" }, ["deep/down/a.pst"], null],
    [
      "mailbox files beside directories of messages",
      { "a.mbox": MBOX, "Maildir/cur/1": MAIL, "eml/x.eml": MAIL, "docs/readme.txt": "hi" },
      ["a.mbox", "Maildir", "eml"],
      4,
    ],
    [
      "a mailbox file among messages",
      { "m/box.mbox": MBOX, "m/1.eml": MAIL, "n/2.eml": MAIL },
      ["m/box.mbox", "m", "n"],
      4,
    ],
    [
      "mailboxes that are empty or none",
      { "a.mbox": MBOX, "b.mbox": "", "c.mbox": "hello\n", "d.pst": "hello" },
      ["a.mbox"],
      2,
    ],
    [
      "files of desktop programs",
      { "__MACOSX/._a.mbox": MBOX, "._a.mbox": MBOX, ".git/a.mbox": MBOX, "a.mbox": MBOX },
      ["a.mbox"],
      2,
    ],
    [
      "months of a list, in which there may be one message",
      { "list/2001-May.txt": ONE, "list/2001-June.txt": MBOX, "list/Week-of-Mon-20010514.txt": ONE, "2002q1.txt": ONE },
      ["2002q1.txt", "list/2001-June.txt", "list/2001-May.txt", "list/Week-of-Mon-20010514.txt"],
      5,
    ],
    ["messages saved as texts", { "saved/a.txt": ONE, "saved/b.txt": ONE }, ["saved"], 2],
    [
      "a profile of Thunderbird, whose mailboxes may hold one message",
      {
        Inbox: MBOX,
        "Inbox.msf": "// <!-- <mdb:mork:z",
        "Inbox.sbd/Projects": ONE,
        "Inbox.sbd/Projects.sbd/Tern": ONE,
        Trash: ONE,
        "Trash.msf": "// <!-- <mdb:mork:z",
      },
      ["Inbox", "Trash", "Inbox.sbd/Projects", "Inbox.sbd/Projects.sbd/Tern"],
      5,
    ],
    ["no mail", { "a.txt": "hello", "b/c.jpg": "\xff\xd8" }, [], 0],
  ] as const)("are found in %s", async (_, files, sources, messages) => {
    write(files);
    expect(found()).toEqual(sources);
    if (messages !== null) expect(await countMessages()).toBe(messages);
  });

  it("include other files", async () => {
    write({
      "a.mbox": MBOX,
      "b.mbox": "",
      "site/index.html": "<html>",
      "eml/x.eml": MAIL,
      "eml/notes.txt": "hi",
      "eml/deep/more.txt": "hi",
    });
    const { paths, leftOut, leftOutCount } = findSources(root, "left out");
    expect(paths.map((path) => relative(root, path))).toEqual(["a.mbox", "eml"]);
    expect(leftOut.map((path) => relative(root, path)).sort()).toEqual(["b.mbox", "site/index.html"]);
    expect(leftOutCount).toBe(2);
  });

  it("count many files that are not mail", async () => {
    write({
      "a.mbox": MBOX,
      ...Object.fromEntries(Array.from({ length: 1005 }, (_, index) => [`${index}.txt`, "hi"])),
    });
    const { leftOut, leftOutCount } = findSources(root, "left out");
    expect([leftOut.length, leftOutCount]).toEqual([1000, 1005]);
  });

  it("never follows links", async () => {
    write({ "a.mbox": MBOX });
    mkdirSync(join(root, "in"));
    symlinkSync(join(root, "a.mbox"), join(root, "in/b.mbox"));
    symlinkSync(root, join(root, "in/loop"));
    expect(found()).toEqual(["a.mbox"]);
  });

  const enron = realData("enron-14-custodians");
  it.skipIf(enron === null)("are one tree of custodians", async () => {
    const { paths, leftOutCount } = findSources(enron!, "left out");
    expect(paths).toHaveLength(1);
    expect(leftOutCount).toBe(0);
  });
});
