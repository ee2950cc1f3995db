import { crc32 } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bufferOf, EMPTY_RANGE, fullRange } from "./byte-range.ts";
import { ByteReader } from "./byte-reader.ts";
import { mapiCrc } from "./crc.ts";
import { fixedSizeOf, MULTIPLE, TYPE } from "./property-bytes.ts";
import { ansiOfInternetCodePage, detectCodePage } from "./text-code-page.ts";

describe("ByteReader", () => {
  it("reads one field after the other", () => {
    const reader = new ByteReader(Buffer.from("ff 0102 01020304 ffffffff 0a0b 0c".replaceAll(" ", ""), "hex"));
    expect([reader.uint8(), reader.uint16(), reader.uint32(), reader.int32()]).toEqual([255, 0x0201, 0x04030201, -1]);
    expect(reader.view(2).toString("hex")).toBe("0a0b");
    expect([reader.left, reader.isCut]).toEqual([1, false]);
  });

  it("returns zeros beyond the end, and reports that", () => {
    const reader = new ByteReader(Buffer.from([1, 2, 3]), 1);
    reader.skip(1);
    expect([reader.uint16(), reader.isCut, reader.left]).toEqual([0, true, 1]);
    expect([reader.view(2).length, reader.view(-1).length, reader.uint8()]).toEqual([0, 0, 3]);
  });
});

describe("a range", () => {
  it("returns bytes and numbers of a part of a buffer", () => {
    const range = fullRange(Buffer.from("aabbccdd", "hex").subarray(1));
    expect(range.data.getUint16(0, true)).toBe(0xccbb);
    expect(bufferOf({ ...range, start: 1 }).toString("hex")).toBe("ccdd");
    expect(bufferOf(EMPTY_RANGE)).toHaveLength(0);
  });
});

describe("mapiCrc", () => {
  it("is the polynomial of zlib without its inversions", () => {
    const bitwise = (bytes: Uint8Array): number => {
      let crc = 0;
      for (const byte of bytes) {
        crc ^= byte;
        for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
      }
      return crc >>> 0;
    };
    fc.assert(fc.property(fc.uint8Array(), (bytes) => mapiCrc(bytes) === bitwise(bytes)));
    expect(mapiCrc(Buffer.from("123456789"))).not.toBe(crc32(Buffer.from("123456789")));
  });
});

describe("fixedSizeOf", () => {
  it.each([
    [TYPE.boolean, 1],
    [TYPE.integer16, 2],
    [TYPE.integer32, 4],
    [TYPE.time, 8],
    [TYPE.guid, 16],
    [TYPE.string, null],
    [TYPE.binary, null],
    [TYPE.integer32 | MULTIPLE, null],
    [0xffff, null],
  ])("of type %i is %s bytes", (type, bytes) => {
    expect(fixedSizeOf(type)).toBe(bytes);
  });
});

describe("code pages of 8-bit texts", () => {
  it.each([
    [50220, 932],
    [51949, 949],
    [54936, 936],
    [950, 950],
    [20866, 1251],
    [28598, 1255],
    [28591, null],
    [65001, null],
    [null, null],
  ])("of mail sent in %s are %s", (sent, ansi) => {
    expect(ansiOfInternetCodePage(sent)).toBe(ansi);
  });

  it("are Shift-JIS if they contain runs of two-byte characters", () => {
    expect(detectCodePage(Buffer.from("93fa967b8cea", "hex"))).toBe(932);
    // The half-width katakana between them have one byte.
    expect(detectCodePage(Buffer.from("93fab1967b", "hex"))).toBe(932);
  });

  it.each([
    ["ASCII", Buffer.from("plain")],
    ["quotes of windows-1252", Buffer.from("it\x92s \x93so\x94", "latin1")],
    ["letters of windows-1252", Buffer.from("Gr\xfc\xdfe", "latin1")],
    ["a lead byte at the end", Buffer.from("93fa967b93", "hex")],
    ["a byte that Shift-JIS does not have", Buffer.from("93fa967bff40", "hex")],
  ])("are not detected by %s", (_, bytes) => {
    expect(detectCodePage(bytes)).toBeNull();
  });
});
