import { createHash } from "node:crypto";

/**
 * Hash of a whole input: that of its single source, or SHA-256 over the sorted lines `<sha256>
 * ` of several.
 */
export function hashOfSources(hashes: readonly string[]): string {
  if (hashes.length === 1) return hashes[0]!;
  const lines = hashes.toSorted().map((sha256) => `${sha256}\n`);
  return createHash("sha256").update(lines.join("")).digest("hex");
}
