import { existsSync } from "node:fs";
import { moveDurably } from "../../files/move-durably.ts";
import { requireReplaceable } from "../../files/replaceable-file.ts";
import type { FileLocation } from "../contract/archive-location.ts";
import { checkFile } from "../sqlite/files/file-checksums.ts";

/**
 * Puts a finished archive in its place: readers see what was there, or all of the new one. It is no longer where it
 * was. May be asked for again after it was cut short. On disk when the directories of both are synced, which whoever
 * publishes what lies beside it does once for all.
 */
export function publishArchive(finished: FileLocation, place: FileLocation): void {
  moveDurably(finished.file, place.file);
}

/** True for an archive whose every byte is what its checksums say: 0.7 ms a megabyte. */
export function agreesWithChecksums({ file }: FileLocation): boolean {
  return existsSync(file) && checkFile(file).state === "sound";
}

/** Throws OUTPUT_BUSY and OUTPUT_UNWRITABLE where an archive is that cannot be replaced by another. */
export function requirePublishable({ file }: FileLocation): void {
  if (existsSync(file)) requireReplaceable(file);
}
