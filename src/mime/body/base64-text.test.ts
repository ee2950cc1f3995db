import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isBase64Text } from "./base64-text.ts";
import { decodeBase64 } from "./transfer-encoding.ts";

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");
const encoded = (text: string): string => Buffer.from(text).toString("base64");
const LETTER = "The mooring line of berth two is worn, and nobody has bought a new one.\nAnn\n";

describe("text labeled base64", () => {
  it.each([
    ["of one line", encoded(LETTER), "utf-8"],
    ["of a word", encoded("Hi"), "utf-8"],
    ["of nothing", "", null],
    ["of letters of another charset than it says", latin1("na\xefve caf\xe9").toString("base64"), "us-ascii"],
    ["of UTF-16", Buffer.from(LETTER, "utf16le").toString("base64"), "utf-16le"],
    [
      "of UTF-16 that nobody names",
      Buffer.from(LETTER, "utf16le").toString("base64").replaceAll(/.{76}/g, "$&\r\n"),
      null,
    ],
    ["of UTF-16 with a mark", Buffer.from("\ufeffGate", "utf16le").toString("base64"), null],
    ["with a sign in it", encoded("Hello World").replace("V", "!V"), "utf-8"],
    ["with signs in every line", encoded(LETTER).replaceAll(/.{30}/g, "$&*\r\n"), "utf-8"],
    ["with marks of a quotation", encoded(LETTER).replaceAll(/.{40}/g, "\n> $&"), "utf-8"],
    ["in groups of four", encoded(LETTER).replaceAll(/.{4}/g, "$& "), null],
    ["with blanks", encoded(LETTER).replaceAll(/.{20}/g, "$& "), null],
    ["with bytes of no charset", encoded(LETTER).replaceAll(/.{20}/g, "$&\xff"), "utf-8"],
    ["of the URL alphabet", Buffer.from("a?>b?>c?>").toString("base64url"), "utf-8"],
    [
      "before a footer",
      `${encoded(LETTER.slice(0, 30))}\n\n_____\nYou get this list as ann@quay.example. Write to it to leave.`,
      "utf-8",
    ],
    ["with control characters", encoded("one\u0000two"), null],
    ["before a word", `${encoded("the line is worn\n")} ignored`, "utf-8"],
    ["cut off", encoded(LETTER).slice(0, 50), "utf-8"],
  ])("is base64 %s", (_, text, charset) => {
    expect(isBase64Text(latin1(text), charset)).toBe(true);
  });

  it.each([
    ["a sentence", "This is no base64, is it?", null],
    ["a greeting", "Hello\r\n\r\nthe line is worn.\r\n", "utf-8"],
    ["a word", "Hello", null],
    ["words in lines", "alpha\nbravo\ncharlie\ndelta\necho\nfoxtrot\ngolf\nhotel\nindia\njuliett\nkilo\nlima\n", null],
    ["a long word first", "Internationalization is done, and all of it works well in our tests.\n", "utf-8"],
    ["HTML", "<html><body><p>The line is worn.</p></body></html>", "utf-8"],
    ["text without blanks", Buffer.from("これは本文です。よろしくお願いします。").toString("latin1"), "utf-8"],
    ["some garbage", "?garbage", "UTF8"],
    ["an address", "https://quay.example/berths/two/lines", "utf-8"],
  ])("is not decoded: %s", (_, text, charset) => {
    expect(isBase64Text(latin1(text), charset)).toBe(false);
  });

  it("is decoded with any content, line length and extra characters", () => {
    const sign = fc.constantFrom("!", "*", ">", "\xa0", "?");
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", minLength: 1 }),
        fc.integer({ min: 30, max: 76 }),
        sign,
        (text, width, noise) => {
          const printable = text.replaceAll(/\p{Cc}/gu, "");
          const lines = encoded(printable).match(new RegExp(`.{1,${width}}`, "g")) ?? [];
          const body = latin1(lines.join(`${noise}\r\n`));
          expect(isBase64Text(body, "utf-8")).toBe(true);
          expect(decodeBase64(body).toString()).toBe(printable);
        },
      ),
    );
  });
});
