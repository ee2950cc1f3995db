import fc from "fast-check";
import { expect, it } from "vitest";
import { compiledSubstitution, plainSubstitution, substitutionMemory } from "./substitution-memory.ts";

const SIZE = 1024;
const table = fc.uint8Array({ minLength: 256, maxLength: 256 });
/** Memory, and in it a range of bytes and the place they go to, which is never behind them. */
const task = fc
  .record({
    bytes: fc.uint8Array({ minLength: SIZE, maxLength: SIZE }),
    from: fc.nat(SIZE - 1),
    to: fc.nat(SIZE - 1),
    length: fc.nat(SIZE),
  })
  .map(({ bytes, from, to, length }) => ({ bytes, from, to: Math.min(from, to), end: Math.min(from + length, SIZE) }));

it.each([
  ["compiled", compiledSubstitution],
  ["plain", plainSubstitution],
])("replaces every byte of a range and no other: %s", (_, create) => {
  fc.assert(
    fc.property(table, task, (bytesOfTable, { bytes, from, to, end }) => {
      const memory = create(bytesOfTable, SIZE);
      memory.bytes.set(bytes, memory.start);
      const expected = Buffer.from(bytes);
      expected.set(
        bytes.subarray(from, end).map((byte) => bytesOfTable[byte]!),
        to,
      );
      memory.substitute(memory.start + from, memory.start + to, memory.start + end);
      expect(memory.bytes.subarray(memory.start, memory.start + SIZE).equals(expected)).toBe(true);
    }),
    { numRuns: 100 },
  );
});

it("has the room that was asked for", () => {
  const memory = substitutionMemory(new Uint8Array(256), 1 << 20);
  expect(memory.bytes.length - memory.start).toBeGreaterThanOrEqual(1 << 20);
});
