/**
 * Characters of the bytes 0x80 to 0x9F. Node 20's TextDecoder gives C1 controls for them under every latin1 label, so this is
 * done by hand. The five bytes windows-1252 leaves open become U+FFFD: a C1 control is never text.
 */
const HIGH_CONTROLS = "€\uFFFD‚ƒ„…†‡ˆ‰Š‹Œ\uFFFDŽ\uFFFD\uFFFD‘’“”•–—˜™š›œ\uFFFDžŸ";

const C1 = /[\x80-\x9f]/g;

/** Decodes windows-1252, which is also what mail labelled ISO-8859-1 holds. */
export function decodeWindows1252(bytes: Buffer): string {
  const latin = bytes.toString("latin1");
  return latin.replace(C1, (character) => HIGH_CONTROLS[character.charCodeAt(0) - 0x80]!);
}
