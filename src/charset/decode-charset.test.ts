import fc from "fast-check";
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { charsetDecoding } from "./charset-labels.ts";
import { codePageLabel, decodeCharset } from "./decode-charset.ts";

const bytesOf = (...values: readonly number[]): Buffer => Buffer.from(values);

describe("decodeCharset", () => {
  it.each([
    ["smart quotes of windows-1252", bytesOf(0x93, 0x61, 0x94, 0x80), "windows-1252", "“a”€"],
    ["the same bytes under iso-8859-1", bytesOf(0x92), "ISO-8859-1", "’"],
    ["a byte windows-1252 leaves open", bytesOf(0x81), "windows-1252", "\uFFFD"],
    ["iso-8859-9", bytesOf(0xfd, 0x80), "iso-8859-9", "ı€"],
    ["iso-8859-16", bytesOf(0xaa), "iso-8859-16", "Ș"],
    ["utf-8", Buffer.from("grün"), "utf-8", "grün"],
    ["utf8mb4", Buffer.from("😀"), "utf8mb4", "😀"],
    ["us-ascii over utf-8", Buffer.from("ü"), "us-ascii", "ü"],
    ["unknown-8bit over utf-8", Buffer.from("ü"), "unknown-8bit", "ü"],
    ["a label nobody knows over latin1", bytesOf(0xfc), "x-no-such-thing", "ü"],
    ["no label, latin1", bytesOf(0x46, 0x72, 0xf6), null, "Frö"],
    ["utf-8 label over latin1", bytesOf(0x46, 0x72, 0xf6), "utf-8", "Frö"],
    ["utf-8 cut in a character", Buffer.concat([Buffer.from("üöä"), bytesOf(0xc3)]), "utf-8", "üöä\uFFFD"],
    ["utf-8 byte order mark", Buffer.from("\uFEFFhi"), "iso-2022-xx", "hi"],
    ["utf-16 with mark", Buffer.from("\uFEFFhi", "utf16le"), "utf-16", "hi"],
    ["utf-16 without label", Buffer.from("hello there", "utf16le"), null, "hello there"],
    ["utf-16be", bytesOf(0, 0x68, 0, 0x69), "utf-16be", "hi"],
    ["utf-16 label over ascii", Buffer.from("plain"), "utf-16", "plain"],
    ["utf-7", Buffer.from("Hi Mom -+Jjo--!"), "utf-7", "Hi Mom -☺-!"],
    ["utf-7 alias", Buffer.from("f+APY-r 1 +- 1"), "unicode-1-1-utf-7", "för 1 + 1"],
    ["iso-2022-jp", bytesOf(0x1b, 0x24, 0x42, 0x46, 0x7c, 0x1b, 0x28, 0x42), "iso-2022-jp", "日"],
    ["iso-2022-jp, joined words", Buffer.from("\x1b$BF|\x1b(B\x1b$BF|\x1b(B"), "iso-2022-jp", "日日"],
    ["iso-2022-jp without label", bytesOf(0x1b, 0x24, 0x42, 0x46, 0x7c, 0x1b, 0x28, 0x42), null, "日"],
    ["iso-2022-jp label over utf-8", Buffer.from("ほげ"), "iso-2022-jp", "ほげ"],
    ["iso-2022-jp label over shift_jis", bytesOf(0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea), "iso-2022-jp", "日本語"],
    ["iso-2022-kr label over utf-8", Buffer.from("가"), "iso-2022-kr", "가"],
    ["eucJP-ms", bytesOf(0xc6, 0xfc), "eucJP-ms", "日"],
    ["iso-2022-kr", Buffer.from("\x1b$)C\x0e0!\x0f!"), "iso-2022-kr", "가!"],
    ["hz", Buffer.from("~{VPND~} ~~ ok"), "hz-gb-2312", "中文 ~ ok"],
    ["ibm850", bytesOf(0x81), "ibm850", "ü"],
    ["cp437", bytesOf(0x9b), "cp437", "¢"],
    ["shift_jis with NEC characters", bytesOf(0x87, 0x40), "Shift_JIS", "①"],
    ["koi8-r", bytesOf(0xf0, 0xd2), "KOI8-R", "Пр"],
    ["ecma-cyrillic", bytesOf(0xf0, 0xd2), "ISO-IR-111", "Пр"],
    ["gb2312 label over gbk", iconv.encode("镕", "gbk"), "gb2312", "镕"],
    ["ks_c_5601-1987", iconv.encode("안녕", "cp949"), "ks_c_5601-1987", "안녕"],
    ["Korean syllables outside of KS X 1001", iconv.encode("똠방각하 뷁", "cp949"), "euc-kr", "똠방각하 뷁"],
    ["Big5 with characters of Hong Kong", iconv.encode("嘅啫喺佢哋", "big5hkscs"), "big5", "嘅啫喺佢哋"],
    ["iso-8859-1 label over utf-8", Buffer.from("Grüße"), "iso-8859-1", "Grüße"],
    ["iso-8859-1 label over one possible utf-8 character", bytesOf(0xc3, 0x92), "iso-8859-1", "Ã’"],
    ["a Central European Macintosh", iconv.encode("Příliš", "maccenteuro"), "x-mac-ce", "Příliš"],
    ["a Greek Macintosh", iconv.encode("Καλημέρα", "macgreek"), "x-mac-greek", "Καλημέρα"],
    ["a Turkish Macintosh", iconv.encode("İğ", "macturkish"), "x-mac-turkish", "İğ"],
    ["Kazakh", iconv.encode("Қазақ", "pt154"), "PTCP154", "Қазақ"],
    ["a name of X11", iconv.encode("สวัสดี", "tis620"), "tis620.2533-1", "สวัสดี"],
    ["EBCDIC of the US", Buffer.from("c799dc59856b40baa7bb40f54a5a25", "hex"), "ibm037", "Grüße, [x] 5¢!\n"],
    ["EBCDIC of several countries", Buffer.from("c799dc59856b404aa75a40f5b04f15", "hex"), "CP500", "Grüße, [x] 5¢!\n"],
    ["EBCDIC of Unix on mainframes", Buffer.from("ada7bd5f", "hex"), "IBM-1047", "[x]^"],
    ["EBCDIC with the euro sign", Buffer.from("f59f4f", "hex"), "IBM01148", "5€!"],
    ["an EBCDIC label over ASCII", Buffer.from("Text"), "ibm037", "Text"],
    ["Johab", Buffer.from("8861d3bd20f7d3f1ae2088418461844420d96a208874", "hex"), "johab", "가힣 漢字 ㄱㅏㄳ ★ 값"],
    ["Johab syllables outside of KS X 1001", Buffer.from("99b1a4778862d061", "hex"), "ks_c_5601-1992", "똠방각하"],
    ["damaged Johab", Buffer.from("8861884088", "hex"), "johab", "가\ufffd@\ufffd"],
    ["quoted label", Buffer.from("ü"), '"UTF-8"', "ü"],
    ["base64 is no charset", Buffer.from("aGk="), "base64", "aGk="],
    ["NUL is dropped", bytesOf(0x61, 0, 0x62), "us-ascii", "ab"],
  ])("reads %s", (_, bytes, label, text) => {
    expect(decodeCharset(bytes, label)).toBe(text);
  });

  it("accepts any Uint8Array", () => {
    expect(decodeCharset(new Uint8Array([0, 0x68, 0x69]).subarray(1), null)).toBe("hi");
  });

  it("returns well-formed text without NUL for any bytes and label", () => {
    const label = fc.constantFrom(
      null,
      "utf-8",
      "utf-7",
      "utf-16",
      "utf-16be",
      "iso-2022-kr",
      "hz",
      "iso-2022-jp",
      "gb18030",
      "big5",
      "cp437",
      "johab",
      "ibm500",
      "x",
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), label, (bytes, name) => {
        const text = decodeCharset(bytes, name);
        expect(text.isWellFormed() && !text.includes("\0")).toBe(true);
      }),
      { numRuns: 800 },
    );
  });

  it("decodes the output of iconv-lite", () => {
    const charset = fc.constantFrom("koi8-r", "windows-1251", "iso-8859-5", "ibm866");
    fc.assert(
      fc.property(fc.stringMatching(/^[а-яА-Я a-z]{0,30}$/), charset, (text, name) => {
        expect(decodeCharset(iconv.encode(text, name), name)).toBe(text);
      }),
    );
  });

  it("reads back UTF-7", () => {
    const encode = (text: string): Buffer => {
      const wide = Buffer.from(text, "utf16le").swap16();
      return Buffer.from(text === "" ? "" : `+${wide.toString("base64").replaceAll("=", "")}-`);
    };
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 20 }), (text) => {
        expect(decodeCharset(encode(text), "utf-7")).toBe(text.replaceAll("\0", ""));
      }),
    );
  });
});

