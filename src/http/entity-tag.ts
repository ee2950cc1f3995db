import { createHash } from "node:crypto";
import { ArchiveError } from "../errors.ts";
import type { Archive } from "../mail/archive.ts";
import { TOOL_VERSION } from "../version.ts";

/**
 * Weak entity tags (RFC 9110 section 8.8.1). An open archive never changes, so its identity and the revision of the
 * notebook tag every response made from it. Weak, because the time in the envelope differs.
 */
export class ArchiveTags {
  private readonly tags = new WeakMap<Archive, Promise<string>>();

  /** Call before creating the response: a concurrent write then makes the response newer than its tag, never older. */
  async tagOf(archive: Archive): Promise<string> {
    const known = this.tags.get(archive) ?? hashOf(archive);
    this.tags.set(archive, known);
    // Awaited together: otherwise a second rejection would be unhandled.
    const [hash, revision] = await Promise.all([known, revisionOf(archive)]);
    return `W/"${hash}${revision === 0 ? "" : `.${revision}`}"`;
  }
}

/** Responses that do not need the notebook are sent even if it is unreadable, unless its database is unreachable. */
async function revisionOf(archive: Archive): Promise<number | string> {
  try {
    return (await archive.notebook()).revision;
  } catch (error) {
    if (error instanceof ArchiveError && error.code === "STORE_UNREACHABLE") throw error;
    return "unreadable";
  }
}

/** Tags a response that depends on more than the archive; `changing` consists of letters, digits and `-`. */
export function taggedWith(tag: string, changing: string): string {
  return changing === "" ? tag : tag.replace(/"$/, `.${changing}"`);
}

/** Characters of the hash kept: 96 bits. */
const TAG_LENGTH = 16;

async function hashOf(archive: Archive): Promise<string> {
  const { sourceHash, extractedAt, toolVersion, statistics } = await archive.provenance();
  const identity = JSON.stringify([TOOL_VERSION, toolVersion, sourceHash, extractedAt, statistics]);
  return createHash("sha256").update(identity).digest("base64url").slice(0, TAG_LENGTH);
}

/** Whether If-None-Match (RFC 9110 section 13.1.2) matches the tag. */
export function matchesTag(tag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  const opaque = tag.replace(/^W\//, "");
  return ifNoneMatch.split(",").some((given) => given.trim() === "*" || given.trim().replace(/^W\//, "") === opaque);
}
