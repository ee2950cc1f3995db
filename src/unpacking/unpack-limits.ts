/** Limits of an archive against archive bombs. Each is checked on declared and on actual sizes. */
export interface UnpackLimits {
  /** Maximum files and directories, including those only named in paths: each costs an inode. */
  readonly maxEntries: number;
  /** Bytes of everything unpacked; of a tar with its headers and padding. */
  readonly maxExpandedBytes: number;
  /** Maximum unpacked bytes per packed byte, for the whole archive. */
  readonly maxRatio: number;
  /** Unpacked bytes from which the ratio applies. */
  readonly ratioFromBytes: number;
}

/** Four times the largest archive that was tested (500,000 messages), a Maildir's directories included. */
const MAX_ENTRIES = 2_000_000;

/**
 * 200 GiB: the largest upload (50 GiB) times 4, the compression of mail with attachments. Free disk space is checked as
 * well.
 */
const MAX_EXPANDED_BYTES = 200 * 2 ** 30;

/** Mail compresses by 3 to 20, repeated attachments by 100; the maximum of deflate is 1,032. */
const MAX_RATIO = 200;

/**
 * 256 MiB: below, an archive does no harm at any ratio, and a small one of repeated lines is common in tests and
 * demonstrations.
 */
const RATIO_FROM_BYTES = 256 * 2 ** 20;

export const UNPACK_LIMITS: UnpackLimits = {
  maxEntries: MAX_ENTRIES,
  maxExpandedBytes: MAX_EXPANDED_BYTES,
  maxRatio: MAX_RATIO,
  ratioFromBytes: RATIO_FROM_BYTES,
};
