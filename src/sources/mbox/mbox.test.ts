import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { realData } from "../../../test/real-data.ts";
import { MANIFEST_COLUMNS, MANIFEST_NAME } from "../../mail/export-manifest.ts";
import type { OpenedSource, SourceItem } from "../reading/source.ts";
import { mailboxOfFile, openMbox, readMboxUnit } from "./mbox.ts";

let directory = "";
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "archivetool-mbox-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

interface ReadBack {
  readonly source: OpenedSource;
  readonly dialect: string;
  readonly units: number;
  readonly items: readonly (SourceItem & { readonly text: string })[];
}

/**
 * Writes the bytes, opens them and reads every unit; message bytes are copied because the reader reuses its buffers.
 */
async function readBack(
  content: string | Buffer,
  unitBytes = 8 * 1024 * 1024,
  bytesMax = 2 ** 31 - 1,
): Promise<ReadBack> {
  const path = join(directory, "box.mbox");
  writeFileSync(path, typeof content === "string" ? Buffer.from(content, "latin1") : content);
  const source = await openMbox(path, { mailbox: "box", unitBytes });
  const items: (SourceItem & { text: string })[] = [];
  let units = 0;
  let dialect = "";
  for (const unit of source.units()) {
    if (unit.kind !== "mbox") throw new Error("an mbox is cut into mbox units");
    units++;
    dialect = unit.dialect.replace(" one-date", "");
    for (const item of readMboxUnit(unit, bytesMax)) {
      items.push({ ...item, text: item.kind === "rfc5322" ? item.bytes.toString("latin1") : "" });
    }
  }
  return { source, dialect, units, items };
}

const texts = (read: ReadBack) => read.items.map((item) => item.text);
const locations = (read: ReadBack) => read.items.map((item) => item.location);
const codes = (items: readonly SourceItem[]) => items.map((item) => ("code" in item ? item.code : item.kind));

const DATED = "From ann@site.example Mon Jan  1 00:00:00 2001\n";

