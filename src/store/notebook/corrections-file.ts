import { hash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Correction } from "../../contacts/corrections/correction.ts";
import { withEntry, withoutLastEntry } from "../../contacts/corrections/file-entries.ts";
import { HEADER, MAX_PEOPLE_BYTES } from "../../contacts/corrections/people-file.ts";
import { ArchiveError, systemErrorCode } from "../../errors.ts";
import { writeDurably } from "../../files/durable-files.ts";
import type { Provenance } from "../../mail/records/provenance.ts";
import { TOPICS_HEADER, type TopicCorrection } from "../../topics/topic-corrections.ts";
import type { FileLocation } from "../contract/archive-location.ts";
import type { CorrectionStore, CorrectionsFile } from "../contract/correction-store.ts";
import type { UploadCorrections } from "../contract/upload-corrections.ts";
import { acquireFileLock } from "../sqlite/files/file-lock.ts";

/** The file next to an archive with corrections of people. No extraction writes it. */
export const PEOPLE_FILE = "people.txt";

/** The file next to an archive that names, joins and hides topics. */
export const TOPICS_FILE = "topics.txt";

/** Locked while a file is written. */
const CORRECTIONS_LOCK_FILE = ".archivetool-corrections-lock";
/** Hexadecimal digits of a revision: 64 bits. */
const REVISION_CHARACTERS = 16;

/** The text of the corrections in an output directory; "" if there are none. Throws INVALID_ARGUMENT. */
export function correctionsTextIn(directory: string, name: CorrectionsFile): string {
  return readCorrectionsText(join(directory, name)) ?? "";
}

/** Text of a corrections file, or null. Throws INVALID_ARGUMENT. */
export function readCorrectionsText(path: string): string | null {
  try {
    if (statSync(path).size > MAX_PEOPLE_BYTES)
      throw new ArchiveError("INVALID_ARGUMENT", `${path} is larger than ${MAX_PEOPLE_BYTES} bytes`);
    return readFileSync(path, "utf8");
  } catch (error) {
    const code = systemErrorCode(error);
    // The parent may be a file: the caller reports that it is not an output directory.
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    if (error instanceof ArchiveError) throw error;
    throw new ArchiveError("SOURCE_UNREADABLE", `cannot read ${path}`, { cause: error });
  }
}

/** First lines of the files. */
const HEADERS: Readonly<Record<CorrectionsFile, string>> = {
  [PEOPLE_FILE]: HEADER,
  [TOPICS_FILE]: TOPICS_HEADER,
};

/** Identifies a version of the corrections. */
export function correctionsRevision(text: string): string {
  return sha256Of(text).slice(0, REVISION_CHARACTERS);
}

const sha256Of = (text: string): string => hash("sha256", text);

/** Identifies the corrections of people and topics; comments and undone entries do not count. */
export function correctionsHash(people: readonly Correction[], topics: readonly TopicCorrection[]): string {
  return sha256Of(people.length + topics.length === 0 ? "" : JSON.stringify([people, topics]));
}

/** The hash of the corrections that an archive shows. */
export function appliedCorrections({ people }: Provenance): string {
  return people?.corrections ?? sha256Of("");
}

/** Throws NOTEBOOK_CHANGED if the corrections have another revision than the one that was seen. */
function requireSeen(text: string, seen: string | null): string {
  if (seen !== null && seen !== correctionsRevision(text))
    throw new ArchiveError("NOTEBOOK_CHANGED", "someone else changed the corrections: reload them, then try again");
  return text;
}

/** Corrections of an archive file. */
export function fileCorrections({ file }: FileLocation, name: CorrectionsFile): CorrectionStore {
  const directory = dirname(file);
  const path = join(directory, name);
  const text = (): string => readCorrectionsText(path) ?? "";
  const seenText = (seen: string | null): string => requireSeen(text(), seen);
  return {
    text: async () => text(),
    add: async (entry, seen = null) =>
      locked(directory, () => writeDurably(path, withEntry(seenText(seen), HEADERS[name], entry))),
    undo: async (seen = null) =>
      locked(directory, () => {
        const undone = withoutLastEntry(seenText(seen));
        if (undone !== null) writeDurably(path, undone.text);
        return undone?.entry ?? null;
      }),
  };
}

/**
 * Corrections of an upload: rows of a catalog. Those of a file that an earlier version has written become its first
 * row. `writeCorrections` writes them to the file, which extractions read.
 */
export function storedCorrections(
  rows: UploadCorrections,
  {
    uploadId,
    location,
    name,
  }: { readonly uploadId: string; readonly location: FileLocation; readonly name: CorrectionsFile },
): CorrectionStore {
  const upload = { uploadId, file: name };
  const known = (entries: readonly string[]): readonly string[] => {
    if (entries.length > 0) return entries;
    const text = correctionsTextIn(dirname(location.file), name);
    return text === "" ? [] : [text];
  };
  return {
    text: async () => known(await rows.correctionEntries(upload)).join(""),
    add: (entry, seen = null) =>
      rows.changeCorrections(upload, (entries) => {
        const before = known(entries);
        const text = requireSeen(before.join(""), seen);
        return [...before, withEntry(text, HEADERS[name], entry).slice(text.length)];
      }),
    async undo(seen = null) {
      let undone: string | null = null;
      await rows.changeCorrections(upload, (entries) => {
        const before = known(entries);
        requireSeen(before.join(""), seen);
        const at = before.findLastIndex((entry) => withoutLastEntry(entry) !== null);
        if (at < 0) return null;
        const rest = withoutLastEntry(before[at]!)!;
        undone = rest.entry;
        const kept = before.with(at, rest.text).filter((entry) => entry !== "");
        // Without a row the file would count.
        return kept.length > 0 ? kept : [`${HEADERS[name]}\n`];
      });
      return undone;
    },
  };
}

/** True if the file next to an archive has these corrections. */
export async function areWritten(
  { text }: CorrectionStore,
  { file }: FileLocation,
  name: CorrectionsFile,
): Promise<boolean> {
  return (await text()) === correctionsTextIn(dirname(file), name);
}

/** Writes corrections to the file next to an archive. */
export async function writeCorrections(
  store: CorrectionStore,
  location: FileLocation,
  name: CorrectionsFile,
): Promise<void> {
  if (await areWritten(store, location, name)) return;
  const directory = dirname(location.file);
  const text = await store.text();
  locked(directory, () => writeDurably(join(directory, name), text));
}

/** Excludes other writers of corrections, but not the extraction that follows the ones before. Throws OUTPUT_BUSY. */
function locked<T>(directory: string, use: () => T): T {
  const lock = acquireFileLock(join(directory, CORRECTIONS_LOCK_FILE));
  if (lock === null) throw new ArchiveError("OUTPUT_BUSY", `another program is correcting ${directory}`);
  try {
    return use();
  } finally {
    lock.release();
  }
}
