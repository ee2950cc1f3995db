import { hash } from "node:crypto";
import { indexOf, type MessageOrdinal } from "../../mail/records/ordinal.ts";
import { hasCurrentSchema } from "../../store/archive/write-archive.ts";
import { TOOL_VERSION } from "../../version.ts";
import type { EarlierArchive } from "../earlier/earlier-archive.ts";
import type { DamagedFile, OutputFile } from "../publishing/output-manifest.ts";
import type { ExtendedOutput } from "./extraction-request.ts";

/** The earlier output of an archive, with its state. */
interface EarlierFiles {
  readonly directory: string;
  readonly files: readonly OutputFile[];
  readonly damaged: readonly DamagedFile[];
  /** Messages of earlier runs that the run has changed. */
  readonly changed: ReadonlySet<MessageOrdinal>;
}

/**
 * The output that the archive grew from; null unless this version wrote it, with the fields that records have today.
 */
export function extendedOutput(
  earlier: EarlierArchive | null,
  { directory, files, damaged, changed }: EarlierFiles,
): ExtendedOutput | null {
  if (earlier === null || earlier.provenance.toolVersion !== TOOL_VERSION) return null;
  if (!hasCurrentSchema(earlier.location)) return null;
  const lost = new Set(damaged.map(({ path }) => path));
  const whole = new Map(files.flatMap(({ path, seal }) => (lost.has(path) ? [] : [[path, seal] as const])));
  const kept = new Set<string>();
  return {
    directory,
    files: new Set(whole.keys()),
    isWhole: damaged.length === 0,
    kept,
    keep(path, content) {
      const seal = whole.get(path);
      if (seal?.sizeBytes !== content.length || hash("sha256", content) !== seal.sha256) return false;
      kept.add(path);
      return true;
    },
    isUnchanged: (message) => indexOf(message) < earlier.messages && !changed.has(message),
  };
}
