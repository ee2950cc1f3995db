import { ArchiveError } from "../../errors.ts";
import type { BlobStore } from "../../http/blobs/blob-store.ts";
import type { SharedStore } from "../../http/upload-service/service/service.ts";
import { databaseUrl } from "../terminal/database-url.ts";

/** Flags of `service` for shared stores. */
export interface SharedStoreFlags {
  readonly store?: string;
  readonly blobs?: string;
}

/** A command holds no lease. */
export const NO_LEASE_SECONDS = 1;

/**
 * The database that services share, and their blobs; null for a catalog in a file. Throws INVALID_ARGUMENT,
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

/** The scheme of a bucket, as other tools write it. */
const S3_SCHEME = "s3://";
/** Rules for names of buckets, and characters of prefixes that are the same in a URL, in XML and in signatures. */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^(?:[\w.-]+\/)*$/;
/** Maximum characters of a prefix: S3 allows 1,024 for the whole key. */
const MAX_PREFIX_CHARACTERS = 512;

/**
 * Opens the bucket given by `--blobs` as `s3://bucket/prefix`. Region, endpoint and credentials come from the
 * environment, the AWS profile, or the role of the machine. Throws INVALID_ARGUMENT, DRIVER_MISSING.
 */
async function openBlobStore(location: string, hasDatabase: boolean): Promise<BlobStore> {
  if (!hasDatabase) throw new ArchiveError("INVALID_ARGUMENT", "--blobs requires --store");
  if (!location.startsWith(S3_SCHEME))
    throw new ArchiveError("INVALID_ARGUMENT", "--blobs must be s3://bucket/prefix", {
      hint: "for a directory shared by all services, use --data without --blobs",
    });
  const { bucket, prefix } = bucketOf(location);
  // The SDK would print on Node.js 20 that its versions of 2027 need Node.js 22.
  process.env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] = "true";
  const { openS3Store } = await import("../../http/blobs/s3-store.ts");
  const hasEndpoint = Boolean(process.env["AWS_ENDPOINT_URL_S3"] || process.env["AWS_ENDPOINT_URL"]);
  // Amazon's certificate is valid for one label before the host; other servers often do not have a host per bucket.
  return openS3Store({ bucket, prefix, client: { forcePathStyle: hasEndpoint || bucket.includes(".") } });
}

function bucketOf(location: string): { readonly bucket: string; readonly prefix: string } {
  const [bucket = "", ...segments] = location.slice(S3_SCHEME.length).split("/");
  const path = segments.filter((segment) => segment !== "").join("/");
  const prefix = path === "" ? "" : `${path}/`;
  const climbs = segments.some((segment) => segment === "." || segment === "..");
  if (BUCKET.test(bucket) && PREFIX.test(prefix) && !climbs && prefix.length <= MAX_PREFIX_CHARACTERS)
    return { bucket, prefix };
  throw new ArchiveError(
    "INVALID_ARGUMENT",
    "--blobs must be s3://bucket/prefix; a prefix can contain letters, digits and . _ - /",
  );
}
