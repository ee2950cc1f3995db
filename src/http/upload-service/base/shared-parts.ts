import type { FileHandle } from "node:fs/promises";
import type { Instant } from "../../../mail/dates/instant.ts";
import type { BlobStore } from "../../blobs/blob-store.ts";

/** Maximum bytes of a part: after a crash, bytes received since the last part are sent again. */
export const SHARED_PART_BYTES = 8 << 20;

const PREFIX = "incoming/";
const STATE = "state";

/** Progress of an upload. */
export interface PartProgress {
  /** Number of contiguous bytes from the start. */
  readonly end: number;
  /** When the last of them arrived, or the upload began. */
  readonly touchedAt: Instant;
}

/** A range of bytes of an upload. */
interface Part {
  readonly key: string;
  readonly start: number;
  readonly end: number;
  readonly putAt: Instant;
}

/**
 * Bytes of resumable uploads in a store shared by all services, in parts named by their byte range: parts of
 * different length have different names, so a late write by a service presumed dead cannot destroy anything. Parts
 * may overlap, as they belong to the same file.
 */
export class SharedParts {
  constructor(private readonly blobs: BlobStore) {}

  async begin(uploadId: string, state: string): Promise<void> {
    await this.put(`${directoryOf(uploadId)}${STATE}`, Buffer.from(state));
  }

  /** Returns null if the upload was never begun or was removed. */
  async state(uploadId: string): Promise<string | null> {
    const found = await this.blobs.get(`${directoryOf(uploadId)}${STATE}`, unending());
    if (found === null) return null;
    const chunks: Uint8Array[] = [];
    for await (const chunk of found.bytes) chunks.push(chunk);
    return Buffer.concat(chunks).toString("utf8");
  }

  /** Stores bytes of a file as a part. On return, every service has them. */
  async keep(uploadId: string, handle: FileHandle, { start, end }: Pick<Part, "start" | "end">): Promise<void> {
    const bytes = Buffer.allocUnsafe(end - start);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
    if (bytesRead < bytes.length) throw new Error("the file of an upload ends early");
    await this.put(`${directoryOf(uploadId)}${start}-${end}`, bytes);
  }

  /** Null for an upload that was removed. */
  async progress(uploadId: string): Promise<PartProgress | null> {
    const { parts, begunAt } = await this.partsOf(uploadId);
    if (begunAt === null) return null;
    const touchedAt = Math.max(begunAt, ...parts.map(({ putAt }) => putAt));
    return { end: parts.at(-1)?.end ?? 0, touchedAt };
  }

  /** Yields the bytes of a range; ends early if the upload is removed during the read. */
  async *bytes(uploadId: string, start: number, end: number): AsyncGenerator<Uint8Array> {
    const { parts } = await this.partsOf(uploadId);
    let at = start;
    for (const part of parts) {
      if (part.end <= at || at >= end) continue;
      const found = await this.blobs.get(part.key, unending());
      if (found === null) return;
      let place = part.start;
      for await (const chunk of found.bytes) {
        const wanted = chunk.subarray(Math.max(0, at - place), Math.max(0, end - place));
        place += chunk.length;
        at += wanted.length;
        if (wanted.length > 0) yield wanted;
      }
    }
  }

  /** Removes the state first: without it, the upload does not exist. */
  async remove(uploadId: string): Promise<void> {
    await this.blobs.remove(`${directoryOf(uploadId)}${STATE}`);
    const keys: string[] = [];
    for await (const { key } of this.blobs.list(directoryOf(uploadId))) keys.push(key);
    for (const key of keys) await this.blobs.remove(key);
  }

  /** Removes uploads without activity since an instant; returns their number. */
  async removeExpired(before: Instant): Promise<number> {
    const touched = new Map<string, Instant>();
    for await (const { key, putAt } of this.blobs.list(PREFIX)) {
      const uploadId = key.split("/")[1]!;
      touched.set(uploadId, Math.max(putAt, touched.get(uploadId) ?? 0));
    }
    const expired = [...touched].filter(([, at]) => at < before);
    for (const [uploadId] of expired) await this.remove(uploadId);
    return expired.length;
  }

  private async put(key: string, bytes: Uint8Array): Promise<void> {
    await this.blobs.put(key, { sizeBytes: bytes.length, bytes: once(bytes) }, unending());
  }

  /** Selects parts that cover the bytes from the start without a gap, in order. */
  private async partsOf(
    uploadId: string,
  ): Promise<{ readonly parts: readonly Part[]; readonly begunAt: Instant | null }> {
    const all: Part[] = [];
    let begunAt: Instant | null = null;
    for await (const { key, putAt } of this.blobs.list(directoryOf(uploadId))) {
      const [, start, end] = /(\d+)-(\d+)$/.exec(key) ?? [];
      if (end === undefined) begunAt = putAt;
      else all.push({ key, start: Number(start), end: Number(end), putAt });
    }
    return { parts: withoutGaps(all), begunAt };
  }
}

/** The parts that cover the most bytes from 0 on, each continuing the previous ones. */
export function withoutGaps<P extends { readonly start: number; readonly end: number }>(
  all: readonly P[],
): readonly P[] {
  const parts: P[] = [];
  let end = 0;
  let next: P | null = null;
  for (const part of all.toSorted((left, right) => left.start - right.start || right.end - left.end)) {
    if (part.start > end) {
      if (next === null || next.end <= end || part.start > next.end) break;
      parts.push(next);
      end = next.end;
      next = null;
    }
    if (part.end > (next?.end ?? end)) next = part;
  }
  if (next !== null && next.end > end) parts.push(next);
  return parts;
}

function directoryOf(uploadId: string): string {
  return `${PREFIX}${uploadId}/`;
}

function unending(): AbortSignal {
  return new AbortController().signal;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
