import fc from "fast-check";
import { expect, it } from "vitest";
import { BLOCK_ENCODINGS, cyclic, encodeBlock, encodingOfByte, ROTOR_I } from "./block-encoding.ts";

it("has a rotor that is a permutation", () => {
  expect(new Set(ROTOR_I).size).toBe(256);
});

it("decodes its own encoding", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(), (bytes, bid) => {
      const encoded = Buffer.from(bytes);
      encodeBlock(encoded, "permute", bid);
      expect([...encoded].map((byte) => ROTOR_I[byte])).toEqual([...bytes]);
    }),
  );
});

it("is its own inverse, and depends only on the lower half of the id", () => {
  const bids = fc.integer({ min: 0, max: 2 ** 40 });
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70_000, size: "max" }), bids, (bytes, bid) => {
      const encoded = Buffer.from(bytes);
      encodeBlock(encoded, "cyclic", bid);
      cyclic(encoded, bid % 2 ** 32);
      expect(encoded.equals(bytes)).toBe(true);
    }),
    { numRuns: 20 },
  );
});

it("leaves unencoded blocks unchanged", () => {
  const bytes = Buffer.from("plain");
  encodeBlock(bytes, "none", 4);
  expect(bytes.toString()).toBe("plain");
});

it("accepts only the methods of the header", () => {
  expect([0, 1, 2, 3, 0x10].map(encodingOfByte)).toEqual([...BLOCK_ENCODINGS, null, null]);
});
