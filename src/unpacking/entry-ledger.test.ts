import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { archiveOfName, unpackedName } from "./archive-format.ts";
import { ByteRanges } from "./byte-ranges.ts";
import { EntryLedger } from "./entry-ledger.ts";
import { tarEntryName, zipEntryName } from "./entry-name.ts";
import { displayName, entryPath } from "./entry-path.ts";
import { PathSet } from "./path-set.ts";

const LIMITS = { maxEntries: 5, maxExpandedBytes: 1_000, ratioFromBytes: 100, maxRatio: 10 };

describe("EntryLedger", () => {
  it("counts files, directories on the way to them, and archives in the archive", () => {
    const ledger = new EntryLedger(LIMITS, 1_000);
    ledger.admit("a/b/one.eml", "file", 10);
    ledger.admit("a/b/inner.zip", "file", 20);
    ledger.admit("a", "directory", 0);
    expect([ledger.entries, ledger.files, ledger.nestedArchives, ledger.declaredBytes]).toEqual([4, 2, 1, 30]);
    expect([ledger.fileBytes("a/b/inner.zip"), ledger.fileBytes("a"), ledger.fileBytes("c")]).toEqual([20, null, null]);
  });

  it.each([
    ["occurs twice", ["a", "a"]],
    ["is both a file and a directory", ["a", "a/b"]],
    ["is both a file and a directory", ["a/b", "a"]],
  ])("rejects %s", (reason, paths) => {
    const ledger = new EntryLedger(LIMITS, 1_000);
    expect(() => {
      for (const path of paths) ledger.admit(path, "file", 0);
    }).toThrow(reason);
  });

  it("rejects entries and bytes above the limits", () => {
    const many = new EntryLedger(LIMITS, 1_000);
    for (const name of ["1", "2", "3", "4", "5"]) many.admit(name, "file", 0);
    expect(() => many.admit("6", "file", 0)).toThrow("more than 5 files");
    expect(() => new EntryLedger(LIMITS, 1_000).admit("a", "file", 1_001)).toThrow("larger than 1000 bytes");
    const bomb = new EntryLedger(LIMITS, 20);
    bomb.admit("a", "file", 100);
    bomb.expand(200);
    expect(() => bomb.expand(1)).toThrow("10 times as large when unpacked");
    expect(bomb.unpackedBytes).toBe(201);
  });
});

describe("entryPath", () => {
  it("is relative, without empty levels", () => {
    expect(["a/b.eml", "./a//b.eml", "a/./b.eml", "."].map(entryPath)).toEqual(["a/b.eml", "a/b.eml", "a/b.eml", ""]);
  });

  it.each(["", "a\0b", "a\\b", "/etc/passwd", "C:x", "../x", "a/../../x", "a/\uff0e\uff0e/b", "a/\u2025/b"])(
    "rejects `%s`",
    (name) => {
      expect(() => entryPath(name)).toThrow("archive rejected");
    },
  );

  it("rejects invalid names and paths", () => {
    expect(() => entryPath("x".repeat(256))).toThrow("longer than 255 bytes");
    expect(() => entryPath("d/".repeat(65))).toThrow("levels deep");
    expect(() => entryPath(`${"x".repeat(250)}/`.repeat(9))).toThrow("path longer than");
  });

  it("removes control characters from names", () => {
    expect(displayName(`a\u001b[1m\u202e${"x".repeat(100)}`)).toBe(`"a\ufffd[1m\ufffd${"x".repeat(74)}…"`);
  });
});

it("stores paths and their types", () => {
  const paths = new PathSet();
  expect([
    paths.add("a", "directory"),
    paths.add("b", "file", 7),
    paths.add("a", "file"),
    paths.add("b", "file"),
  ]).toEqual([null, null, "directory", "file"]);
  expect([paths.size, paths.bytesOf("b"), paths.bytesOf("a"), paths.bytesOf("c")]).toEqual([2, 7, null, null]);
});

it("detects overlapping ranges in any order", () => {
  const range = fc.tuple(fc.nat(40), fc.integer({ min: 1, max: 10 })).map(([start, length]) => [start, start + length]);
  fc.assert(
    fc.property(fc.array(range, { maxLength: 12 }), (added) => {
      const ranges = new ByteRanges();
      for (const [start, end] of added) ranges.add(start!, end!);
      const overlaps = added.some(([start, end], at) => added.slice(at + 1).some(([a, b]) => a! < end! && start! < b!));
      expect(ranges.overlap()).toBe(overlaps);
    }),
  );
});

describe("names", () => {
  it("of archives end in the extension of their format", () => {
    expect(["Mail.ZIP", "a.tar.gz", "b.tgz", "c.mbox.gz", "d.mbox"].map((name) => archiveOfName(name)?.format)).toEqual(
      ["zip", "tar.gz", "tar.gz", "gz", undefined],
    );
    expect(["Mail.zip", "..zip", "c.mbox.gz"].map(unpackedName)).toEqual(["Mail", "archive", "c.mbox"]);
  });

  it("of entries are UTF-8 if valid, or else in the packer's code page", () => {
    const german = Buffer.from("grüße.eml");
    expect(zipEntryName(german, [])).toBe("grüße.eml");
    expect(zipEntryName(Buffer.from([0x81, 0x2e, 0x65]), [])).toBe("ü.e");
    expect(tarEntryName(german.toString("latin1"))).toBe("grüße.eml");
    expect(tarEntryName("\xfc.eml")).toBe("ü.eml");
  });
});
