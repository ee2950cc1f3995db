import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BINHEX } from "./binhex.ts";
import { separateEmbeddedFiles } from "./embedded-files.ts";
import { decodeBlock } from "./encoded-block.ts";
import { UUENCODE } from "./uuencode.ts";
import { YENC } from "./yenc.ts";

const uuencode = (bytes: Uint8Array): string => {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += 45) {
    const line = bytes.subarray(at, at + 45);
    const character = (value: number): string => String.fromCharCode(value === 0 ? 0x60 : value + 32);
    let text = character(line.length);
    for (let group = 0; group < line.length; group += 3) {
      const bits = (line[group]! << 16) | ((line[group + 1] ?? 0) << 8) | (line[group + 2] ?? 0);
      text += [18, 12, 6, 0].map((shift) => character((bits >> shift) & 63)).join("");
    }
    lines.push(text);
  }
  return `begin 644 some file.bin\n${lines.map((line) => `${line}\n`).join("")}\`\nend\n`;
};

const yencode = (bytes: Uint8Array): Buffer => {
  const encoded = [...bytes].flatMap((byte) => {
    const shifted = (byte + 42) & 0xff;
    return [0, 10, 13, 61].includes(shifted) ? [61, (shifted + 64) & 0xff] : [shifted];
  });
  return Buffer.concat([
    Buffer.from("=ybegin line=128 size=1 name=x y.bin\r\n"),
    Buffer.from(encoded),
    Buffer.from("\r\n=yend size=1\r\n"),
  ]);
};

const DIGITS = "!\"#$%&'()*+,-012345689@ABCDEFGHIJKLMNPQRSTUVXYZ[`abcdefhijklmpqr";

/** A file with an empty resource fork; repeats of three bytes and more are counted. */
const binhex = (name: string, data: Uint8Array): string => {
  const header = Buffer.alloc(1 + name.length + 21);
  header.write(`${String.fromCharCode(name.length)}${name}\0TEXTttxt`, "latin1");
  header.writeUInt32BE(data.length, name.length + 12);
  const packed: number[] = [];
  const plain = Buffer.concat([header, data, Buffer.alloc(2), Buffer.alloc(2)]);
  for (let at = 0; at < plain.length; ) {
    let end = at + 1;
    while (end < plain.length && plain[end] === plain[at] && end - at < 255) end++;
    packed.push(plain[at]!, ...(plain[at] === 0x90 ? [0] : []));
    if (end - at > 2) packed.push(0x90, end - at);
    else end = at + 1;
    at = end;
  }
  let digits = "";
  for (let at = 0; at < packed.length; at += 3) {
    const bits = (packed[at]! << 16) | ((packed[at + 1] ?? 0) << 8) | (packed[at + 2] ?? 0);
    digits += [18, 12, 6, 0].map((shift) => DIGITS[(bits >> shift) & 63]).join("");
  }
  const lines = `:${digits}:`.match(/.{1,64}/g)!.join("\r\n");
  return `(This file must be converted with BinHex 4.0)\r\n\r\n${lines}\r\n`;
};

