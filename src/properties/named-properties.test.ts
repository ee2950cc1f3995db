import { describe, expect, it } from "vitest";
import { fullRange } from "./byte-range.ts";
import { formatGuid, keyOf, PROPERTY_SET, readPropertyNames } from "./named-properties.ts";
import { type PropertyBytes, TYPE } from "./property-bytes.ts";

const GUID = Buffer.from("0820060000000000c000000000000046", "hex");

/** A name-to-id map: GUIDs; entries of number or offset, GUID and kind, and index; strings. */
function mapOf(guids: Buffer, entries: readonly (readonly [number, number, number])[], strings: Buffer): PropertyBytes {
  const bytes = Buffer.alloc(entries.length * 8);
  for (const [index, [value, guid, number]] of entries.entries()) {
    bytes.writeUInt32LE(value, index * 8);
    bytes.writeUInt16LE(guid, index * 8 + 4);
    bytes.writeUInt16LE(number, index * 8 + 6);
  }
  const streams = new Map([
    [2, guids],
    [3, bytes],
    [4, strings],
  ]);
  return {
    typeOf: (id) => (streams.has(id) ? TYPE.binary : null),
    rangeOf: (id) => (streams.has(id) ? fullRange(streams.get(id)!) : null),
    ids: () => streams.keys(),
  };
}

function stringOf(text: string): Buffer {
  const name = Buffer.from(text, "utf16le");
  const length = Buffer.alloc(4);
  length.writeUInt32LE(name.length);
  return Buffer.concat([length, name]);
}

describe("readPropertyNames", () => {
  it("finds ids by set and number, and by set and text", () => {
    // GUID numbers are shifted by one; the lowest bit is set if the name is a text.
    const names = readPropertyNames(
      mapOf(
        GUID,
        [
          [0x8501, 3 << 1, 0],
          [0, (2 << 1) | 1, 1],
          [0x10, 1 << 1, 2],
        ],
        stringOf("Keywords"),
      ),
    );
    expect(names.idOf({ set: PROPERTY_SET.common, name: 0x8501 })).toBe(0x8000);
    expect(names.idOf({ set: PROPERTY_SET.publicStrings, name: "Keywords" })).toBe(0x8001);
    expect(names.idOf({ set: PROPERTY_SET.mapi, name: 0x10 })).toBe(0x8002);
    expect(names.idOf({ set: PROPERTY_SET.common, name: "Keywords" })).toBeNull();
  });

  it("returns the readable part of a truncated map, and separates unknown sets", () => {
    const names = readPropertyNames(
      mapOf(
        Buffer.alloc(0),
        [
          [0x8501, 3 << 1, 0],
          [200, (2 << 1) | 1, 1],
        ],
        stringOf("Keywords"),
      ),
    );
    expect(names.idOf({ set: PROPERTY_SET.common, name: 0x8501 })).toBeNull();
    expect(names.idOf({ set: "unknown-3", name: 0x8501 })).toBe(0x8000);
  });

  it("finds no names without a map", () => {
    const names = readPropertyNames({ typeOf: () => null, rangeOf: () => null, ids: () => [] });
    const name = { set: PROPERTY_SET.task, name: 1 };
    expect([names.idOf(name), names.idOf(name)]).toEqual([null, null]);
  });
});

it("distinguishes numbers from texts, and ignores the case of texts", () => {
  const set = PROPERTY_SET.internetHeaders;
  expect(keyOf({ set, name: "X-Loop" })).toBe(keyOf({ set, name: "x-loop" }));
  expect(keyOf({ set, name: 7 })).not.toBe(keyOf({ set, name: "7" }));
});

it("writes GUIDs as people read them", () => {
  expect(formatGuid(GUID)).toBe(PROPERTY_SET.common);
});
