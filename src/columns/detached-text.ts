/** The highest unit of a text that V8 stores as one byte per unit. */
const MAX_LATIN1 = 0xff;

/** True if one byte per unit is enough for a text. */
export function isLatin1(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > MAX_LATIN1) return false;
  return true;
}

/**
 * A copy that does not keep alive the header block it was sliced from (V8 slices share their parent's memory), and is
 * no wider than it must be.
 */
export function detached(text: string): string {
  const encoding = isLatin1(text) ? "latin1" : "utf16le";
  return Buffer.from(text, encoding).toString(encoding);
}
