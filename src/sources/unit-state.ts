import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { encodePath } from "../files/path-text.ts";
import { messageFiles } from "./maildir/message-files.ts";
import type { WorkUnit } from "./reading/source.ts";

/**
 * Fingerprint of a unit from file metadata (size, number, change times) and its range of files. Equal fingerprints
 * give the same items; no content is read. Metadata from the listing is reused: later changes show up in the next
 * listing.
 */
export function unitState(unit: WorkUnit): string {
  const hash = createHash("sha256");
  hash.update(partOf(unit));
  if (unit.kind === "files" && unit.states !== undefined) return hash.digest("hex");
  for (const path of pathsOf(unit)) hash.update(`${fileState(path)}\n`);
  return hash.digest("hex");
}

/** The file system's state of a file in one line; "gone" if it does not exist. */
export function fileState(path: string | Buffer): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return "gone";
  // The system sets the change time: no program can set it back.
  return `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`;
}

/** The part of its source's files that a unit covers. */
function partOf(unit: WorkUnit): string {
  // The address directory is omitted: it depends only on the file, and is as large.
  return JSON.stringify("directory" in unit ? { ...unit, directory: null } : unit);
}

function* pathsOf(unit: WorkUnit): Generator<string | Buffer> {
  if (unit.kind !== "files") {
    yield encodePath(unit.path);
    return;
  }
  const beginning = unit.root === "" ? "" : `${unit.root}/`;
  for (const { relativePath } of messageFiles(unit)) yield encodePath(beginning + relativePath);
}
