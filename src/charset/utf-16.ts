/** Byte orders of UTF-16. */
export type Utf16Order = "utf-16le" | "utf-16be";

/** Bytes examined for the zero bytes of UTF-16 without a byte order mark. */
const SAMPLE_BYTES = 512;

/** The byte order of UTF-16 text by its mark, or without one by its zero bytes; null for other text. */
export function utf16Order(bytes: Uint8Array): Utf16Order | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return unmarkedUtf16Order(bytes);
}

/** The byte order by the zero bytes that every other byte of ASCII letters and line breaks is. */
export function unmarkedUtf16Order(bytes: Uint8Array): Utf16Order | null {
  const end = Math.min(bytes.length & ~1, SAMPLE_BYTES);
  let evenZeros = 0;
  let oddZeros = 0;
  for (let at = 0; at < end; at += 2) {
    if (bytes[at] === 0) evenZeros++;
    if (bytes[at + 1] === 0) oddZeros++;
  }
  const pairs = end / 2;
  if (pairs < 2) return null;
  if (oddZeros * 2 > pairs && evenZeros * 10 < pairs) return "utf-16le";
  return evenZeros * 2 > pairs && oddZeros * 10 < pairs ? "utf-16be" : null;
}
