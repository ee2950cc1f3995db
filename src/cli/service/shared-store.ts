import type { SharedStore } from "../../http/upload-service/service/service.ts";
import { databaseUrl } from "../terminal/database-url.ts";
import { openBlobStore } from "./blob-location.ts";

/** Flags of `service` that say what services share. */
export interface SharedStoreFlags {
  readonly store?: string;
  readonly blobs?: string;
}

/** Of who holds nothing, so that no lease of it ends. */
export const NO_LEASE_SECONDS = 1;

/**
 * The database that services share, and their blobs; null for a catalogue in a file. Throws INVALID_ARGUMENT,
 * BLOBS_UNREACHABLE.
 */
export async function openSharedStore(
  { store, blobs }: SharedStoreFlags,
  leaseSeconds: number,
): Promise<SharedStore | null> {
  const server = store === undefined ? null : databaseUrl(store);
  const opened = blobs === undefined ? null : await openBlobStore(blobs, server !== null);
  return server === null ? null : { server, leaseSeconds, blobs: opened };
}
