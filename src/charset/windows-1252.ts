/**
 * Characters of the bytes 0x80 to 0x9F. Node 20's TextDecoder gives C1 controls for them under every latin1 label, so
 * this is done by hand. The five bytes windows-1252 leaves open become U+FFFD: a C1 control is never text.
 */
export const HIGH_CONTROLS = "€\uFFFD‚ƒ„…†‡ˆ‰Š‹Œ\uFFFDŽ\uFFFD\uFFFD‘’“”•–—˜™š›œ\uFFFDžŸ";

const C1 = /[\x80-\x9f]/;

/** Bytes decoded at a time, to limit memory. */
const BLOCK_BYTES = 1 << 20;

/** Decodes windows-1252, which is also used for mail labeled ISO-8859-1. */
export function decodeWindows1252(bytes: Buffer): string {
  if (bytes.length <= BLOCK_BYTES) return decodeBlock(bytes);
  const blocks: string[] = [];
  for (let start = 0; start < bytes.length; start += BLOCK_BYTES)
    blocks.push(decodeBlock(bytes.subarray(start, start + BLOCK_BYTES)));
  return blocks.join("");
}

/** Unit by unit: with `replace`, V8 records every match, 16 bytes each. */
function decodeBlock(bytes: Buffer): string {
  const latin = bytes.toString("latin1");
  if (!C1.test(latin)) return latin;
  const units = Buffer.from(latin, "utf16le");
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if ((byte & 0xe0) === 0x80) units.writeUInt16LE(HIGH_CONTROLS.charCodeAt(byte - 0x80), 2 * at);
  }
  return units.toString("utf16le");
}
