import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { patternBytes } from "../../test/pst-writer/sample-store.ts";
import { type CompoundStorage, openCompoundFile } from "./compound-file.ts";
import { storageFile, type WrittenStorage, writeCompoundFile } from "./compound-writer.ts";

/** Names and bytes of everything in a storage, as a tree. */
interface Contents {
  readonly [name: string]: string | Contents;
}

function contentsOf(storage: CompoundStorage): Contents {
  const streams = [...storage.streams].map(([name, stream]) => [name, stream.bytes().toString("hex")] as const);
  const storages = [...storage.storages].map(([name, inside]) => [name, contentsOf(inside)] as const);
  return Object.fromEntries([...streams, ...storages]);
}

function written(storage: WrittenStorage): Contents {
  const streams = [...storage.streams].map(([name, bytes]) => [name.toUpperCase(), bytes.toString("hex")] as const);
  const storages = [...storage.storages].map(([name, inside]) => [name.toUpperCase(), written(inside)] as const);
  return Object.fromEntries([...streams, ...storages]);
}

const names = fc.stringMatching(/^[a-z][a-z0-9_.#]{0,20}$/);
const streams = fc.dictionary(names, fc.integer({ min: 0, max: 9000 }), { maxKeys: 6 });

function storageOf(
  sizes: Readonly<Record<string, number>>,
  inside: readonly Readonly<Record<string, number>>[] = [],
): WrittenStorage {
  return {
    streams: new Map(Object.entries(sizes).map(([name, size], index) => [name, patternBytes(size, size + index)])),
    storages: new Map(inside.map((below, index) => [`storage-${index}`, storageOf(below)])),
  };
}

describe("openCompoundFile", () => {
  it("restores any tree of storages, in sectors of either size", () => {
    fc.assert(
      fc.property(
        streams,
        fc.array(streams, { maxLength: 4 }),
        fc.constantFrom(3 as const, 4 as const),
        (sizes, inside, version) => {
          const storage = storageOf(sizes, inside);
          const file = openCompoundFile(writeCompoundFile(storage, version));
          expect(file?.root === undefined ? null : contentsOf(file.root)).toEqual(written(storage));
          expect([...(file?.faults ?? ["not opened"])]).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("follows the list of table sectors beyond the header", () => {
    const storage = storageOf({ large: 9 << 20, small: 10 });
    const file = openCompoundFile(writeCompoundFile(storage))!;
    expect(file.root.streams.get("LARGE")!.bytes().equals(storage.streams.get("large")!)).toBe(true);
    expect([...file.faults]).toEqual([]);
  });

  it("returns null for other files", () => {
    expect(openCompoundFile(Buffer.from("From: a@b.example\n\nHello"))).toBeNull();
    expect(openCompoundFile(Buffer.from("d0cf11e0a1b11ae1", "hex"))).toBeNull();
    expect(openCompoundFile(Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(4096)]))).toBeNull();
  });

  it("stops in a directory with a cycle, and reports it", () => {
    const bytes = writeCompoundFile(storageOf({ one: 10, two: 20, three: 30 }));
    const directory = bytes.indexOf(Buffer.from("Root Entry", "utf16le"));
    for (const entry of [1, 2, 3]) for (const at of [68, 72, 76]) bytes.writeUInt32LE(1, directory + 128 * entry + at);
    const file = openCompoundFile(bytes)!;
    expect(file.root.streams.size).toBeLessThanOrEqual(3);
    expect([...file.faults]).toEqual(["the directory points to a missing entry, or twice to the same entry"]);
  });

  it("reads at most the bytes of the file if streams share sectors", () => {
    const bytes = writeCompoundFile(
      storageOf(Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`stream${index}`, 6000]))),
    );
    const directory = bytes.indexOf(Buffer.from("Root Entry", "utf16le"));
    for (let entry = 1; entry <= 50; entry++) {
      bytes.writeUInt32LE(0, directory + 128 * entry + 116);
      bytes.writeUInt32LE(0x7fff_ffff, directory + 128 * entry + 120);
    }
    const file = openCompoundFile(bytes)!;
    const read = [...file.root.streams.values()].reduce((sum, stream) => sum + stream.bytes().length, 0);
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThanOrEqual(bytes.length);
    expect(file.faults.size).toBe(1);
  });

  it("extracts a storage as a separate file, with names and classes", () => {
    const classId = Buffer.from("0609020000000000c000000000000046", "hex");
    const inside = { ...storageOf({ small: 10, Large: 9000 }, [{ deep: 3 }]), classId };
    const { root } = openCompoundFile(
      writeCompoundFile({ streams: new Map(), storages: new Map([["Object", inside]]) }),
    )!;
    const object = root.storages.get("OBJECT")!;
    const file = openCompoundFile(storageFile(object))!;
    expect([object.name, file.root.classId, [...file.root.streams.values()].map(({ name }) => name).sort()]).toEqual([
      "Object",
      classId,
      ["Large", "small"],
    ]);
    expect(contentsOf(file.root)).toEqual(written(inside));
  });
});
