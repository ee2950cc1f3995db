import { gunzipSync, type ZlibOptions, constants as zlibConstants } from "node:zlib";
import { systemErrorCode } from "../../errors.ts";

/** First bytes of a gzip file (RFC 1952 2.3.1) with its only compression method. */
const GZIP = [0x1f, 0x8b, 0x08] as const;
/**
 * Maximum unpacked bytes per packed byte: that of deflate is 1,032, and mail without long repeats has at most 20. Short
 * messages may have long repeats: below the minimum, the ratio does no harm.
 */
const UNPACKED_RATIO_MAX = 200;
const UNPACKED_BYTES_MIN = 64 * 1024 * 1024;

interface UnpackedMessage {
  readonly bytes: Buffer;
  /** The file ends too early: `bytes` are the beginning of its message. */
  readonly isTruncated: boolean;
}

/**
 * The content of a file that Dovecot compressed (its plugin "zlib" keeps the name); other files unchanged. Null if it
 * cannot be unpacked within the limits. @param bytesMax maximum bytes of a message
 */
export function unpackMessage(bytes: Buffer, bytesMax: number): UnpackedMessage | null {
  if (GZIP.some((byte, at) => bytes[at] !== byte)) return { bytes, isTruncated: false };
  const maxOutputLength = Math.min(bytesMax, Math.max(UNPACKED_BYTES_MIN, bytes.length * UNPACKED_RATIO_MAX));
  const whole = gunzip(bytes, { maxOutputLength });
  if (whole instanceof Buffer) return { bytes: whole, isTruncated: false };
  if (whole !== "Z_BUF_ERROR") return null;
  // With Z_SYNC_FLUSH, the end may be missing.
  const beginning = gunzip(bytes, { maxOutputLength, finishFlush: zlibConstants.Z_SYNC_FLUSH });
  return beginning instanceof Buffer && beginning.length > 0 ? { bytes: beginning, isTruncated: true } : null;
}

/** Returns the error code of zlib if it fails. */
function gunzip(bytes: Buffer, limits: ZlibOptions): Buffer | string {
  try {
    return gunzipSync(bytes, limits);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === null) throw error;
    return code;
  }
}
