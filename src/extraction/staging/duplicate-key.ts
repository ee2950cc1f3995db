/** Four 32-bit words: a content key (`mail/records/content-key.ts`). */
export type DuplicateKey = readonly [number, number, number, number];

/** The words of a content key (16 bytes). */
export function wordsOf(key: Uint8Array): DuplicateKey {
  const words = new DataView(key.buffer, key.byteOffset, key.byteLength);
  return [words.getUint32(0, true), words.getUint32(4, true), words.getUint32(8, true), words.getUint32(12, true)];
}
