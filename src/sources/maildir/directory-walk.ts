import { type Dirent, readdirSync } from "node:fs";
import { ArchiveError, systemErrorCode } from "../../errors.ts";
import { decodePath, encodePath, sortedByName } from "../../files/path-text.ts";
import { holdsJoinedParts, withoutSentParts } from "../emlx/partial-emlx.ts";
import { DISK_FAULTS } from "../reading/disk-faults.ts";
import { type SidecarProgram, withoutSidecars } from "./sidecar-files.ts";

/** Index, control and desktop files in mail directories, which are skipped silently. */
const CONTROL_FILES: ReadonlySet<string> = new Set([
  ".DS_Store",
  ".courier-enable-migration",
  ".isyncuidmap.db",
  ".lock",
  ".mailfilter",
  ".mbsyncstate",
  ".mh_sequences",
  ".nnmaildir",
  ".qmail",
  ".uidvalidity",
  ".xmhcache",
  "Thumbs.db",
  "courierimapacl",
  "courierimaphieracl",
  "courierimapsubscribed",
  "courierimapuiddb",
  "courierpop3dsizelist",
  "desktop.ini",
  "maildirfolder",
  "maildirsize",
  "sieve.log",
  "subscriptions",
]);

/** Begins the names of this tool's own files and directories in an output. */
const OUTPUT_PREFIX = ".archivetool-";

/** Prefixes of such files: dovecot indexes and lists, AppleDouble twins, mbsync and NFS leftovers. */
const CONTROL_PREFIXES = [OUTPUT_PREFIX, "dovecot", ".dovecot", "._", ".nfs", ".mbsyncstate.", ".~lock"] as const;

/** Directories of other programs that are never entered. */
const CONTROL_DIRECTORIES: ReadonlySet<string> = new Set([
  ".git",
  ".hg",
  ".mu",
  ".notmuch",
  ".svn",
  ".xapian",
  "__MACOSX",
  "courierimapkeywords",
  "dbox-Mails",
]);

/** In every output of this tool: such a directory is not mail, wherever the output was written. */
const OUTPUT_LIST = ".archivetool-files.json";

/**
 * Error codes for a directory that may not be listed, or not by its name. Other errors are those of the disk or of
 * this process.
 */
const CLOSED_DIRECTORY: ReadonlySet<string> = new Set(["EACCES", "EINVAL", "ELOOP", "ENAMETOOLONG", "EPERM"]);
const GONE_DIRECTORY: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR"]);

/** Content of a directory. Names are decoded and sorted; files and directories of other programs are excluded. */
export interface DirectoryEntries {
  readonly files: readonly string[];
  readonly directories: readonly string[];
  /** Other entries: links are not followed, because their targets may be outside the source. */
  readonly others: readonly { readonly name: string; readonly code: "symbolic-link" | "special-file" }[];
  /** Program whose files about the messages were excluded. */
  readonly sidecars: SidecarProgram | null;
}

const NO_ENTRIES: DirectoryEntries = { files: [], directories: [], others: [], sidecars: null };

/** A visited directory. */
export interface VisitedDirectory {
  /** Relative to the root with a `/` at its end; "" for the root. */
  readonly prefix: string;
  /** Its number in the walk, from 0, and that of the directory above; -1 above the root. */
  readonly place: number;
  readonly parent: number;
  /** True if it contains `cur`, or `new` and `tmp`: these are parts of it, and not visited. */
  readonly isMaildir: boolean;
  /** Its files, and the directories that are visited after it. */
  readonly entries: DirectoryEntries;
  /** Why it counts as empty: an output of this tool, or the error code of listing it. */
  readonly closed: { readonly kind: "output" } | { readonly kind: "unreadable"; readonly code: string } | null;
}

/**
 * Visits every directory of a tree in order, parents first. Links are not followed, so the walk cannot loop or leave
 * the tree. @throws the system error if the root cannot be listed; ArchiveError SOURCE_LOST if the disk fails.
 */
export function* walkDirectories(root: string): Generator<VisitedDirectory> {
  const pending = [{ prefix: "", parent: -1 }];
  let place = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop(), place++) {
    const { prefix, parent } = next;
    const { entries, closed } = openDirectory(root, prefix);
    const isMaildir = isMaildirFolder(entries.directories);
    const directories = isMaildir
      ? entries.directories.filter((name) => !MAILDIR_PARTS.has(name))
      : entries.directories;
    yield { prefix, place, parent, isMaildir, entries: { ...entries, directories }, closed };
    for (let index = directories.length - 1; index >= 0; index--) {
      pending.push({ prefix: `${prefix}${directories[index]}/`, parent: place });
    }
  }
}

/** Lists one directory; a missing one is empty. */
export function openDirectory(root: string, prefix: string): Pick<VisitedDirectory, "entries" | "closed"> {
  // A stored part of a message is not a message file.
  if (holdsJoinedParts(root, prefix)) return { entries: NO_ENTRIES, closed: null };
  try {
    const found = readdirSync(encodePath(`${root}/${prefix}`), { withFileTypes: true, encoding: "buffer" });
    const named = found.map((entry) => ({ name: decodePath(entry.name), entry }));
    if (named.some(({ name }) => name === OUTPUT_LIST)) return { entries: NO_ENTRIES, closed: { kind: "output" } };
    const entries = sortedEntries(named);
    return { entries: { ...entries, files: withoutSentParts(entries.files) }, closed: null };
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === null) throw error;
    if (DISK_FAULTS.has(code))
      throw new ArchiveError("SOURCE_LOST", `${root}/${prefix} cannot be listed: its disk failed`, { cause: error });
    if (prefix !== "" && GONE_DIRECTORY.has(code)) return { entries: NO_ENTRIES, closed: null };
    if (prefix === "" || !CLOSED_DIRECTORY.has(code)) throw error;
    return { entries: NO_ENTRIES, closed: { kind: "unreadable", code } };
  }
}

function sortedEntries(named: readonly { readonly name: string; readonly entry: Dirent<Buffer> }[]): DirectoryEntries {
  const files: string[] = [];
  const directories: string[] = [];
  const others: DirectoryEntries["others"][number][] = [];
  for (const { name, entry } of sortedByName(named)) {
    const isDirectory = entry.isDirectory();
    if (isDirectory ? isControlDirectory(name) : isControlFile(name)) continue;
    if (isDirectory) directories.push(name);
    else if (entry.isFile()) files.push(name);
    else others.push({ name, code: entry.isSymbolicLink() ? "symbolic-link" : "special-file" });
  }
  return { ...withoutSidecars(files, directories), directories, others };
}

const MAILDIR_PARTS: ReadonlySet<string> = new Set(["cur", "new", "tmp"]);

/**
 * `cur` alone is enough (archives lose empty directories); `new` is a common folder name and requires `tmp` as a
 * sibling.
 */
function isMaildirFolder(directories: readonly string[]): boolean {
  return directories.includes("cur") || (directories.includes("new") && directories.includes("tmp"));
}

function isControlDirectory(name: string): boolean {
  return CONTROL_DIRECTORIES.has(name) || name.startsWith(OUTPUT_PREFIX);
}

function isControlFile(name: string): boolean {
  return CONTROL_FILES.has(name) || CONTROL_PREFIXES.some((prefix) => name.startsWith(prefix));
}
