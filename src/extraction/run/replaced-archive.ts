import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ArchiveError } from "../../errors.ts";
import { formatInstant, type Instant, parseInstant } from "../../mail/dates/instant.ts";
import { openArchive } from "../../store/archive/open-archive.ts";
import { archiveIn, isArchiveThere } from "../../store/contract/archive-location.ts";
import { countOf } from "../../text/tokens/format-count.ts";
import { PROVENANCE_FILE } from "../publishing/output-files.ts";
import type { LabeledSource } from "../reading/source-watch.ts";

/** Maximum sources listed in an error. */
const NAMED_SOURCES = 3;

/** A source of an archive, as needed to recognize it. */
interface EarlierSource {
  readonly path: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** The archive that a run without `--incremental` replaces. */
export interface ReplacedArchive {
  readonly sources: readonly EarlierSource[];
  readonly messages: number;
  readonly extractedAt: Instant | null;
}

/** Finds the archive in an output directory, or null. An archive with no readable file has an empty list of sources. */
export async function findReplacedArchive(directory: string): Promise<ReplacedArchive | null> {
  const location = archiveIn(directory);
  const record = join(directory, PROVENANCE_FILE);
  if (!isArchiveThere(location) && !existsSync(record)) return null;
  try {
    const archive = await openArchive(location);
    try {
      const { sources, statistics, extractedAt } = await archive.provenance();
      return { sources, messages: statistics.totalMessages, extractedAt };
    } finally {
      await archive.close();
    }
  } catch {
    return recordedArchive(record) ?? { sources: [], messages: 0, extractedAt: null };
  }
}

interface RecordedProvenance {
  readonly extracted_at: string;
  readonly sources: readonly { readonly path: string; readonly sha256: string; readonly size_bytes: number }[];
  readonly statistics: { readonly total_messages: number };
}

/** Reads provenance.json of any version, for an archive whose store is missing, damaged, or of another version. */
function recordedArchive(path: string): ReplacedArchive | null {
  try {
    const { sources, statistics, extracted_at } = JSON.parse(readFileSync(path, "utf8")) as RecordedProvenance;
    return {
      sources: sources.map(({ path, sha256, size_bytes }) => ({ path, sha256, sizeBytes: size_bytes })),
      messages: statistics.total_messages,
      extractedAt: parseInstant(extracted_at),
    };
  } catch {
    return null;
  }
}

/**
 * Rejects a run that would lose mail of an earlier one: each earlier source must be named again, identified by path or
 * content. Only moved files of equal size are hashed, so the check does not wait for the mail to be read.
 * @throws ArchiveError OUTPUT_OTHER_SOURCES, which describes the existing archive
 */
export async function requireSameSources(
  directory: string,
  replaced: ReplacedArchive,
  named: readonly LabeledSource[],
): Promise<void> {
  const paths = new Set(named.map(({ name }) => resolve(name)));
  const elsewhere = replaced.sources.filter(({ path }) => !paths.has(resolve(path)));
  if (elsewhere.length === 0 && replaced.sources.length > 0) return;
  const sizes = new Set(elsewhere.map(({ sizeBytes }) => sizeBytes));
  const known = new Set(replaced.sources.map(({ path }) => resolve(path)));
  const hashes = new Set<string>();
  // Loaded here together with all mail readers: few runs need it in this thread.
  const { hashSource } = await import("../reading/hash-source.ts");
  for (const source of named) {
    if (sizes.has(source.sizeBytes) && !known.has(resolve(source.name))) hashes.add(await hashSource(source));
  }
  const lost = elsewhere.filter(({ sha256 }) => !hashes.has(sha256));
  if (lost.length === 0 && replaced.sources.length > 0) return;
  throw new ArchiveError("OUTPUT_OTHER_SOURCES", `${directory} contains ${describe(replaced, lost)}`);
}

function describe({ sources, messages, extractedAt }: ReplacedArchive, lost: readonly EarlierSource[]): string {
  if (sources.length === 0) return "an archive that does not list its sources";
  const named = lost.slice(0, NAMED_SOURCES).map(({ path }) => path);
  const more = lost.length > named.length ? ` and ${lost.length - named.length} more` : "";
  const date = extractedAt === null ? "" : `, extracted ${formatInstant(extractedAt)}`;
  return `an archive of other sources: ${named.join(", ")}${more} (${countOf(messages, "message")}${date})`;
}
