const ESCAPE = 0x1b;
const SHIFT_OUT = 0x0e;
const SHIFT_IN = 0x0f;
const TILDE = 0x7e;
const LINE_FEED = 0x0a;

/**
 * Rewrites ISO-2022-KR (RFC 1557) as EUC-KR, or the GB 2312 part of ISO-2022-CN (RFC 1922) as GBK: bytes between SO and
 * SI get their high bit, the four-byte designations go. A line end also shifts in, as both RFCs demand.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the escapes of the standard in one pass, with the shift they leave behind
export function eightBitFromShifted(bytes: Buffer): Buffer {
  const output = Buffer.allocUnsafe(bytes.length);
  let written = 0;
  let isShifted = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === ESCAPE && bytes[at + 1] === 0x24 && at + 3 < bytes.length) at += 3;
    else if (byte === SHIFT_OUT) isShifted = true;
    else if (byte === SHIFT_IN) isShifted = false;
    else {
      if (byte === LINE_FEED) isShifted = false;
      output[written] = isShifted && byte > 0x20 ? byte | 0x80 : byte;
      written++;
    }
  }
  return output.subarray(0, written);
}

/** Rewrites HZ (RFC 1843) as GBK: `~{` and `~}` switch, `~~` is a tilde, `~` before a line end is nothing. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the escapes of the standard in one pass, with the shift they leave behind
export function eightBitFromHz(bytes: Buffer): Buffer {
  const output = Buffer.allocUnsafe(bytes.length);
  let written = 0;
  let isShifted = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    const next = bytes[at + 1];
    if (byte === TILDE && (next === 0x7b || next === 0x7d)) {
      isShifted = next === 0x7b;
      at++;
    } else if (byte === TILDE && !isShifted && (next === TILDE || next === LINE_FEED)) {
      if (next === TILDE) output[written++] = TILDE;
      at++;
    } else {
      if (byte === LINE_FEED) isShifted = false;
      output[written++] = isShifted && byte > 0x20 ? byte | 0x80 : byte;
    }
  }
  return output.subarray(0, written);
}

/** Bytes of an ISO-2022-JP designation: ESC, then two (RFC 1468). */
const DESIGNATION_BYTES = 3;

/**
 * Drops designations of ISO-2022-JP that another follows at once. Writers end every encoded word in ASCII and begin the
 * next in JIS X 0208, so joined words hold such pairs; the Encoding Standard makes an error of them (section 12.2.1,
 * "iso-2022-jp output") and Node U+FFFD.
 */
export function withoutIdleEscapes(bytes: Buffer): Buffer {
  let pair = nextPair(bytes, 0);
  if (pair < 0) return bytes;
  const output = Buffer.allocUnsafe(bytes.length);
  let written = 0;
  let start = 0;
  while (pair >= 0) {
    written += bytes.copy(output, written, start, pair);
    start = pair + DESIGNATION_BYTES;
    pair = nextPair(bytes, start);
  }
  written += bytes.copy(output, written, start);
  return output.subarray(0, written);
}

/** Where the next designation stands that another follows at once, or -1. */
function nextPair(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(ESCAPE, from); at >= 0; at = bytes.indexOf(ESCAPE, at + 1)) {
    const second = bytes[at + 1];
    if ((second === 0x28 || second === 0x24) && bytes[at + DESIGNATION_BYTES] === ESCAPE) return at;
  }
  return -1;
}
