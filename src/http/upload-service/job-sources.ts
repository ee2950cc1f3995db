import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { ArchiveError } from "../../errors.ts";
import type { Warning } from "../../mail/provenance.ts";
import { type FoundSources, findSources } from "../../sources/find-sources.ts";
import { readHead } from "../../sources/read-head.ts";
import { archiveFormat, archiveOfName } from "../../unpacking/archive-format.ts";
import { unpackArchive } from "../../unpacking/unpack-archive.ts";
import { UNPACK_LIMITS } from "../../unpacking/unpack-limits.ts";
import type { JobRequest } from "./job-messages.ts";

/** What a job gives to the extraction. */
export interface JobSources {
  /** Where the paths begin. */
  readonly directory: string;
  /** Relative to the directory. */
  readonly paths: readonly string[];
  readonly isUnpacked: boolean;
  /** Files of an archive that are in no source. */
  readonly notes: readonly Warning[];
}

/**
 * The uploaded file itself, or what lies in it. Throws as `unpackArchive`, and SOURCE_EMPTY for an archive without
 * mail.
 */
export async function openJobSources(request: JobRequest, signal: AbortSignal): Promise<JobSources> {
  const { sourceDirectory, filename, attemptDirectory } = request;
  const source = join(sourceDirectory, filename);
  if (!isArchiveFile(source)) return { directory: sourceDirectory, paths: [filename], isUnpacked: false, notes: [] };
  const directory = join(attemptDirectory, "unpacked");
  mkdirSync(directory);
  // Sources and mailboxes in it are shown below the name of the archive.
  const root = join(directory, unpackedName(filename));
  await unpackArchive(source, root, UNPACK_LIMITS, signal);
  const found = await findSources(root);
  const inside = (path: string): string => path.slice(directory.length + 1);
  if (found.paths.length === 0) throw new ArchiveError("SOURCE_EMPTY", `${filename} holds no mail that can be read`);
  return { directory, paths: found.paths.map(inside), isUnpacked: true, notes: leftOutNotes(found, inside) };
}

/** What a directory of messages tells of files in it that are none, told of those that lie in no such directory. */
function leftOutNotes({ leftOut, leftOutCount }: FoundSources, inside: (path: string) => string): readonly Warning[] {
  const note = (message: string, location: string | null): Warning => ({
    code: "not-a-message",
    message,
    source: null,
    location,
    sha256: null,
  });
  const notes = leftOut.map((path) => note("no mail that can be read: the file was left out", inside(path)));
  const unnamed = leftOutCount - leftOut.length;
  return unnamed === 0 ? notes : [...notes, note(`${unnamed} more files hold no mail that can be read`, null)];
}

/** True for a zip or tar file, whatever its name. Throws SOURCE_UNREADABLE. */
export function isArchiveFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true && archiveFormat(readHead(path)) !== null;
}

function unpackedName(filename: string): string {
  const name = archiveOfName(filename)?.stem ?? filename;
  return /^\.*$/.test(name) ? "archive" : name;
}
