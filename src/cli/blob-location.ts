import { ArchiveError } from "../errors.ts";
import type { BlobStore } from "../http/blobs/blob-store.ts";
import type { S3Credentials } from "../http/blobs/signature-v4.ts";

/** The scheme of a bucket, as the tools of others write it. */
const S3_SCHEME = "s3://";
/** Where a bucket is unless AWS_REGION says otherwise. */
const DEFAULT_REGION = "us-east-1";
/** Rules for names of buckets, and characters of prefixes that are the same in a URL, in XML and for who signs. */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^(?:[\w.-]+\/)*$/;
/** Characters of a prefix: keys have 1,024 with ours behind it. */
const MAX_PREFIX_CHARACTERS = 512;

/**
 * Opens the bucket that `--blobs` names, `s3://bucket/prefix`, with the variables of AWS. Throws INVALID_ARGUMENT,
 * BLOBS_UNREACHABLE.
 */
export async function openBlobStore(location: string, hasDatabase: boolean): Promise<BlobStore> {
  const credentials = takeCredentials();
  if (!hasDatabase)
    throw new ArchiveError("INVALID_ARGUMENT", "--blobs is for services that share a database: give --store as well");
  if (!location.startsWith(S3_SCHEME))
    throw new ArchiveError("INVALID_ARGUMENT", "--blobs takes s3://bucket/prefix", {
      hint: "for a directory that all services see, give it with --data and leave out --blobs",
    });
  const { bucket, prefix } = bucketOf(location);
  if (credentials === null)
    throw new ArchiveError("INVALID_ARGUMENT", "a bucket needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY", {
      hint: "set them in the environment of the service; they are never taken from the command line",
    });
  const region = process.env["AWS_REGION"] || DEFAULT_REGION;
  if (!/^[a-z0-9-]+$/.test(region)) throw new ArchiveError("INVALID_ARGUMENT", "AWS_REGION is no name of a region");
  const given = process.env["AWS_ENDPOINT_URL_S3"] || process.env["AWS_ENDPOINT_URL"] || null;
  const { S3Store } = await import("../http/blobs/s3-store.ts");
  const { RETRY_PAUSES_MS } = await import("../http/blobs/s3-client.ts");
  return new S3Store({
    endpoint: given === null ? new URL(`https://s3.${region}.amazonaws.com`) : endpointOf(given),
    bucket,
    prefix,
    // A certificate of the service holds for one label in front; the servers of others often have no name a bucket.
    isPathStyle: given !== null || bucket.includes("."),
    region,
    credentials,
    retryPausesMs: RETRY_PAUSES_MS,
    now: () => Date.now(),
  });
}

/** Taken out of the environment, which jobs would inherit. Null where they are not set. */
function takeCredentials(): S3Credentials | null {
  const accessKeyId = process.env["AWS_ACCESS_KEY_ID"];
  const secretAccessKey = process.env["AWS_SECRET_ACCESS_KEY"];
  const sessionToken = process.env["AWS_SESSION_TOKEN"] || null;
  for (const name of ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"]) delete process.env[name];
  return accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey, sessionToken } : null;
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
    "--blobs takes s3://bucket/prefix, where a prefix is made of letters, digits, and . _ - /",
  );
}

/** Names no address that it refuses: it may hold what was meant for nobody. */
function endpointOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain =
    url !== null && (url.pathname === "/" || url.pathname === "") && `${url.search}${url.hash}${url.username}` === "";
  if (url !== null && isPlain && ["http:", "https:"].includes(url.protocol)) return url;
  throw new ArchiveError(
    "INVALID_ARGUMENT",
    "AWS_ENDPOINT_URL must be http:// or https:// with a host and a port, without a path and a user",
  );
}
