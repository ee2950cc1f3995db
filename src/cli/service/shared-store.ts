import type { SharedStore } from "../../http/upload-service/service/service.ts";
import { databaseUrl } from "../terminal/database-url.ts";
import { openBlobStore } from "./blob-location.ts";

/** Flags of `service` for shared stores. */
export interface SharedStoreFlags {
  readonly store?: string;
  readonly blobs?: string;
}

/** A command holds no lease. */
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
