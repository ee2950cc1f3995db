import { describe, expect, it } from "vitest";
import { dataViewOf, fullRange } from "./byte-range.ts";
import { FILETIME_EPOCH_MS, instantOfFiletime, joinValues, NO_CONTEXT, Properties, splitValues } from "./properties.ts";
import { MULTIPLE, type PropertyBytes, TYPE } from "./property-bytes.ts";
import { PID } from "./property-ids.ts";

const ID = 0x3001;

/** An object with one property. */
function propertyOf(type: number, bytes: Buffer, id = ID): Properties {
  const source: PropertyBytes = {
    typeOf: (asked) => (asked === id ? type : null),
    rangeOf: (asked) => (asked === id ? fullRange(bytes) : null),
    ids: () => [id],
  };
  return new Properties(source, NO_CONTEXT);
}

const utf16 = (text: string): Buffer => Buffer.from(text, "utf16le");
const filetime = (instant: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(instant + FILETIME_EPOCH_MS) * 10_000n);
  return bytes;
};

describe("texts", () => {
  it("are Unicode, or of the code page of the object", () => {
    expect(propertyOf(TYPE.string, utf16("Grüße")).text(ID)).toBe("Grüße");
    const source = propertyOf(TYPE.string8, Buffer.from("cff0e8e2e5f2", "hex")).source;
    expect(new Properties(source, { ...NO_CONTEXT, charsets: ["windows-1251"] }).text(ID)).toBe("Привет");
  });

  it("lose trailing NULs and incomplete characters", () => {
    expect(propertyOf(TYPE.string, utf16("Ann\0\0")).text(ID)).toBe("Ann");
    expect(propertyOf(TYPE.string8, Buffer.from("Ann\0\0")).text(ID)).toBe("Ann");
    expect(propertyOf(TYPE.string, Buffer.concat([utf16("Ann"), Buffer.from([0x41])])).text(ID)).toBe("Ann");
  });

  it("are null if absent or of another type", () => {
    expect(propertyOf(TYPE.string, Buffer.alloc(0)).text(ID)).toBeNull();
    expect(propertyOf(TYPE.binary, utf16("Ann")).text(ID)).toBeNull();
    expect(propertyOf(TYPE.string, utf16("Ann")).text(ID + 1)).toBeNull();
  });

  it("are one or several in a property", () => {
    const values = joinValues([utf16("Red"), utf16(""), utf16("Blue")]);
    expect(propertyOf(TYPE.string | MULTIPLE, values).texts(ID)).toEqual(["Red", "", "Blue"]);
    expect(propertyOf(TYPE.string, utf16("Red")).texts(ID)).toEqual(["Red"]);
    expect(propertyOf(TYPE.integer32, Buffer.alloc(4)).texts(ID)).toEqual([]);
  });

  it("omit the prefix mark of subjects", () => {
    expect(propertyOf(TYPE.string, utf16("\u0001\u0005Re: Plan"), PID.subject).subject()).toBe("Re: Plan");
    expect(propertyOf(TYPE.string, utf16("Plan"), PID.subject).subject()).toBe("Plan");
    expect(propertyOf(TYPE.string, utf16("\u0001\u0001"), PID.subject).subject()).toBeNull();
  });
});

describe("numbers", () => {
  it.each([
    [TYPE.integer16, "feff", -2],
    [TYPE.integer32, "ffffff7f", 2 ** 31 - 1],
    [TYPE.integer64, "ffffffffffffffff", -1],
    [TYPE.integer64, "ffffffffffffff7f", null],
    [TYPE.integer32, "ffff", null],
    [TYPE.string, "01000000", null],
  ])("of type 0x%s", (type, hex, number) => {
    expect(propertyOf(type, Buffer.from(hex, "hex")).integer(ID)).toBe(number);
  });

  it("with a fraction", () => {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(0.25);
    expect(propertyOf(TYPE.floating64, bytes).float(ID)).toBe(0.25);
    expect(propertyOf(TYPE.floating64, bytes.subarray(1)).float(ID)).toBeNull();
  });

  it("of boolean properties", () => {
    expect(propertyOf(TYPE.boolean, Buffer.from([1, 0])).boolean(ID)).toBe(true);
    expect(propertyOf(TYPE.boolean, Buffer.from([0])).boolean(ID)).toBe(false);
    expect(propertyOf(TYPE.integer16, Buffer.from([1, 0])).boolean(ID)).toBeNull();
  });
});

describe("times", () => {
  it("are read from FILETIME", () => {
    const instant = Date.UTC(2001, 4, 14, 16, 39);
    expect(propertyOf(TYPE.time, filetime(instant)).time(ID)).toBe(instant);
    expect(propertyOf(TYPE.time, filetime(instant).subarray(1)).time(ID)).toBeNull();
  });

  it.each([
    ["0", Buffer.alloc(8)],
    ["Outlook's day without a date", filetime(Date.UTC(4501, 0, 1))],
    ["a year beyond 9999", Buffer.from("ffffffffffffff7f", "hex")],
  ])("are null for %s", (_, bytes) => {
    expect(instantOfFiletime(dataViewOf(bytes), 0)).toBeNull();
  });
});

it("returns bytes of binary properties and embedded objects", () => {
  expect(propertyOf(TYPE.binary, Buffer.from("ab")).binary(ID)?.toString()).toBe("ab");
  expect(propertyOf(TYPE.object, Buffer.from("ab")).binary(ID)?.toString()).toBe("ab");
  expect(propertyOf(TYPE.binary, Buffer.alloc(0)).binary(ID)).toBeNull();
  expect(propertyOf(TYPE.string, utf16("ab")).binary(ID)).toBeNull();
});

it("returns null for a name that the store never used, also if a property has id 0", () => {
  const properties = propertyOf(TYPE.string, utf16("Ann"), 0);
  const id = properties.named({ set: "", name: 1 });
  expect(properties.has(id)).toBe(false);
  expect(properties.text(id)).toBeNull();
});

describe("splitValues", () => {
  it("separates joined values, and returns complete ones of a damaged list", () => {
    const values = [Buffer.from("a"), Buffer.from("bc"), Buffer.alloc(0)];
    const joined = joinValues(values);
    expect(splitValues(joined)).toEqual(values);
    expect(splitValues(Buffer.alloc(3))).toEqual([]);
    joined.writeUInt32LE(0xffff_ffff, 8);
    expect(splitValues(joined).map(String)).toEqual([""]);
  });

  it("rejects counts above the number of bytes", () => {
    const bytes = Buffer.alloc(12);
    bytes.writeUInt32LE(0xffff_ffff, 0);
    bytes.writeUInt32LE(12, 4);
    bytes.writeUInt32LE(12, 8);
    expect(splitValues(bytes)).toHaveLength(2);
  });
});