describe("separateEmbeddedFiles", () => {
  it("extracts files in base64, and keeps the text around them", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const lines = (
          Buffer.from(bytes)
            .toString("base64")
            .match(/.{1,60}/g) ?? []
        )
          .map((line) => `${line}\n`)
          .join("");
        const { text, files } = separateEmbeddedFiles(
          Buffer.from(`before\nbegin-base64 644 some file.bin\n${lines}====\nafter`),
        );
        expect([text.toString(), files.length, files[0]!.filename]).toEqual(["before\nafter", 1, "some file.bin"]);
        expect([files[0]!.isClosed, files[0]!.bytes().equals(bytes)]).toEqual([true, true]);
      }),
    );
  });

  it("reads an encoded file name, and a base64 file without an end", () => {
    const { text, files } = separateEmbeddedFiles(Buffer.from("begin-base64-encoded 644 w7wudHh0\nQ2F0\n\nafter"));
    expect([text.toString(), files[0]!.filename, files[0]!.isClosed]).toEqual(["\nafter", "\xc3\xbc.txt", false]);
    expect(files[0]!.bytes().toString()).toBe("Cat");
  });

  it("extracts the data fork of BinHex files", () => {
    const runs = fc.array(fc.tuple(fc.constantFrom(0, 0x90, 65), fc.integer({ min: 1, max: 300 })), { maxLength: 4 });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), runs, (bytes, repeats) => {
        const data = Buffer.concat([bytes, ...repeats.map(([byte, count]) => Buffer.alloc(count, byte))]);
        const { text, files } = separateEmbeddedFiles(Buffer.from(`before\r\n${binhex("caf\x8e.doc", data)}after`));
        expect([text.toString(), files.map((file) => file.filename)]).toEqual(["before\r\nafter", ["caf\xc3\xa9.doc"]]);
        expect([files[0]!.isClosed, files[0]!.bytes().equals(data)]).toEqual([true, true]);
        expect(decodeBlock(Buffer.from(binhex("a", data)), BINHEX).equals(data)).toBe(true);
      }),
    );
  });

  it("extracts BinHex files whose lines end with CR", () => {
    const { text, files } = separateEmbeddedFiles(
      Buffer.from(`before\r${binhex("a", Buffer.from("Cat"))}`.replaceAll("\n", "")),
    );
    expect([text.toString(), files[0]?.bytes().toString()]).toEqual(["before\r", "Cat"]);
  });

  it("limits the repeats of a BinHex file to the length in its header", () => {
    const text = binhex("a", Buffer.alloc(4)).replace(/:\r\n$/, "!N[r!N[r:\r\n");
    expect(separateEmbeddedFiles(Buffer.from(text)).files[0]!.bytes()).toEqual(Buffer.alloc(4));
  });

  it("extracts uuencoded files, and keeps the text around them", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const { text, files } = separateEmbeddedFiles(Buffer.from(`before\n${uuencode(bytes)}after`));
        expect([text.toString(), files.length, files[0]!.filename]).toEqual(["before\nafter", 1, "some file.bin"]);
        expect(files[0]!.bytes().equals(bytes)).toBe(true);
        expect(decodeBlock(Buffer.from(uuencode(bytes)), UUENCODE).equals(bytes)).toBe(true);
      }),
    );
  });

  it("reads back yEnc files", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const { text, files } = separateEmbeddedFiles(
          Buffer.concat([Buffer.from("a\r\n"), yencode(bytes), Buffer.from("b")]),
        );
        expect([text.toString(), files[0]!.filename]).toEqual(["a\r\nb", "x y.bin"]);
        expect(files[0]!.bytes().equals(bytes)).toBe(true);
        expect(decodeBlock(yencode(bytes), YENC).equals(bytes)).toBe(true);
      }),
    );
  });

  it.each([
    "begin 644 with a joke\nthat is no file\nend\n",
    "we begin 644 things\n",
    "begin the day\nM\nend\n",
    "see =ybegin line=1 name=x\n",
    "begin-base64 644 x\nis the first line\n",
    "we begin-base64 644 x\nQ2F0\n====\n",
    "(This file must be converted with BinHex 4.0)\n\nsays: its first line\n",
    "(This file must be converted with BinHex 4.0)\n\n:short:\n",
  ])("ignores prose: %j", (text) => {
    expect(separateEmbeddedFiles(Buffer.from(text))).toEqual({ text: Buffer.from(text), files: [] });
  });

  it("notes a file without an end", () => {
    const { files } = separateEmbeddedFiles(Buffer.from("begin 644 a\n#0V%T\n"));
    expect(files.map((file) => [file.isClosed, file.bytes().toString()])).toEqual([[false, "Cat"]]);
  });
});
