import { existsSync } from "node:fs";
import { moveDurably } from "../../files/move-durably.ts";
import { requireReplaceable } from "../../files/replaceable-file.ts";
import type { FileLocation } from "../contract/archive-location.ts";
import { checkFile } from "../sqlite/files/file-checksums.ts";

/**
 * Moves a finished archive to its place: readers see either the previous content or all of the new one. Can be called
 * again after an interruption. Durable once both directories are synced, which the caller does once for all outputs.
 */
export function publishArchive(finished: FileLocation, place: FileLocation): void {
  moveDurably(finished.file, place.file);
}

/** True if an archive matches its checksums; takes 0.7 ms per MB. */
export function agreesWithChecksums({ file }: FileLocation): boolean {
  return existsSync(file) && checkFile(file).state === "sound";
}

/** Throws OUTPUT_BUSY and OUTPUT_UNWRITABLE if the existing archive at the location cannot be replaced. */
export function requirePublishable({ file }: FileLocation): void {
  if (existsSync(file)) requireReplaceable(file);
}
