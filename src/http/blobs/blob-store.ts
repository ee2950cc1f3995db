import type { Instant } from "../../mail/dates/instant.ts";

/** A stream of the bytes of a blob. */
export interface BlobBytes {
  readonly sizeBytes: number;
  /** Must be read once to its end, or released. Throws like `BlobStore`, also if it ends early. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Bytes that become a blob. */
export interface NewBlob {
  /** Number of bytes, or slightly more: it determines the part size of large blobs. */
  readonly sizeBytes: number;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** A stored blob. */
export interface BlobEntry {
  readonly key: string;
  /** When it was stored. */
  readonly putAt: Instant;
}

/**
 * Shared storage of services without a shared disk: bytes by key. Keys are segments of lower-case letters, digits, `-`
 * and `.` (not first), separated by `/`. A stored blob is visible to its writer and to all others at once. Calls throw
 * BLOBS_UNREACHABLE if the store is down or refuses them; temporary failures are retried.
 */
export interface BlobStore {
  /** Name for users: a path or a URL, without secrets. */
  readonly name: string;
  /**
   * Stores bytes under a key and replaces earlier ones. On return they are durable; on an error or crash, nothing is
   * visible. Throws errors of the stream, and the reason of the signal.
   */
  put(key: string, blob: NewBlob, signal: AbortSignal): Promise<void>;
  /** Returns null for an unknown key. Aborts with the reason of the signal while reading. */
  get(key: string, signal: AbortSignal): Promise<BlobBytes | null>;
  /** Does nothing for an unknown key. */
  remove(key: string): Promise<void>;
  /** Lists blobs by prefix, in any order. @param prefix whole segments with a trailing `/`; "" for all */
  list(prefix: string): AsyncIterable<BlobEntry>;
  /** Removes uploads that began before an instant and never finished. */
  sweep(before: Instant): Promise<void>;
  close(): void;
}

/** Closes the connection or file of an unread blob. */
export async function closeUnreadBlob({ bytes }: BlobBytes): Promise<void> {
  for await (const _first of bytes) return;
}

const KEY = /^(?:[a-z0-9-][a-z0-9.-]*\/)*[a-z0-9-][a-z0-9.-]*$/;

/** Checks a key. Throws a plain error if it does not look like ours: it may lead out of a directory. */
export function checkedKey(key: string): string {
  if (key.length > MAX_KEY_CHARACTERS || !KEY.test(key)) throw new Error("invalid blob key");
  return key;
}

/** Our keys have 40 characters; S3 allows 1,024 including the user's prefix. */
const MAX_KEY_CHARACTERS = 200;
