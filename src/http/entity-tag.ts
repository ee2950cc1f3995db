import { createHash } from "node:crypto";
import { ArchiveError } from "../errors.ts";
import type { Archive } from "../mail/archive.ts";
import { TOOL_VERSION } from "../version.ts";

/**
 * Weak entity tags (RFC 9110 section 8.8.1). An open archive never changes, so its identity tags every answer made of
 * it, with the revision of the notebook beside it; weak, because the time in the envelope differs.
 */
export class ArchiveTags {
  private readonly tags = new WeakMap<Archive, Promise<string>>();

  /** Asked for before the answer is made: what is written meanwhile makes it older than its tag says, never newer. */
  async tagOf(archive: Archive): Promise<string> {
    const known = this.tags.get(archive) ?? hashOf(archive);
    this.tags.set(archive, known);
    // Together: where both fail, one that nobody waits for would end the process.
    const [hash, revision] = await Promise.all([known, revisionOf(archive)]);
    return `W/"${hash}${revision === 0 ? "" : `.${revision}`}"`;
  }
}

/** Answers that do not need the notebook are given although it cannot be read; not where its database is away. */
async function revisionOf(archive: Archive): Promise<number | string> {
  try {
    return (await archive.notebook()).revision;
  } catch (error) {
    if (error instanceof ArchiveError && error.code === "STORE_UNREACHABLE") throw error;
    return "unreadable";
  }
}

/** The tag of an answer that depends on something beside the archive; `changing` is made of letters, digits and `-`. */
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

/** Whether If-None-Match (RFC 9110 section 13.1.2) names the tag. */
export function isKnownTag(tag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  const opaque = tag.replace(/^W\//, "");
  return ifNoneMatch.split(",").some((given) => given.trim() === "*" || given.trim().replace(/^W\//, "") === opaque);
}
