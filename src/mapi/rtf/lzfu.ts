import { mapiCrc } from "../../properties/crc.ts";

/** The dictionary starts with these words; line ends are CR LF ([MS-OXRTFCP] 2.1.2.1). */
const PRELOAD = Buffer.from(
  "{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript " +
    "\\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par " +
    "\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx",
  "latin1",
);
const RTF_START = Buffer.from("{\\rtf");
const HEADER_SIZE = 16;
const COMPRESSED = 0x7546_5a4c;
const UNCOMPRESSED = 0x414c_454d;
const DICTIONARY_SIZE = 4096;
/** Maximum expansion: a two-byte reference yields at most 17 bytes, ignoring flag bytes. */
const MAX_RATIO = 17;
/** Maximum bytes of RTF per message. The declared size is untrusted, and must not determine the allocation. */
const MAX_RTF_BYTES = 128 << 20;

interface Rtf {
  readonly bytes: Buffer;
  /** False if the CRC does not match or the data ended early: `bytes` then contains what was readable. */
  readonly isIntact: boolean;
}

/**
 * Decompresses `PidTagRtfCompressed` ([MS-OXRTFCP]) into bytes in the code page that the RTF names. Null if it is
 * invalid.
 */
export function decompressRtf(compressed: Buffer): Rtf | null {
  // Some programs store the text itself.
  if (compressed.subarray(0, RTF_START.length).equals(RTF_START)) return { bytes: compressed, isIntact: true };
  if (compressed.length < HEADER_SIZE) return null;
  const type = compressed.readUInt32LE(8);
  const declared = compressed.readUInt32LE(4);
  const end = Math.min(compressed.length, compressed.readUInt32LE(0) + 4);
  const content = compressed.subarray(HEADER_SIZE, Math.max(end, HEADER_SIZE));
  if (type === UNCOMPRESSED) {
    // Some libraries include the header in the text size: text up to the end is complete.
    return { bytes: content.subarray(0, declared), isIntact: compressed.readUInt32LE(0) + 4 <= compressed.length };
  }
  if (type !== COMPRESSED) return null;
  const most = Math.min(content.length * MAX_RATIO, MAX_RTF_BYTES);
  const bytes = expand(content, Math.min(declared, most));
  return { bytes, isIntact: bytes.length === declared && mapiCrc(content) === compressed.readUInt32LE(12) };
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: [MS-OXRTFCP] 2.2: a bit a token, literal or reference, into one ring
function expand(content: Buffer, size: number): Buffer {
  const output = Buffer.alloc(size);
  const dictionary = Buffer.alloc(DICTIONARY_SIZE);
  PRELOAD.copy(dictionary);
  let write = PRELOAD.length;
  let out = 0;
  let at = 0;
  while (at < content.length && out < size) {
    const flags = content[at]!;
    at++;
    for (let bit = 0; bit < 8 && at < content.length && out < size; bit++) {
      if ((flags & (1 << bit)) === 0) {
        const byte = content[at]!;
        at++;
        output[out] = byte;
        out++;
        dictionary[write] = byte;
        write = (write + 1) % DICTIONARY_SIZE;
        continue;
      }
      if (at + 1 >= content.length) return output.subarray(0, out);
      const reference = (content[at]! << 8) | content[at + 1]!;
      at += 2;
      let read = reference >> 4;
      // A reference to the write position ends the text ([MS-OXRTFCP] 2.2.2.3).
      if (read === write) return output.subarray(0, out);
      for (let left = (reference & 15) + 2; left > 0 && out < size; left--) {
        const byte = dictionary[read]!;
        read = (read + 1) % DICTIONARY_SIZE;
        output[out] = byte;
        out++;
        dictionary[write] = byte;
        write = (write + 1) % DICTIONARY_SIZE;
      }
    }
  }
  return output.subarray(0, out);
}
