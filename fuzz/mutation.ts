import type { SeededRandom } from "../examples/company/seeded-random.ts";

/** Numbers at which sizes, counts and offsets turn over. */
const EXTREMES = [
  0, 1, 2, 7, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff,
];
/** Changes made to one input at most. */
const CHANGES_MAX = 6;
/**
 * A piece that is repeated is repeated this often at most: enough to see growth, little enough to keep inputs small.
 */
const REPEATS_MAX = 400;
/** Longest piece that one change takes out, moves or copies, in bytes. */
const PIECE_BYTES_MAX = 512;

/** What a mutation may draw from beside the input itself. */
export interface MutationMaterial {
  /** Another input, for crossing over. */
  readonly other: Buffer;
  /** Words of the format. */
  readonly words: readonly Buffer[];
  /** Longest result in bytes. */
  readonly bytesMax: number;
}

type Change = (bytes: Buffer, random: SeededRandom, material: MutationMaterial) => Buffer;

const spot = (bytes: Buffer, random: SeededRandom): number => random.below(bytes.length + 1);

function piece(bytes: Buffer, random: SeededRandom): Buffer {
  const start = spot(bytes, random);
  return bytes.subarray(start, start + 1 + random.below(PIECE_BYTES_MAX));
}

function inserted(bytes: Buffer, at: number, added: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at)]);
}

function overwritten(bytes: Buffer, at: number, written: Buffer): Buffer {
  const result = Buffer.from(bytes);
  written.copy(result, at);
  return result;
}

function number(random: SeededRandom): Buffer {
  const value = random.pick(EXTREMES);
  const written = Buffer.alloc(random.pick([1, 2, 4, 8]));
  const width = Math.min(written.length, 4);
  if (random.chance(50)) written.writeUIntLE(value % 2 ** (8 * width), 0, width);
  else written.writeUIntBE(value % 2 ** (8 * width), written.length - width, width);
  return written;
}

const CHANGES: readonly Change[] = [
  (bytes, random) => {
    if (bytes.length === 0) return bytes;
    const at = random.below(bytes.length);
    return overwritten(bytes, at, Buffer.of(bytes[at]! ^ (1 << random.below(8))));
  },
  (bytes, random) => overwritten(bytes, spot(bytes, random), Buffer.of(random.below(256))),
  (bytes, random) => overwritten(bytes, spot(bytes, random), number(random)),
  (bytes, random) => inserted(bytes, spot(bytes, random), Buffer.from(String(random.pick(EXTREMES)))),
  (bytes, random, { words }) => (words.length === 0 ? bytes : inserted(bytes, spot(bytes, random), random.pick(words))),
  (bytes, random, { words }) =>
    words.length === 0 ? bytes : overwritten(bytes, spot(bytes, random), random.pick(words)),
  (bytes, random) => {
    const start = spot(bytes, random);
    return Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + 1 + random.below(PIECE_BYTES_MAX))]);
  },
  (bytes, random) => inserted(bytes, spot(bytes, random), piece(bytes, random)),
  (bytes, random) => overwritten(bytes, spot(bytes, random), piece(bytes, random)),
  (bytes, random) => {
    const start = spot(bytes, random);
    const repeated = bytes.subarray(start, start + 1 + random.below(40));
    return inserted(bytes, start, Buffer.concat(Array.from({ length: random.below(REPEATS_MAX) }, () => repeated)));
  },
  (bytes, random, { other }) => inserted(bytes, spot(bytes, random), piece(other, random)),
  (bytes, random, { other }) =>
    Buffer.concat([bytes.subarray(0, spot(bytes, random)), other.subarray(spot(other, random))]),
  (bytes, random) => bytes.subarray(0, spot(bytes, random)),
];

/**
 * One to six random changes of an input: bits, numbers, words of the format, pieces taken out, repeated, or from
 * another input.
 */
export function mutate(bytes: Buffer, random: SeededRandom, material: MutationMaterial): Buffer {
  let result = bytes;
  for (let left = 1 + random.below(CHANGES_MAX); left > 0; left--) {
    result = random.pick(CHANGES)(result, random, material).subarray(0, material.bytesMax);
  }
  return Buffer.from(result);
}
