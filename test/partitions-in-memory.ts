import type { Partitions } from "../src/topics/partitions.ts";

/** Partitions in memory. As with files, a read overwrites the result of the previous one. */
export function partitionsInMemory(): Partitions {
  const partitions: Uint32Array[][] = [];
  let given = new Uint32Array(0);
  return {
    append: (partition, words) => {
      (partitions[partition] ??= []).push(words.slice());
    },
    read: (partition) => {
      given.fill(0);
      const parts = partitions[partition] ?? [];
      given = new Uint32Array(parts.reduce((length, part) => length + part.length, 0));
      let at = 0;
      for (const part of parts) {
        given.set(part, at);
        at += part.length;
      }
      return given;
    },
  };
}
