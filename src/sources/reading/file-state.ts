import type { Stats } from "node:fs";
import { WIDE_HASH_WORDS, wideHash } from "../../columns/wide-hash.ts";

/** Bytes of the state of a file: a hash, and the second of its last change. */
export const FILE_STATE_BYTES = WIDE_HASH_WORDS * Uint32Array.BYTES_PER_ELEMENT;

/**
 * A file that changed less than this before it was listed may change again with the same times: file systems count time
 * in steps of up to 2 seconds (FAT).
 */
const UNSETTLED_MS = 2000;

const FACTS = 5;
/** Number in the place of each fact of a file that cannot be accessed. */
const UNKNOWN = -1;
const CHANGED_AT = FILE_STATE_BYTES - Uint32Array.BYTES_PER_ELEMENT;
const MOST = 0xffff_ffff;

const facts = new Float64Array(FACTS);
const units = new Uint16Array(facts.buffer);
const words = new Uint32Array(WIDE_HASH_WORDS);
const bytes = new Uint8Array(words.buffer);
const view = new DataView(words.buffer);

/**
 * Identifies a version of a file by its path and metadata; valid until the next call. The system sets the change time;
 * programs cannot set it back. @param stats null for a file that cannot be accessed
 */
export function fileStateOf(relativePath: string, stats: Stats | null): Uint8Array {
  facts[0] = stats?.dev ?? UNKNOWN;
  facts[1] = stats?.ino ?? UNKNOWN;
  facts[2] = stats?.size ?? UNKNOWN;
  facts[3] = stats?.mtimeMs ?? UNKNOWN;
  facts[4] = stats?.ctimeMs ?? UNKNOWN;
  wideHash(0, `${String.fromCharCode(...units)}${relativePath}`, words);
  view.setUint32(
    CHANGED_AT,
    stats === null ? MOST : Math.min(MOST, Math.max(0, Math.ceil(stats.ctimeMs / 1000))),
    true,
  );
  return bytes;
}

/** False if a file may change again without another state. @param listedAt milliseconds since 1970 */
export function isSettled(state: Uint8Array, listedAt: number): boolean {
  const changed = new DataView(state.buffer, state.byteOffset).getUint32(CHANGED_AT, true);
  return changed * 1000 + UNSETTLED_MS < listedAt;
}

/** The states of several files as one text, which is cheap to post to threads. */
export function packStates(states: Uint8Array): string {
  return Buffer.from(states.buffer, states.byteOffset, states.byteLength).toString("base64");
}

/** The states in a text of `packStates`, in order. */
export function statesIn(packed: string): readonly Uint8Array[] {
  const states = Buffer.from(packed, "base64");
  return Array.from({ length: states.length / FILE_STATE_BYTES }, (_, file) =>
    states.subarray(file * FILE_STATE_BYTES, (file + 1) * FILE_STATE_BYTES),
  );
}
