import fc from "fast-check";
import { describe, expect, it } from "vitest";
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

describe("separateEmbeddedFiles", () => {
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
  ])("ignores prose: %j", (text) => {
    expect(separateEmbeddedFiles(Buffer.from(text))).toEqual({ text: Buffer.from(text), files: [] });
  });

  it("notes a file without an end", () => {
    const { files } = separateEmbeddedFiles(Buffer.from("begin 644 a\n#0V%T\n"));
    expect(files.map((file) => [file.isClosed, file.bytes().toString()])).toEqual([[false, "Cat"]]);
  });
});
