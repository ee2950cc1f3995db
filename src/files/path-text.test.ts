import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  compareBytewise,
  compareNames,
  decodePath,
  encodePath,
  pathBytes,
  sortedByName,
  writableName,
} from "./path-text.ts";

describe("file names as text", () => {
  it.each([
    ["plain", Buffer.from("a b.eml"), "a b.eml"],
    ["UTF-8", Buffer.from("Grüße 日本 😀"), "Grüße 日本 😀"],
    ["Latin-1", Buffer.from("caf\xe9.eml", "latin1"), "caf\ufffde9.eml"],
    ["a real U+FFFD", Buffer.from("x\ufffdy"), "x\ufffdef\ufffdbf\ufffdbdy"],
    ["cut sequence", Buffer.of(0x61, 0xe2, 0x82), "a\ufffde2\ufffd82"],
    ["UTF-8 surrogate", Buffer.of(0xed, 0xa0, 0x80), "\ufffded\ufffda0\ufffd80"],
    ["valid beside invalid", Buffer.of(0xff, 0xc3, 0xa9), "\ufffdffé"],
  ])("%s", (_, bytes, text) => {
    expect(decodePath(bytes)).toBe(text);
    expect(pathBytes(text)).toEqual(bytes);
  });

  it("leads back to any bytes, by way of valid Unicode", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20 }), (name) => {
        const text = decodePath(Buffer.from(name));
        expect(text.isWellFormed()).toBe(true);
        expect(Uint8Array.from(pathBytes(text))).toEqual(name);
      }),
    );
  });

  it("keeps file names that are valid text", () => {
    expect(encodePath("a/b.eml")).toBe("a/b.eml");
  });
});

it("a written name is read back unchanged", () => {
  expect(writableName("caf\ufffde9.mbox")).toBe("caf_.mbox");
  expect(writableName("a\ufffd b")).toBe("a\ufffd b");
});

describe("order of names", () => {
  it("counts numbers and compares the rest by bytes", () => {
    const names = ["b", "10.", "1a", "2.", "a", "1.", "é", "10.eml", "2", "Z", "123.456", "\uffee", "😀"];
    expect([...names].sort(compareNames)).toEqual([
      "1.",
      "2",
      "2.",
      "10.",
      "10.eml",
      "123.456",
      "1a",
      "Z",
      "a",
      "b",
      "é",
      "\uffee",
      "😀",
    ]);
  });

  it("is the same for directory entries", () => {
    const name = fc.oneof(fc.nat(20).map(String), fc.constantFrom("a", "10.eml", "1.", "é", "😀"), fc.string());
    fc.assert(
      fc.property(fc.array(name), (names) => {
        const sorted = sortedByName(names.map((name) => ({ name })));
        expect(sorted.map((entry) => entry.name)).toEqual(names.toSorted(compareNames));
      }),
    );
  });

  it("is the order of UTF-8 bytes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (left, right) => {
        expect(Math.sign(compareBytewise(left, right))).toBe(Buffer.compare(Buffer.from(left), Buffer.from(right)));
      }),
    );
  });

  it("is a total order", () => {
    const name = fc.oneof(
      fc.constantFrom("1", "1.", "01.", "2.", "10.", "1a", "a", "9.eml"),
      fc.string({ maxLength: 3 }),
    );
    fc.assert(
      fc.property(name, name, name, (a, b, c) => {
        expect(Math.sign(compareNames(a, b))).toBe(-Math.sign(compareNames(b, a)) + 0);
        if (compareNames(a, b) < 0 && compareNames(b, c) < 0) expect(compareNames(a, c)).toBeLessThan(0);
        expect(compareNames(a, b) === 0).toBe(a === b);
      }),
    );
  });
});
