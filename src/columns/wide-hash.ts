/** 32-bit words of a wide hash. */
export const WIDE_HASH_WORDS = 4;

/** Writes the hash of a key in a namespace to an array of words. */
export type WideHash = (space: number, key: string, words: Uint32Array) => void;

const [C1, C2, C3, C4] = [0x239b961b, 0xab0e9789, 0x38b34ae5, 0xa1e38b93] as const;
/** UTF-16 units per block: two per lane. */
const BLOCK_UNITS = 8;

/**
 * 128 bits of a key: MurmurHash3_x86_128 (Austin Appleby, public domain) over its UTF-16 units, little-endian, with
 * the space as seed. Of 10^10 different keys, two collide with probability 10^-19. Deliberate collisions are
 * possible, but the keys represent evidence that can be forged in simpler ways.
 */
export const wideHash: WideHash = (space, key, words) => {
  let h1 = space;
  let h2 = space;
  let h3 = space;
  let h4 = space;
  const { length } = key;
  const whole = length - (length % BLOCK_UNITS);
  let at = 0;
  let pair = 0;
  for (; at < whole; at += BLOCK_UNITS) {
    pair = key.charCodeAt(at) | (key.charCodeAt(at + 1) << 16);
    pair = Math.imul(pair, C1);
    h1 ^= Math.imul((pair << 15) | (pair >>> 17), C2);
    h1 = (((h1 << 19) | (h1 >>> 13)) + h2) | 0;
    h1 = (Math.imul(h1, 5) + 0x561ccd1b) | 0;
    pair = key.charCodeAt(at + 2) | (key.charCodeAt(at + 3) << 16);
    pair = Math.imul(pair, C2);
    h2 ^= Math.imul((pair << 16) | (pair >>> 16), C3);
    h2 = (((h2 << 17) | (h2 >>> 15)) + h3) | 0;
    h2 = (Math.imul(h2, 5) + 0x0bcaa747) | 0;
    pair = key.charCodeAt(at + 4) | (key.charCodeAt(at + 5) << 16);
    pair = Math.imul(pair, C3);
    h3 ^= Math.imul((pair << 17) | (pair >>> 15), C4);
    h3 = (((h3 << 15) | (h3 >>> 17)) + h4) | 0;
    h3 = (Math.imul(h3, 5) + 0x96cd1c35) | 0;
    pair = key.charCodeAt(at + 6) | (key.charCodeAt(at + 7) << 16);
    pair = Math.imul(pair, C4);
    h4 ^= Math.imul((pair << 18) | (pair >>> 14), C1);
    h4 = (((h4 << 13) | (h4 >>> 19)) + h1) | 0;
    h4 = (Math.imul(h4, 5) + 0x32ac3b17) | 0;
  }
  if (at < length) {
    // Padded with zeros; the length, which is hashed too, distinguishes them from units.
    h1 ^= scrambled(pairAtEnd(key, at), C1, 15, C2);
    h2 ^= scrambled(pairAtEnd(key, at + 2), C2, 16, C3);
    h3 ^= scrambled(pairAtEnd(key, at + 4), C3, 17, C4);
    h4 ^= scrambled(pairAtEnd(key, at + 6), C4, 18, C1);
  }
  const bytes = length * 2;
  h1 ^= bytes;
  h2 ^= bytes;
  h3 ^= bytes;
  h4 ^= bytes;
  h1 = (((h1 + h2) | 0) + ((h3 + h4) | 0)) | 0;
  h2 = (h2 + h1) | 0;
  h3 = (h3 + h1) | 0;
  h4 = (h4 + h1) | 0;
  h1 = finished(h1);
  h2 = finished(h2);
  h3 = finished(h3);
  h4 = finished(h4);
  h1 = (((h1 + h2) | 0) + ((h3 + h4) | 0)) | 0;
  words[0] = h1;
  words[1] = h2 + h1;
  words[2] = h3 + h1;
  words[3] = h4 + h1;
};

/** Two code units of a text as one word; 0 past its end. */
function pairAtEnd(text: string, at: number): number {
  const first = at < text.length ? text.charCodeAt(at) : 0;
  return at + 1 < text.length ? first | (text.charCodeAt(at + 1) << 16) : first;
}

function scrambled(word: number, first: number, bits: number, second: number): number {
  return Math.imul(rotated(Math.imul(word, first), bits), second);
}

function rotated(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

function finished(word: number): number {
  let mixed = word ^ (word >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
