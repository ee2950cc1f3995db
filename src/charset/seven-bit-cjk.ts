import { ESCAPE, LF, SPACE, TILDE } from "../mail/words/ascii.ts";

const SHIFT_OUT = 0x0e;
const SHIFT_IN = 0x0f;

/**
 * Rewrites ISO-2022-KR (RFC 1557) as EUC-KR, or the GB 2312 part of ISO-2022-CN (RFC 1922) as GBK: bytes between SO and
 * SI get their high bit, the four-byte designations go. A line end also shifts in, as both RFCs demand.
 */
export function eightBitFromShifted(bytes: Buffer): Buffer {
  return eightBitFrom(bytes, shiftedSignAt);
}

/** Rewrites HZ (RFC 1843) as GBK: `~{` and `~}` switch, `~~` is a tilde, `~` before a line end is nothing. */
export function eightBitFromHz(bytes: Buffer): Buffer {
  return eightBitFrom(bytes, hzSignAt);
}

/** A sign that is not a character: its length, whether the bytes after it are shifted, and its text. */
interface Sign {
  readonly sizeBytes: number;
  /** Returns null if nothing changes. */
  readonly isShifted: boolean | null;
  readonly written: number | null;
}

const NO_SIGN: Sign = { sizeBytes: 0, isShifted: null, written: null };
const SHIFTED_SIGNS = {
  designation: { sizeBytes: 4, isShifted: null, written: null },
  out: { sizeBytes: 1, isShifted: true, written: null },
  in: { sizeBytes: 1, isShifted: false, written: null },
} as const satisfies Record<string, Sign>;
const HZ_SIGNS = {
  out: { sizeBytes: 2, isShifted: true, written: null },
  in: { sizeBytes: 2, isShifted: false, written: null },
  tilde: { sizeBytes: 2, isShifted: null, written: TILDE },
  continuation: { sizeBytes: 2, isShifted: null, written: null },
} as const satisfies Record<string, Sign>;

function shiftedSignAt(bytes: Buffer, at: number): Sign {
  const byte = bytes[at]!;
  if (byte === SHIFT_OUT) return SHIFTED_SIGNS.out;
  if (byte === SHIFT_IN) return SHIFTED_SIGNS.in;
  const isDesignation = byte === ESCAPE && bytes[at + 1] === 0x24 && at + 3 < bytes.length;
  return isDesignation ? SHIFTED_SIGNS.designation : NO_SIGN;
}

function hzSignAt(bytes: Buffer, at: number, isShifted: boolean): Sign {
  if (bytes[at] !== TILDE) return NO_SIGN;
  const next = bytes[at + 1];
  if (next === 0x7b) return HZ_SIGNS.out;
  if (next === 0x7d) return HZ_SIGNS.in;
  if (isShifted) return NO_SIGN;
  if (next === TILDE) return HZ_SIGNS.tilde;
  return next === LF ? HZ_SIGNS.continuation : NO_SIGN;
}

/** Shifted bytes with their high bit, signs taken out. A line end shifts in. */
function eightBitFrom(bytes: Buffer, signAt: (bytes: Buffer, at: number, isShifted: boolean) => Sign): Buffer {
  const output = Buffer.allocUnsafe(bytes.length);
  let written = 0;
  let isShifted = false;
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at]!;
    // Skips the lookup for nearly all bytes, which belong to characters.
    const sign: Sign = byte < SPACE || byte === TILDE ? signAt(bytes, at, isShifted) : NO_SIGN;
    if (sign !== NO_SIGN) {
      if (sign.written !== null) output[written++] = sign.written;
      isShifted = sign.isShifted ?? isShifted;
      at += sign.sizeBytes;
      continue;
    }
    at++;
    if (byte === LF) isShifted = false;
    output[written++] = isShifted && byte > SPACE ? byte | 0x80 : byte;
  }
  return output.subarray(0, written);
}

/** Bytes of an ISO-2022-JP designation: ESC, then two (RFC 1468). */
const DESIGNATION_BYTES = 3;

/**
 * Drops ISO-2022-JP designations that another follows immediately. Writers end every encoded word in ASCII and begin
 * the next in JIS X 0208, so joined words contain such pairs; the Encoding Standard treats them as errors (section
 * 12.2.1, "iso-2022-jp output") and Node as U+FFFD.
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

/** Returns the position of the next designation directly followed by another, or -1. */
function nextPair(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(ESCAPE, from); at >= 0; at = bytes.indexOf(ESCAPE, at + 1)) {
    const second = bytes[at + 1];
    if ((second === 0x28 || second === 0x24) && bytes[at + DESIGNATION_BYTES] === ESCAPE) return at;
  }
  return -1;
}