describe("separators", () => {
  it("keep a Git patch as text in a message, and as a message in a file of patches", async () => {
    const patch = (subject: string): string =>
      `From ${"6f1c".repeat(10)} Mon Sep 17 00:00:00 2001\nFrom: Ann <ann@site.example>\nSubject: ${subject}\n\n---\n\n`;
    const mail = `${DATED}Subject: mail\n\nhi\n\n`;
    expect((await readBack(mail + patch("one") + mail)).items).toHaveLength(2);
    expect((await readBack(patch("one") + patch("two") + mail + patch("three"))).items).toHaveLength(3);
    expect(codes((await readBack(mail + patch("one"))).source.notes)).toEqual(["mbox-separator-rejected"]);
  });

  it.each([
    ["asctime", "From ann@site.example Mon Jan  1 00:00:00 2001"],
    ["asctime with zone", "From ann@site.example Mon Jan  1 00:00:00 PST 2001"],
    ["asctime with numeric zone of Takeout", "From 1583@xxx Thu Jan 01 00:00:00 +0000 2015"],
    ["two words of zone", "From ann@site.example Mon Jan  1 00:00:00 MET DST 2001"],
    ["without seconds", "From ann Mon Jan  1 00:00 2001"],
    ["remote from", "From ann Mon Jan  1 00:00:00 2001 remote from site"],
    ["RFC 5322 date", "From ann@site.example Mon, 1 Jan 2001 00:00:00 +0000"],
    ["ISO date", "From ann@site.example 2001-01-01T00:00:00Z"],
    ["pipermail", "From ann at site.example  Mon Jan  1 00:00:00 2001"],
    ["quoted sender", 'From "ann b" Mon Jan  1 00:00:00 2001'],
    ["Mozilla", "From -  "],
    ["bare Mozilla", "From -"],
    ["Mozilla with date", "From - Mon Jan  1 00:00:00 2001"],
  ])("%s", async (_, line) => {
    const read = await readBack(`${line}\nSubject: 1\n\none\n${line}\nSubject: 2\n\ntwo\n`);
    expect(texts(read)).toEqual(["Subject: 1\n\none\n", "Subject: 2\n\ntwo\n"]);
    expect(locations(read)).toEqual(["offset:0", `offset:${line.length + 17}`]);
  });

  it.each([
    ["prose", "From Russia with love"],
    ["prose with a year after", "From Monday on, May 2001 at 10:30"],
    ["undated sender in a dated file", "From ann@site.example"],
    ["a month alone", "From Jan 1"],
    ["a time alone", "From 10:00 to 11:00"],
    ["digits only", "From 1 1 1 1"],
  ])("%s is text", async (_, line) => {
    const body = `Subject: 1\n\nbefore\n\n${line}\nYear: 1963\nafter\n`;
    expect(texts(await readBack(`${DATED}${body}\n${DATED}Subject: 2\n\ntwo\n`))).toEqual([
      body,
      "Subject: 2\n\ntwo\n",
    ]);
  });

  it.each([
    ["a German date", "From ann@site.example Mo M\u00e4r  9 12:03:19 2020"],
    ["a French date without an address", "From ann lun. 9 mars 2020 12:03:19"],
    ["a Russian date in UTF-8", Buffer.from("From ann 9 \u043c\u0430\u0440 2020 12:03:19").toString("latin1")],
    ["a numeric date", "From ann@site.example 05/03/2012 13:00:00"],
    ["a numeric date with points", "From ann@site.example 5.3.2012 13:00"],
    ["no date", "From ann@site.example"],
    ["nothing", "From "],
    ["a name alone", "From MAILER-DAEMON"],
  ])("a line with %s begins a message between dated ones", async (_, line) => {
    const second = "From: ann@site.example\nSubject: 2\nDate: x\nMessage-ID: <2@site.example>\n\ntwo\n";
    for (const end of ["\n", "\r\n"]) {
      const read = await readBack(
        `${DATED}Subject: 1\n\none\n\n${line}\n${second}\n${DATED}Subject: 3\n\nthree\n`.replaceAll("\n", end),
      );
      expect(texts(read)).toEqual(
        ["Subject: 1\n\none\n", second, "Subject: 3\n\nthree\n"].map((text) => text.replaceAll("\n", end)),
      );
    }
  });

  it.each([
    ["only extension fields", "From ann@site.example\n", "X-Spam-Report: 1\nX-Loop: 2\nLines: 1\n\ntwo\n"],
    [
      "a first field that is longer than the range examined",
      "From ann ti maalis 5 10:00:00 2019\n",
      `X-Report: ${"x".repeat(9000)}\nSubject: 2\n\ntwo\n`,
    ],
    ["fields of news after prose", "From someone on the list\n", "Lines: 3\nNewsgroups: alt.gates\n\ntwo\n"],
    ["signatures", "From someone on the list\n", "DKIM-Signature: v=1\nX-Loop: 2\n\ntwo\n"],
  ])("%s begin a message after an undated line", async (_, line, second) => {
    const read = await readBack(`${DATED}Subject: 1\n\none\n\n${line}${second}\n${DATED}Subject: 3\n\nthree\n`);
    expect(texts(read)).toEqual(["Subject: 1\n\none\n", second, "Subject: 3\n\nthree\n"]);
  });

  it.each([
    ["a pasted header after prose", "From the letter of Ann:\nTo: Ben\nSubject: gates\n\nDear Ben\n"],
    ["a list after prose", "From the paper:\nReferences: Knuth 1974\n\nafter\n"],
    ["fields in a line of text", "From ann@site.example\nSubject: gates\nand so on\n\nafter\n"],
    ["fields that are not of mail", "From ann@site.example\nYear: 1963\n\nafter\n"],
    ["no blank line before", "x\nFrom ann@site.example\nSubject: gates\n\nafter\n"],
  ])("%s is text", async (_, rest) => {
    const body = `Subject: 1\n\nbefore\n\n${rest}`;
    expect(texts(await readBack(`${DATED}${body}\n${DATED}Subject: 2\n\ntwo\n`))).toEqual([
      body,
      "Subject: 2\n\ntwo\n",
    ]);
  });

  it("reads a dated line in prose as text, with a note", async () => {
    const body = "Subject: 1\n\nbefore\n\nFrom ann@site.example Mon Jan  1 00:00:00 2001 I have\nnot heard\n";
    const read = await readBack(`${DATED}${body}`);
    expect(texts(read)).toEqual([body]);
    expect(read.source.notes).toEqual([
      expect.objectContaining({
        kind: "note",
        code: "mbox-separator-rejected",
        location: `offset:${DATED.length + 20}`,
      }),
    ]);
  });

  it("can be undated if no separator in the file has a date", async () => {
    const read = await readBack("From MAILER-DAEMON\nSubject: 1\n\n-\nFrom here\nName: x\n\nFrom ann\nSubject: 2\n\n");
    expect(texts(read)).toEqual(["Subject: 1\n\n-\nFrom here\nName: x\n", "Subject: 2\n"]);
    expect(read.dialect).toBe("mboxo undated");
    expect(codes(read.source.notes)).toEqual(["mbox-undated"]);
  });

  it("keep messages without a header and an empty one", async () => {
    const read = await readBack(`${DATED}\nbody 1\n\n${DATED}\nbody 2\n\n${DATED}`);
    expect(texts(read)).toEqual(["\nbody 1\n", "\nbody 2\n", ""]);
    expect(codes(read.items)).toEqual(["rfc5322", "rfc5322", "empty-message"]);
  });

  it("skip the folder record of a mail program, but no message about it", async () => {
    const subject = "Subject: DON'T DELETE THIS MESSAGE -- FOLDER INTERNAL DATA\n";
    const read = await readBack(
      `${DATED}From: Mail System Internal Data <MAILER-DAEMON@x.example>\n${subject}X-IMAP: 1 2\n\nThis text\n\n` +
        `${DATED}${subject}\nMay I delete it?\n`,
    );
    expect(codes(read.items)).toEqual(["folder-internal-data", "rfc5322"]);
    expect(read.items[0]).toMatchObject({ kind: "skipped", sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  it("are the same with a small window", async () => {
    const line = `${"x".repeat(70)}\n`;
    const long = `X-Long: ${"y".repeat(50_000)}\nSubject: 2\n\n${line.repeat(5000)}From here\n${line.repeat(2000)}\n`;
    const measured = "From ann@site.example Mon Jan  1 00:00:00 2001\nnot one\n\n".repeat(3000);
    const path = join(directory, "small-window.mbox");
    const head = `Subject: 3\nContent-Length: ${measured.length}\n\n`;
    writeFileSync(
      path,
      `${DATED}Subject: 1\n\none\n\n${DATED}${long}${DATED}${head}${measured}\n${DATED}Subject: 4\n\nfour\n`,
    );
    const source = await openMbox(path, { mailbox: "box", unitBytes: Number.POSITIVE_INFINITY });
    const [unit] = [...source.units()].filter((one) => one.kind === "mbox");
    const messages = (windowBytes?: number) =>
      Array.from(readMboxUnit(unit!, undefined, windowBytes), (item) =>
        item.kind === "rfc5322" ? item.bytes.toString("latin1") : item.kind,
      );
    expect(messages(128 * 1024)).toEqual(messages());
    expect(messages().map((text) => text.length)).toEqual([16, long.length - 1, head.length + measured.length, 17]);
  });

  it("skips a byte order mark and blank lines before the first separator", async () => {
    const read = await readBack(`\u00ef\u00bb\u00bf\n${DATED}Subject: 1\n\none\n`);
    expect(texts(read)).toEqual(["Subject: 1\n\none\n"]);
    expect(locations(read)).toEqual(["offset:4"]);
    expect(read.source.notes).toEqual([]);
  });

  it("fingerprints the bytes before the first separator", async () => {
    const read = await readBack(`garbage\n\n${DATED}Subject: 1\n\none\n`);
    expect(texts(read)).toEqual(["Subject: 1\n\none\n"]);
    expect(read.source.notes).toEqual([
      expect.objectContaining({
        kind: "damaged",
        code: "mbox-preamble",
        sha256: "9a50f462616c755fa9277d658cdf82efd1f733034532c5ba51a511c7ced6e688",
      }),
    ]);
  });

  it("are optional before the first message", async () => {
    const read = await readBack(`Subject: 0\n\nzero\n\n${DATED}Subject: 1\n\none\n`);
    expect(texts(read)).toEqual(["Subject: 0\n\nzero\n", "Subject: 1\n\none\n"]);
    expect(codes(read.source.notes)).toEqual(["mbox-no-first-separator"]);
  });

  it("reject a file with neither separator nor header", async () => {
    await expect(readBack("just some text\nand more\n")).rejects.toMatchObject({ code: "UNSUPPORTED_FORMAT" });
  });

  it("reads every message of a file with mixed line ends", async () => {
    const ends = ["\n", "\r\n", "\r", "\n", "\r", "\r\n", "\r"];
    const lines = ends.map((end, at) => `${DATED}Subject: ${at}\n\nbody\n\n`.replaceAll("\n", end));
    for (const first of [0, 1, 2]) {
      const read = await readBack(lines.slice(first).join(""));
      expect(texts(read)).toEqual(
        ends.slice(first).map((end, at) => `Subject: ${at + first}\n\nbody\n`.replaceAll("\n", end)),
      );
    }
  });

  it("find the message after a block of NUL bytes from a crash", async () => {
    const message = `${DATED}Subject: 1\n\nbody\n\n`;
    const read = await readBack(`${message}${"\0".repeat(512)}${message}`);
    expect(read.items).toHaveLength(2);
    expect(texts(read)[1]).toBe("Subject: 1\n\nbody\n");
  });

  it("reads CRLF and CR files, without the empty line between messages", async () => {
    const lines = `${DATED}Subject: 1\n\none\n\n${DATED}Subject: 2\n\ntwo\n`;
    const swapped = await readBack(lines.replaceAll("\n", "\n\r"));
    expect(texts(swapped).map((text) => text.trim().split(/[\n\r]+/))).toEqual([
      ["Subject: 1", "one"],
      ["Subject: 2", "two"],
    ]);
    const crlf = await readBack(lines.replaceAll("\n", "\r\n"));
    expect(texts(crlf)).toEqual(["Subject: 1\r\n\r\none\r\n", "Subject: 2\r\n\r\ntwo\r\n"]);
    const cr = await readBack(lines.replaceAll("\n", "\r"));
    expect(texts(cr)).toEqual(["Subject: 1\r\rone\r", "Subject: 2\r\rtwo\r"]);
    expect(cr.dialect).toBe("mboxo cr");
  });

  it.each(["Subj", "", "Subject: 2", "Subject: 2\nX"])("return a last message truncated after %j", async (rest) => {
    const read = await readBack(`${DATED}Subject: 1\n\none\n\n${DATED}${rest}`);
    expect(texts(read)).toEqual(["Subject: 1\n\none\n", rest]);
  });
});

describe("dialects", () => {
  it("removes one > in mboxrd", async () => {
    const read = await readBack(
      `${DATED}Subject: 1\n\n>From a\n>>From b\n>>>From c\n> From d\n\n${DATED}Subject: 2\n\n`,
    );
    expect(read.dialect).toBe("mboxrd");
    expect(texts(read)[0]).toBe("Subject: 1\n\nFrom a\n>From b\n>>From c\n> From d\n");
    expect(codes(read.source.notes)).toEqual(["mbox-dialect"]);
  });

  it("keeps the > after a line end that the writer of the mailbox does not use", async () => {
    const lines = `${DATED}Subject: 1\n\n>From a\n>>From b\nx\r>From c\n\0>From d\n`;
    expect(texts(await readBack(lines))).toEqual(["Subject: 1\n\nFrom a\n>From b\nx\r>From c\n\0>From d\n"]);
    const cr = `${DATED}Subject: 1\n\n>From a\n>>From b\n`.replaceAll("\n", "\r");
    expect(texts(await readBack(cr))).toEqual(["Subject: 1\r\rFrom a\r>From b\r"]);
  });

  it("leaves mboxo and unquoted files unchanged", async () => {
    const mboxo = await readBack(`${DATED}Subject: 1\n\n>From a\n`);
    expect(mboxo.dialect).toBe("mboxo");
    expect(texts(mboxo)).toEqual(["Subject: 1\n\n>From a\n"]);
    const unquoted = await readBack(`${DATED}Subject: 1\n\n>>From a\nFrom b\n`);
    expect(unquoted.dialect).toBe("mboxo");
    expect(texts(unquoted)).toEqual(["Subject: 1\n\n>>From a\nFrom b\n"]);
  });

  it("follows a Content-Length that ends before a From line", async () => {
    const forwarded = `see\n\n${DATED}Subject: inner\n\ninner\n`;
    const read = await readBack(
      `${DATED}Content-Length: ${forwarded.length}\n\n${forwarded}\n${DATED}content-Length:${forwarded.length}\n\n${forwarded}`,
    );
    expect(read.dialect).toBe("mboxcl2");
    expect(texts(read)).toEqual([
      `Content-Length: ${forwarded.length}\n\n${forwarded}`,
      `content-Length:${forwarded.length}\n\n${forwarded}`,
    ]);
  });

  it.each([
    ["too short", 3],
    ["too long", 9],
    ["beyond the file", 99_999],
    ["absurd", 999_999_999_999_999],
  ])("ignores a Content-Length that is %s", async (_, length) => {
    const first = `Content-Length: ${length}\n\nline one\n`;
    expect(texts(await readBack(`${DATED}${first}\n${DATED}Subject: 2\n\ntwo\n`))).toEqual([
      first,
      "Subject: 2\n\ntwo\n",
    ]);
  });

  it("does not look for Content-Length in a body", async () => {
    const first = "Subject: 1\n\nHTTP said:\nContent-Length: 6\n\nabcde\n";
    expect(texts(await readBack(`${DATED}${first}\n${DATED}Subject: 2\n\ntwo\n`))).toEqual([
      first,
      "Subject: 2\n\ntwo\n",
    ]);
  });
});

describe("messages", () => {
  it("reads flags of Status, X-Status and X-Mozilla-Status", async () => {
    const read = await readBack(
      `${DATED}Status: RO\nX-Status: AF\n\n${DATED}X-Mozilla-Status: 1009\n\n${DATED}Subject: x\n\nStatus: R\n`,
    );
    expect(read.items.map((item) => (item.kind === "rfc5322" ? item.flags : null))).toEqual([
      ["seen", "replied", "flagged"],
      ["seen", "deleted", "forwarded"],
      [],
    ]);
  });

  it("keeps the beginning of a message above the limit, with a hash of all bytes", async () => {
    const read = await readBack(`${DATED}Subject: 1\n\n${"x".repeat(1000)}\n\n${DATED}Subject: 2\n\n`, 4096, 100);
    expect(read.items.map((item) => [item.kind, item.text.length])).toEqual([
      ["note", 0],
      ["rfc5322", 100],
      ["rfc5322", 11],
    ]);
  });

  it("reads messages larger than the window", async () => {
    const body = Buffer.from("0123456789abcdef\n".repeat(1_200_000));
    const head = Buffer.from(`${DATED}Subject: big\n\n`);
    const rest = Buffer.from(`\n${DATED}Subject: small\n\nx\n`);
    const read = await readBack(Buffer.concat([head, body, rest]));
    expect(read.items.map((item) => item.text.length)).toEqual([body.length + 14, 18]);
    expect(read.items[0]?.text.endsWith("0123456789abcdef\n")).toBe(true);
  });
});

/** Lines that make splitting difficult. */
const hardLine = fc.constantFrom(
  "",
  "",
  "text",
  "From here on",
  "From ann@site.example Mon Jan  1 00:00:00 2001",
  ">From x",
  ">>From y",
  "> From z",
  "From -",
  "Subject: inner",
  "Content-Length: 7",
  "Content-Length: 40",
  "x".repeat(200),
);
const hardMessage = fc
  .tuple(fc.integer({ min: 0, max: 99 }), fc.array(hardLine, { maxLength: 12 }))
  .map(
    ([id, lines]) =>
      `Message-ID: <${id}@site.example>\nSubject: s${id}\n\n${lines.map((line) => `${line}\n`).join("")}`,
  );

/** Writers of the dialects according to their specifications. */
const DIALECTS: Readonly<Record<string, (message: string) => string>> = {
  mboxo: (message) => `${DATED}${message.replace(/^From /gm, ">From ")}\n`,
  mboxrd: (message) => `${DATED}${message.replace(/^(>*From )/gm, ">$1")}\n`,
  mboxcl: (message) => withLength(message.replace(/^From /gm, ">From ")),
  mboxcl2: (message) => withLength(message),
};

function withLength(message: string): string {
  const body = message.indexOf("\n\n") + 2;
  return `${DATED}Content-Length: ${message.length - body}\n${message}\n`;
}

describe("laws", () => {
  it.each(Object.keys(DIALECTS))("%s: written messages are read back", async (dialect) => {
    await fc.assert(
      fc.asyncProperty(fc.array(hardMessage, { minLength: 1, maxLength: 8 }), async (generated) => {
        // A reader cannot distinguish the text ">>From " in an mboxo from mboxrd, so it is not part of the texts for
        // mboxo.
        const messages =
          dialect === "mboxo" ? generated.map((message) => message.replace(/^>+From .*\n/gm, "")) : generated;
        const read = await readBack(messages.map((message) => DIALECTS[dialect]!(message)).join(""));
        const withoutLength = texts(read).map((text) => text.replace(/^Content-Length: \d+\n/, ""));
        const unquoted = read.dialect === "mboxrd" ? messages : messages.map((message) => quotedAs(dialect, message));
        expect(withoutLength).toEqual(unquoted);
      }),
      { numRuns: 60 },
    );
  });

  it("every division returns the same messages", async () => {
    const piece = fc.oneof(
      hardMessage.chain((message) => fc.constantFrom(...Object.values(DIALECTS)).map((write) => write(message))),
      fc.array(hardLine, { maxLength: 5 }).map((lines) => lines.join("\n")),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { minLength: 1, maxLength: 20 }),
        fc.constantFrom("\n", "\r\n"),
        async (pieces, lineEnd) => {
          const content = `${DATED}Subject: first\n\n${pieces.join("")}`.replaceAll("\n", lineEnd);
          const whole = await readBack(content);
          for (const unitBytes of [1, 100, 1024]) {
            const cut = await readBack(content, unitBytes);
            expect(cut.items.map((item) => [item.location, item.text])).toEqual(
              whole.items.map((item) => [item.location, item.text]),
            );
            if (unitBytes === 1) expect(cut.units).toBe(whole.items.filter((item) => item.kind !== "note").length);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it("never throws on bytes that begin with a separator, and accounts for all of them", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 500 }), async (bytes) => {
        const content = Buffer.concat([Buffer.from(DATED), bytes]);
        const read = await readBack(content);
        expect(read.items.length).toBeGreaterThan(0);
      }),
      { numRuns: 50 },
    );
  });
});

/** Result of a reader that does not unquote. */
function quotedAs(dialect: string, message: string): string {
  if (dialect === "mboxrd") return message.replace(/^(>*From )/gm, ">$1");
  return dialect === "mboxcl2" ? message : message.replace(/^From /gm, ">From ");
}

const tika = realData("mime/tika/mail");
const mime4j = realData("mime/james-mime4j/mbox/test-1");

describe("mailboxes of other projects", () => {
  it.skipIf(tika === null)("Tika's variants", async () => {
    const counts: Record<string, number> = {};
    for (const name of readdirSync(tika!).filter((file) => file.endsWith(".mbox"))) {
      counts[name] = (await readBack(readFileSync(join(tika!, name)))).items.length;
    }
    expect(counts).toEqual({
      "complex.mbox": 3,
      "headers.mbox": 1,
      "multiline.mbox": 1,
      "multiline2.mbox": 1,
      "quoted.mbox": 1,
      "simple.mbox": 2,
      "single_mail.mbox": 1,
      "testMBOX_complex.mbox": 1,
      "testMBOX_lengthy_x-headers.mbox": 1,
    });
  });

  it.skipIf(mime4j === null)("mime4j's five messages", async () => {
    const read = await readBack(readFileSync(join(mime4j!, "mbox.rlug")));
    const expected = [0, 1, 2, 3, 4].map((index) =>
      readFileSync(join(mime4j!, `mbox.rlug-${index}`), "latin1").trimEnd(),
    );
    expect(texts(read).map((text) => text.trimEnd())).toEqual(expected);
  });
});

it("reads mailboxes in directories of Thunderbird and KMail as nested", () => {
  expect(mailboxOfFile("/mail/Local Folders/Inbox.sbd/Plans.sbd/2003")).toBe("Inbox/Plans/2003");
  expect(mailboxOfFile("/mail/.inbox.directory/.plans.directory/kites")).toBe("inbox/plans/kites");
  expect(mailboxOfFile("/mail/2020/Invoices.mbox")).toBe("Invoices");
});

it("reads the folders of a mailbox from the manifest of an export", () => {
  const exported = mkdtempSync(join(tmpdir(), "exported-"));
  try {
    const rows = ["2020/Invoices.mbox,msg-000001", "2021/Invoices.mbox,msg-000002"];
    writeFileSync(join(exported, MANIFEST_NAME), [MANIFEST_COLUMNS.join(","), ...rows, ""].join("\r\n"));
    const mailboxes = ["2020", "2021", "2022"].map((year) => mailboxOfFile(join(exported, year, "Invoices.mbox")));
    expect(mailboxes).toEqual(["2020/Invoices", "2021/Invoices", "Invoices"]);
  } finally {
    rmSync(exported, { recursive: true });
  }
});

it("names the mailbox of a Google group by its address", () => {
  expect(mailboxOfFile("/takeout/Groups/mill@groups.example/topics.mbox")).toBe("mill@groups.example");
  expect(mailboxOfFile("/takeout/Groups/topics.mbox")).toBe("topics");
});
