import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildTar } from "../../../test/tar-file.ts";
import { buildZip, type ZipPart } from "../../../test/zip-file.ts";
import { inspectInput, unpackMail } from "./resolve-input.ts";

const NEVER = new AbortController().signal;
const message = (subject: string, text: string): string =>
  `From ann@mill.example Mon Jun  3 10:00:00 2024\nFrom: Ann <ann@mill.example>\nSubject: ${subject}\n\n${text}\n\n`;

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "resolving-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Puts a file into a directory, reads that directory, and returns the notes and the text of each source. */
async function unpack(name: string, bytes: Buffer) {
  const input = join(root, "in");
  mkdirSync(input);
  writeFileSync(join(input, name), bytes);
  const { packed } = inspectInput(input);
  const { places, notes } = await unpackMail(packed[0]!, join(root, "out"), NEVER);
  return {
    notes,
    names: places.map((place) => place.name.slice(input.length + 1)),
    paths: places.map(({ path }) => path),
  };
}

describe("a damaged packed file", () => {
  const text = message("one", randomBytes(90_000).toString("base64"));

  it("is read up to the damage, with a warning", async () => {
    const bytes = gzipSync(Buffer.from(text));
    const { paths, notes } = await unpack("box.mbox.gz", bytes.subarray(0, bytes.length / 2));
    const read = readFileSync(paths[0]!, "utf8");
    expect([text.startsWith(read), read.length > text.length / 3]).toEqual([true, true]);
    expect(notes).toMatchObject([{ code: "file-truncated", location: join(root, "in", "box.mbox.gz") }]);
  });

  it("of several files is read up to the damage", async () => {
    const tar = buildTar([
      { name: "mail/a.mbox", content: message("a", "whole") },
      { name: "mail/b.mbox", content: text },
    ]);
    const { names, notes } = await unpack("mail.tar", tar.subarray(0, 20_000));
    expect(names).toEqual(["mail.tar/mail/a.mbox", "mail.tar/mail/b.mbox"]);
    expect(notes).toMatchObject([{ code: "file-truncated" }]);
  });

  it.each([
    ["with sizes before the files", 0],
    ["with sizes after the files", 8],
  ])("that is a zip file without its directory is read file by file: %s", async (_, flags) => {
    const whole = [
      { name: "mail/", method: 0 },
      { name: "mail/a.mbox", content: message("a", "whole"), flags },
      { name: "mail/b.mbox", content: message("b", "PK\x03\x04 whole"), flags, method: 8 },
    ];
    const several = { name: "mail/c.mbox", content: message("c", "first") + text, flags, method: 8 };
    const cut = (last: ZipPart) => {
      const bytes = buildZip([...whole, last]);
      return bytes.subarray(0, bytes.length / 2);
    };
    const { names, paths, notes } = await unpack("mail.zip", cut(several));
    expect(names).toEqual(["a", "b", "c"].map((name) => `mail.zip/mail/${name}.mbox`));
    expect(readFileSync(paths[1]!, "utf8")).toBe(message("b", "PK\x03\x04 whole"));
    expect(several.content.startsWith(readFileSync(paths[2]!, "utf8"))).toBe(true);
    expect(notes).toMatchObject([
      { code: "file-truncated", message: expect.stringContaining("3 files were read, 1 are incomplete") },
    ]);
  });

  it("that is a zip file loses its incomplete messages", async () => {
    const mail = `Subject: x\n\n${randomBytes(20_000).toString("base64")}\n`;
    const parts = Array.from({ length: 5 }, (_, index) => ({ name: `mail/${index}.eml`, content: mail }));
    const bytes = buildZip(parts);
    bytes[bytes.indexOf("mail/1.eml") + 5_000]! ^= 1;
    const { paths, notes } = await unpack("mail.zip", bytes.subarray(0, bytes.indexOf("mail/3.eml") + 5_000));
    expect(readdirSync(paths[0]!).sort()).toEqual(["0.eml", "2.eml"]);
    expect(notes).toMatchObject([{ message: expect.stringContaining(": 2 files were read, 2 are incomplete") }]);
  });

  it.each([
    ["the wrong checksum", (part: ZipPart): ZipPart => ({ ...part, crc: 7 })],
    ["damaged data", (part: ZipPart): ZipPart => ({ ...part, packed: Buffer.from("no deflated data") })],
  ])("that is a zip file loses only a file with %s", async (_, damage) => {
    const parts = ["a", "b", "c"].map((name) => ({ name: `mail/${name}.eml`, content: "Subject: x\n\ntext\n" }));
    const { paths, notes } = await unpack("mail.zip", buildZip([parts[0]!, damage(parts[1]!), parts[2]!]));
    expect(readdirSync(paths[0]!).sort()).toEqual(["a.eml", "c.eml"]);
    expect(notes).toMatchObject([
      { code: "file-truncated", message: expect.stringMatching(/mail\/b\.eml" .*: 1 of 3 files are damaged/) },
    ]);
  });

  it("that is a zip file keeps a damaged mailbox of several messages", async () => {
    const damaged = message("a", "one") + message("b", "two");
    const whole = message("c", "three");
    const { paths, notes } = await unpack(
      "mail.zip",
      buildZip([
        { name: "a.mbox", content: damaged, crc: 7 },
        { name: "b.mbox", content: whole },
      ]),
    );
    expect(paths.map((path) => readFileSync(path, "utf8"))).toEqual([damaged, whole]);
    expect(notes).toHaveLength(1);
  });

  it("is reported if nothing in it is readable", async () => {
    const { notes, names } = await unpack("box.mbox.gz", gzipSync(Buffer.from("no mail at all")).subarray(0, -9));
    expect([names, notes]).toMatchObject([[], [{ code: "unreadable-file" }]]);
  });
});

it.each([
  ["little end first", "\ufeff", (text: string) => Buffer.from(text, "utf16le")],
  ["big end first", "\ufeff", (text: string) => Buffer.from(text, "utf16le").swap16()],
  ["little end first, without a mark", "", (text: string) => Buffer.from(text, "utf16le")],
  ["big end first, without a mark", "\r\n", (text: string) => Buffer.from(text, "utf16le").swap16()],
])("reads a mailbox that a Windows program saved as UTF-16, %s", async (_, lead, encode) => {
  const text = message("Grüße 🦆", "Mühle\n".repeat(60_000));
  const { paths, names } = await unpack("box.mbox", encode(lead + text));
  expect(names).toEqual(["box.mbox/box.mbox"]);
  expect(readFileSync(paths[0]!, "utf8").trimStart()).toBe(text);
});
