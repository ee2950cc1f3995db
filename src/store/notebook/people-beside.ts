import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { MAX_PEOPLE_BYTES, withEntry, withoutLastEntry } from "../../contacts/corrections/people-file.ts";
import { ArchiveError, systemErrorCode } from "../../errors.ts";
import { writeDurably } from "../../files/durable-files.ts";
import { type FileLocation, OUTPUT_LOCK_FILE } from "../contract/archive-location.ts";
import type { CorrectionStore } from "../contract/correction-store.ts";
import { acquireFileLock } from "../sqlite/files/file-lock.ts";

/** The file next to an archive that says who is who. No extraction writes it. */
export const PEOPLE_FILE = "people.txt";

/** The text of the corrections in an output directory; "" where there are none. Throws INVALID_ARGUMENT. */
export function peopleTextIn(directory: string): string {
  return readPeopleText(join(directory, PEOPLE_FILE)) ?? "";
}

/** The text of a file of corrections; null where there is no such file. Throws INVALID_ARGUMENT. */
export function readPeopleText(path: string): string | null {
  try {
    if (statSync(path).size > MAX_PEOPLE_BYTES)
      throw new ArchiveError("INVALID_ARGUMENT", `${path} is larger than ${MAX_PEOPLE_BYTES} bytes`);
    return readFileSync(path, "utf8");
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return null;
    if (error instanceof ArchiveError) throw error;
    throw new ArchiveError("SOURCE_UNREADABLE", `cannot read ${path}`, { cause: error });
  }
}

/** Corrections of an archive that is a file. */
export function fileCorrections({ file }: FileLocation): CorrectionStore {
  const directory = dirname(file);
  const path = join(directory, PEOPLE_FILE);
  return {
    text: async () => readPeopleText(path) ?? "",
    add: async (entry) => locked(directory, () => writeDurably(path, withEntry(readPeopleText(path) ?? "", entry))),
    undo: async () =>
      locked(directory, () => {
        const undone = withoutLastEntry(readPeopleText(path) ?? "");
        if (undone !== null) writeDurably(path, undone.text);
        return undone?.entry ?? null;
      }),
    close: async () => undefined,
  };
}

/** Keeps other writers out, and extractions, which would not see what is written. Throws OUTPUT_BUSY. */
function locked<T>(directory: string, use: () => T): T {
  const lock = acquireFileLock(join(directory, OUTPUT_LOCK_FILE));
  if (lock === null) throw new ArchiveError("OUTPUT_BUSY", `another program is writing to ${directory}`);
  try {
    return use();
  } finally {
    lock.release();
  }
}
