import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { inflateBlock } from "./inflate-block.ts";

const data = Buffer.from(Array.from({ length: 2000 }, (_, index) => `Line ${index * 7919} of the report.\n`).join(""));
const deflated = deflateSync(data);

describe("inflating a block", () => {
  it("returns a complete block", () => {
    const { bytes, isWhole } = inflateBlock(deflated, data.length);
    expect([bytes.equals(data), isWhole]).toEqual([true, true]);
  });

  it("returns a block with a damaged check value or header", () => {
    for (const at of [0, 1, deflated.length - 1]) {
      const damaged = Buffer.from(deflated);
      damaged[at] = damaged[at]! ^ 0x10;
      const { bytes, isWhole } = inflateBlock(damaged, data.length);
      expect([bytes.equals(data), isWhole], `byte ${at}`).toEqual([true, false]);
    }
  });

  it("returns the part before the fault of a damaged stream", () => {
    const half = deflated.length >> 1;
    const damaged = Buffer.from(deflated);
    damaged.fill(0xff, half);
    const { bytes, isWhole } = inflateBlock(damaged, data.length);
    expect(isWhole).toBe(false);
    expect(bytes.length).toBeGreaterThan(data.length / 3);
    const lengthAlike = bytes.findIndex((byte, at) => byte !== data[at]);
    expect(lengthAlike === -1 || lengthAlike > data.length / 3).toBe(true);
  });

  it("returns at most the requested bytes, and nothing for invalid streams", () => {
    expect(inflateBlock(deflated, 1000).bytes.length).toBeLessThanOrEqual(1000);
    expect(inflateBlock(Buffer.alloc(0), 100)).toEqual({ bytes: Buffer.alloc(0), isWhole: false });
    expect(inflateBlock(Buffer.alloc(300, 0xff), 100).isWhole).toBe(false);
  });
});
