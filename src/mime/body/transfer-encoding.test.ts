import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeBase64, decodeTransfer, transferEncoding } from "./transfer-encoding.ts";

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");

describe("transferEncoding", () => {
  it.each([
    ["", "identity"],
    ["7-Bit", "identity"],
    ["8bits", "identity"],
    ["BASE64", "base64"],
    ["quoted-printable;", "quoted-printable"],
    ['"base64" (really)', "base64"],
    ["Base 64", "base64"],
    ["base64 some text", "base64"],
    ["quoted/printable", "quoted-printable"],
    ["quoted printable", "quoted-printable"],
    ["X-BASE64", "base64"],
    ["X-UUENCODE", "uuencode"],
    ["text/html", null],
    ["constructor", null],
  ])("reads %j", (field, encoding) => {
    expect(transferEncoding(field)).toBe(encoding);
  });
});

describe("decodeBase64", () => {
  it.each([
    ["SGVsbG8=", "Hello"],
    ["SGVs\r\nbG8=\r\n", "Hello"],
    ["SGVsbG8", "Hello"],
    ["SGVsbG8=V29ybGQ=", "HelloWorld"],
    ["SGVsbG8=\r\n\r\n_____\r\nlist footer = text", "Hello"],
    ["SGVs*bG8=", "Hello"],
    ["SGVsbG8h-\r\nV2/y", "Hello!Wo\xf2"],
    ["7_-4", "\xef\xff\xb8"],
    ["7_-4\r\n--", "\xef"],
    ["====", ""],
    ["", ""],
  ])("reads %j", (text, expected) => {
    expect(decodeBase64(latin1(text)).toString("latin1")).toBe(expected);
  });

  it("decodes pieces that were encoded separately", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 5 }), (pieces) => {
        const text = pieces.map((piece) => Buffer.from(piece).toString("base64")).join("\r\n");
        expect(decodeBase64(latin1(text)).equals(Buffer.concat(pieces))).toBe(true);
      }),
    );
  });
});

describe("quoted-printable", () => {
  it.each([
    ["a=3Db", "a=b"],
    ["caf=c3=A9", "caf\xc3\xa9"],
    ["one=\r\ntwo", "onetwo"],
    ["one=  \r\ntwo", "onetwo"],
    ["one=\ntwo", "onetwo"],
    ["end=", "end"],
    ["1 = 2 =zz", "1 = 2 =zz"],
    ["a  \r\nb=20\r\n", "a\r\nb \r\n"],
    ["a\r\n\r\nb=3D", "a\r\n\r\nb="],
  ])("reads %j", (text, expected) => {
    expect(decodeTransfer(latin1(text), "quoted-printable").toString("latin1")).toBe(expected);
  });

  it("reads back any bytes", () => {
    const encode = (bytes: Uint8Array): string =>
      [...bytes].map((byte) => `=${byte.toString(16).padStart(2, "0")}`).join("=\r\n");
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        expect(decodeTransfer(latin1(encode(bytes)), "quoted-printable").equals(bytes)).toBe(true);
      }),
    );
  });

  it("decodes any number of padded pieces", () => {
    expect(decodeTransfer(Buffer.from("Cg==".repeat(300_000)), "base64").equals(Buffer.alloc(300_000, 10))).toBe(true);
  });
});
