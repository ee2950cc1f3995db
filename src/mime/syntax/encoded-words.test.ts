import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeHeaderText } from "./encoded-words.ts";

const decode = (text: string): string => decodeHeaderText(Buffer.from(text).toString("latin1"));

describe("decodeHeaderText", () => {
  it.each([
    ["plain text", "plain text"],
    ["=?iso-8859-1?q?caf=E9?=", "café"],
    ["=?UTF-8*EN?B?w7w=?= and text", "ü and text"],
    ["=?utf-8?B?w7w?=", "ü"],
    ["=?a?Q?x?= =?utf-8?Q?y?=", "xy"],
    ["a =?utf-8?Q?b?= c", "a b c"],
    ["=?utf-8?Q?=C3?=\t=?utf-8?Q?=BC?=", "ü"],
    ["=?utf-8?B?w7?= =?utf-8?B?w=?=", "ü"],
    ["=?utf-8?B?TcO8aA?= =?utf-8?B?bGUh?=", "Mühle!"],
    ["=?utf-8?Q?a_b c?=", "a b c"],
    ["=?utf-8?Q?What?_Really?=", "What? Really"],
    ["=?utf-8?Q??=x", "x"],
    ["=?utf-8?Q?cut=20off", "cut off"],
    ["=?utf-8?X?no?=", "=?utf-8?X?no?="],
    ["=?utf-8? no", "=?utf-8? no"],
    ["=?utf-8?Q?open =?utf-8?Q?b?=", "=?utf-8?Q?open b"],
    ["raw ü", "raw ü"],
    ["=?gb2312?B?1tDOxA==?=", "中文"],
    ["=?utf-8?Q?a=0D=0Ab=0A?= c", "a b  c"],
    ["=?utf-8?Q?a=00b?=", "ab"],
  ])("reads %j", (text, expected) => {
    expect(decode(text)).toBe(expected);
  });

  it("reads raw windows-1252", () => {
    expect(decodeHeaderText("caf\xe9 \x93x\x94")).toBe("café “x”");
  });

  it("decodes words divided between any bytes", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 10 }),
        (text, size) => {
          const bytes = Buffer.from(text);
          const words: string[] = [];
          for (let at = 0; at < bytes.length; at += size)
            words.push(`=?utf-8?B?${bytes.subarray(at, at + size).toString("base64")}?=`);
          // A NUL and a leading byte order mark are dropped by design.
          expect(decodeHeaderText(words.join(" "))).toBe(text.replaceAll("\0", "").replace(/^\uFEFF/, ""));
        },
      ),
    );
  });
});
