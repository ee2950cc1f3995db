import { createHash, createHmac } from "node:crypto";
import type { Instant } from "../../mail/instant.ts";

/**
 * Signature Version 4 in the header Authorization, as "Authenticating Requests: Using the Authorization Header" of the
 * Amazon S3 API Reference (AWS4-HMAC-SHA256) has it.
 */

/** Who asks. Never logged, and told to nobody: only signatures leave the process. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of credentials that end; null for those that do not. */
  readonly sessionToken: string | null;
}

/** A request before it is signed. */
export interface UnsignedRequest {
  readonly method: string;
  /** Not encoded, with `/` in front and between segments. */
  readonly path: string;
  /** Not encoded. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** `host` among them; names in lower case. All are signed. */
  readonly headers: Readonly<Record<string, string>>;
  /** SHA-256 of the body, in hex. */
  readonly bodySha256: string;
}

export interface SigningSetting {
  readonly credentials: S3Credentials;
  readonly region: string;
  readonly at: Instant;
}

const ALGORITHM = "AWS4-HMAC-SHA256";
const SERVICE = "s3";

/** The headers that a request is sent with. */
export function signedHeaders(request: UnsignedRequest, setting: SigningSetting): Readonly<Record<string, string>> {
  const { credentials, region, at } = setting;
  const time = basicTime(at);
  const headers: Record<string, string> = {
    ...request.headers,
    "x-amz-content-sha256": request.bodySha256,
    "x-amz-date": time,
    ...(credentials.sessionToken === null ? {} : { "x-amz-security-token": credentials.sessionToken }),
  };
  const names = Object.keys(headers).sort();
  const canonical = [
    request.method,
    encodedPath(request.path),
    encodedQuery(request.query),
    ...names.map((name) => `${name}:${headers[name]!.trim().replace(/ +/g, " ")}`),
    "",
    names.join(";"),
    request.bodySha256,
  ].join("\n");
  const scope = `${time.slice(0, 8)}/${region}/${SERVICE}/aws4_request`;
  const toSign = [ALGORITHM, time, scope, sha256(canonical)].join("\n");
  const key = ["aws4_request", SERVICE, region, time.slice(0, 8)].reduceRight<string | Buffer>(
    (secret, word) => hmac(secret, word),
    `AWS4${credentials.secretAccessKey}`,
  );
  const signature = hmac(key, toSign).toString("hex");
  const authorization = `${ALGORITHM} Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${names.join(";")}, Signature=${signature}`;
  return { ...headers, authorization };
}

/** A path as it stands in the request line: what is unreserved (RFC 3986) and `/` stay. */
export function encodedPath(path: string): string {
  return path.split("/").map(encoded).join("/");
}

/** A query sorted by name, as it is signed and sent. */
export function encodedQuery(query: UnsignedRequest["query"]): string {
  return query
    .map(([name, value]) => [encoded(name), encoded(value)] as const)
    .sort(([a], [b]) => Number(a > b) - Number(a < b))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

/** `encodeURIComponent` leaves five characters that RFC 3986 reserves. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** ISO 8601 without separators and milliseconds: 20130524T000000Z. */
function basicTime(at: Instant): string {
  return new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, "");
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
