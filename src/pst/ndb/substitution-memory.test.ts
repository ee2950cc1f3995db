import fc from "fast-check";
import { expect, it } from "vitest";
import {
  compiledSubstitution,
  plainSubstitution,
  SUBSTITUTION_MODULE,
  substitutionMemory,
} from "./substitution-memory.ts";

const SIZE = 1024;
const table = fc.uint8Array({ minLength: 256, maxLength: 256 });
/** Memory with a source range and a destination, which never follows the source. */
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
])("replaces exactly the bytes of a range: %s", (_, create) => {
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

it("has the requested size", () => {
  const memory = substitutionMemory(new Uint8Array(256), 1 << 20);
  expect(memory.bytes.length - memory.start).toBeGreaterThanOrEqual(1 << 20);
});

/** Instructions of the text form of WebAssembly, and their codes (its core specification, 5.4). */
const CODES: Readonly<Record<string, readonly number[]>> = {
  block: [0x02, 0x40],
  loop: [0x03, 0x40],
  end: [0x0b],
  br: [0x0c],
  br_if: [0x0d],
  "local.get": [0x20],
  "local.set": [0x21],
  // Bytes need no alignment.
  "i32.load8_u": [0x2d, 0],
  "i32.store8": [0x3a, 0],
  "i32.const": [0x41],
  "i32.gt_u": [0x4b],
  "i32.add": [0x6a],
};
const LOCALS: readonly string[] = ["$from", "$to", "$end"];

/** Text of a loop that advances by the given number of bytes while a complete step is left. */
function loopText(step: number): string {
  const substitution = (at: number): string =>
    `local.get $to local.get $from i32.load8_u ${at} i32.load8_u 0 i32.store8 ${at}`;
  return `
    block
      loop
        local.get $from i32.const ${step} i32.add local.get $end i32.gt_u br_if 1
        ${Array.from({ length: step }, (_, at) => substitution(at)).join("\n        ")}
        local.get $from i32.const ${step} i32.add local.set $from
        local.get $to i32.const ${step} i32.add local.set $to
        br 0
      end
    end`;
}

/** LEB128: seven bits per byte, the lowest first. */
function unsigned(value: number): readonly number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

const counted = (items: readonly number[]): readonly number[] => [...unsigned(items.length), ...items];
const section = (id: number, entry: readonly number[]): readonly number[] => [id, ...counted([1, ...entry])];

it("runs the module of this text", () => {
  const words = `${loopText(8)} ${loopText(1)} end`.trim().split(/\s+/);
  const code = words.flatMap((word) => CODES[word] ?? [word.startsWith("$") ? LOCALS.indexOf(word) : Number(word)]);
  const name = counted([..."m"].map((letter) => letter.charCodeAt(0)));
  const exported = counted([...Buffer.from("substitute")]);
  const i32 = 0x7f;
  const module = [
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [0x60, ...counted([i32, i32, i32]), 0]),
    // Imports the memory, with any number of pages.
    ...section(2, [...name, ...name, 2, 0, 0]),
    ...section(3, [0]),
    ...section(7, [...exported, 0, 0]),
    ...section(10, counted([0, ...code])),
  ];
  expect(Buffer.from(module).toString("hex")).toBe(Buffer.from(SUBSTITUTION_MODULE).toString("hex"));
});