describe("long texts", () => {
  it("are decoded in pieces with the same result as at once", () => {
    const count = 700_000;
    expect(
      decodeCharset(Buffer.from("\x93a\x94".repeat(count), "latin1"), "windows-1252") === "“a”".repeat(count),
    ).toBe(true);
    expect(decodeCharset(Buffer.from("a+Jjo-+-".repeat(100_000)), "utf-7") === "a☺+".repeat(100_000)).toBe(true);
    const words = Buffer.from('\x1b$B$"\x1b(B'.repeat(1_000), "latin1");
    expect(decodeCharset(words, "iso-2022-jp")).toBe("あ".repeat(1_000));
  });
});

describe("codePageLabel", () => {
  it.each([
    [932, "shift_jis"],
    [936, "gbk"],
    [949, "euc-kr"],
    [950, "big5"],
    [1250, "windows-1250"],
    [1258, "windows-1258"],
    [20127, "us-ascii"],
    [28591, "iso-8859-1"],
    [28605, "iso-8859-15"],
    [437, "ibm437"],
    [50220, "iso-2022-jp"],
    [51932, "euc-jp"],
    [65001, "utf-8"],
    [1200, "utf-16le"],
    [12000, "utf-32le"],
    [0, null],
    [99999, null],
  ])("names code page %d", (codePage, label) => {
    expect(codePageLabel(codePage)).toBe(label);
  });

  it("returns only labels that can be decoded", () => {
    for (let codePage = 0; codePage < 66_000; codePage++) {
      const label = codePageLabel(codePage);
      if (label !== null) expect(charsetDecoding(label, iconv.encodingExists), label).not.toBeNull();
    }
  });
});
