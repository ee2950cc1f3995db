import { type Dirent, readdirSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { ArchiveError, systemErrorCode } from "../errors.ts";
import { DISK_FAULTS } from "./disk-faults.ts";
import { emlxMailbox, isEmlxName } from "./emlx.ts";
import { directoryMailboxName, maildirPlusName } from "./mailbox-name.ts";
import { compareNames, decodePath, encodePath } from "./path-text.ts";
import type { SourceItem } from "./source.ts";

/** Files of index, control and desktop programs that lie in mail directories and are no mail. Left out without a word. */
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
export const OUTPUT_PREFIX = ".archivetool-";

/** Beginnings of names of such files: dovecot indexes and lists, AppleDouble twins, mbsync and NFS leftovers. */
const CONTROL_PREFIXES = [OUTPUT_PREFIX, "dovecot", ".dovecot", "._", ".nfs", ".mbsyncstate.", ".~lock"] as const;

/** Directories of other programs that are never entered. */
export const CONTROL_DIRECTORIES: ReadonlySet<string> = new Set([
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

/** Lies in every output of this tool: what was made of mail is no mail, wherever the output was put. */
export const OUTPUT_LIST = ".archivetool-files.json";

/** What a system says of a directory that may not be listed, or not by its name. Its other errors are those of a disk, or of this process. */
const CLOSED_DIRECTORY: ReadonlySet<string | null> = new Set(["EACCES", "EINVAL", "ELOOP", "ENAMETOOLONG", "EPERM"]);
const GONE_DIRECTORY: ReadonlySet<string | null> = new Set(["ENOENT", "ENOTDIR"]);

/** A unit of files ends at 256 of them, or at about 1 MiB: enough that handing it over costs nothing, little enough to balance. */
export const UNIT_FILES_MAX = 256;
export const UNIT_BYTES = 1024 * 1024;

/** The message files of one directory. Names are kept joined in one buffer: a tree may hold a million. */
export interface FileListing {
  /** Relative to the root with a `/` at its end; "" for the root. */
  readonly prefix: string;
  readonly mailbox: string;
  /** Decoded names, NUL between them, in order. */
  readonly names: Buffer;
}

/** What a walk found. Files are numbered in order of the listings. */
export interface MailTree {
  readonly listings: readonly FileListing[];
  readonly notes: readonly SourceItem[];
  readonly fileCount: number;
  readonly sizeBytes: number;
  /** Ordinals of files that begin a unit, ascending; 0 is not among them. */
  readonly cuts: readonly number[];
  /** Directories with `cur` or `new`. */
  readonly maildirCount: number;
  /** Files named `.eml` or `.emlx` outside them. */
  readonly emlCount: number;
}

interface Directory {
  readonly prefix: string;
  /** Mailbox path; "" for the root. */
  readonly mailbox: string;
}

/**
 * Lists the message files of a directory tree: Maildir folders (Maildir++ or nested), and bare message files at any depth.
 * Symbolic links are not followed, so the walk cannot loop or leave the tree. An unreadable root throws the system's error.
 * @throws ArchiveError SOURCE_LOST when the disk fails: nobody could tell how much mail a directory holds that was not listed
 */
export function walkMailTree(root: string): MailTree {
  const walk = new TreeWalk(root);
  const pending: Directory[] = [{ prefix: "", mailbox: "" }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const children = walk.visit(next);
    for (let index = children.length - 1; index >= 0; index -= 1) pending.push(children[index]!);
  }
  return walk.tree();
}

interface Entries {
  readonly files: readonly string[];
  readonly directories: readonly string[];
}

class TreeWalk {
  readonly #root: string;
  readonly #rootMailbox: string;
  readonly #listings: FileListing[] = [];
  readonly #notes: SourceItem[] = [];
  readonly #cuts: number[] = [];
  #fileCount = 0;
  #sizeBytes = 0;
  #maildirCount = 0;
  #emlCount = 0;
  #unitFiles = 0;
  #unitBytes = 0;

  constructor(root: string) {
    this.#root = root;
    this.#rootMailbox = basename(resolve(root)) || "INBOX";
  }

  /** Lists one directory and returns those below it that are still to be visited, in order. */
  visit(directory: Directory): readonly Directory[] {
    const entries = this.#entries(directory);
    const isMaildir = isMaildirFolder(entries.directories);
    const mailbox = directory.mailbox || (isMaildir ? "INBOX" : this.#rootMailbox);
    if (isMaildir) this.#listMaildir(directory.prefix, mailbox);
    else this.#emlCount += entries.files.filter((name) => /\.emlx?$/i.test(name)).length;
    this.#list(directory.prefix, mailbox, entries.files);
    const below = isMaildir ? entries.directories.filter((name) => !MAILDIR_PARTS.has(name)) : entries.directories;
    return below.map((name) => ({ prefix: `${directory.prefix}${name}/`, mailbox: childMailbox(directory.mailbox, name) }));
  }

  tree(): MailTree {
    return {
      listings: this.#listings,
      notes: this.#notes,
      fileCount: this.#fileCount,
      sizeBytes: this.#sizeBytes,
      cuts: this.#cuts,
      maildirCount: this.#maildirCount,
      emlCount: this.#emlCount,
    };
  }

  #listMaildir(prefix: string, mailbox: string): void {
    this.#maildirCount += 1;
    for (const part of ["cur/", "new/"]) {
      const { files, directories } = this.#entries({ prefix: prefix + part, mailbox });
      this.#list(prefix + part, mailbox, files);
      for (const name of directories) this.#skip(prefix + part + name, mailbox, "directory-in-maildir");
    }
    const undelivered = this.#entries({ prefix: `${prefix}tmp/`, mailbox }).files.length;
    if (undelivered === 0) return;
    const message = `${undelivered} undelivered file(s) in tmp were left out`;
    this.#notes.push({ kind: "note", mailbox, location: `${prefix}tmp`, code: "maildir-undelivered", message, sha256: null });
  }

  #list(prefix: string, mailbox: string, names: readonly string[]): void {
    if (names.length === 0) return;
    for (const name of names) {
      const bytes = this.#fileSize(prefix + name);
      if (this.#unitFiles > 0 && (this.#unitFiles === UNIT_FILES_MAX || this.#unitBytes + bytes > UNIT_BYTES)) {
        this.#cuts.push(this.#fileCount);
        this.#unitFiles = 0;
        this.#unitBytes = 0;
      }
      this.#unitFiles += 1;
      this.#unitBytes += bytes;
      this.#fileCount += 1;
      this.#sizeBytes += bytes;
    }
    const filedIn = names.some(isEmlxName) ? emlxMailbox(mailbox) : mailbox;
    this.#listings.push({ prefix, mailbox: filedIn, names: Buffer.from(names.join("\0")) });
  }

  /** Size in bytes; 0 for a file that cannot be looked at, which the reader will report. */
  #fileSize(relativePath: string): number {
    try {
      return statSync(encodePath(`${this.#root}/${relativePath}`)).size;
    } catch (error) {
      if (systemErrorCode(error) === null) throw error;
      return 0;
    }
  }

  /** Files and directories of a directory in order; what is neither is noted as skipped. A directory that is not there is empty. */
  #entries(directory: Directory): Entries {
    const files: string[] = [];
    const directories: string[] = [];
    const mailbox = directory.mailbox || this.#rootMailbox;
    const entries = this.#readDirectory(directory.prefix, mailbox).map((entry) => ({ name: decodePath(entry.name), entry }));
    if (entries.some(({ name }) => name === OUTPUT_LIST)) {
      const message = "an output of archivetool: what was made of mail is not read as mail";
      const location = directory.prefix.slice(0, -1);
      this.#notes.push({ kind: "note", mailbox, location, code: "archivetool-output", message, sha256: null });
      return { files, directories };
    }
    for (const { name, entry } of entries.sort((left, right) => compareNames(left.name, right.name))) {
      if (entry.isDirectory()) {
        if (!CONTROL_DIRECTORIES.has(name) && !name.startsWith(OUTPUT_PREFIX)) directories.push(name);
      } else if (!isControlFile(name)) {
        if (entry.isFile()) files.push(name);
        else this.#skip(directory.prefix + name, mailbox, entry.isSymbolicLink() ? "symbolic-link" : "special-file");
      }
    }
    return { files, directories };
  }

  #readDirectory(prefix: string, mailbox: string): readonly Dirent<Buffer>[] {
    try {
      return readdirSync(encodePath(`${this.#root}/${prefix}`), { withFileTypes: true, encoding: "buffer" });
    } catch (error) {
      const code = systemErrorCode(error);
      if (code !== null && DISK_FAULTS.has(code)) {
        throw new ArchiveError("SOURCE_LOST", `${this.#root}/${prefix} cannot be listed: its disk failed`, { cause: error });
      }
      if (prefix !== "" && GONE_DIRECTORY.has(code)) return [];
      if (prefix === "" || !CLOSED_DIRECTORY.has(code)) throw error;
      const message = `directory cannot be read (${code})`;
      this.#notes.push({ kind: "damaged", mailbox, location: prefix.slice(0, -1), code: "directory-unreadable", message, sha256: null });
      return [];
    }
  }

  #skip(location: string, mailbox: string, code: keyof typeof SKIP_REASONS): void {
    this.#notes.push({ kind: "skipped", mailbox, location, code, message: SKIP_REASONS[code], sha256: null });
  }
}

const SKIP_REASONS = {
  "symbolic-link": "symbolic links are not followed: what they lead to may lie outside of the source",
  "special-file": "neither a file nor a directory",
  "directory-in-maildir": "a directory where Maildir has messages only",
} as const;

const MAILDIR_PARTS: ReadonlySet<string> = new Set(["cur", "new", "tmp"]);

/** `cur` alone is enough (empty directories get lost in archives); `new` is a common folder name and needs `tmp` beside it. */
export function isMaildirFolder(directories: readonly string[]): boolean {
  return directories.includes("cur") || (directories.includes("new") && directories.includes("tmp"));
}

export function isControlFile(name: string): boolean {
  return CONTROL_FILES.has(name) || CONTROL_PREFIXES.some((prefix) => name.startsWith(prefix));
}

/** Mailbox path of a directory below: `.A.B` of Maildir++ has levels of its own, any other name is one level. */
function childMailbox(parent: string, name: string): string {
  const own = (name.startsWith(".") && maildirPlusName(name)) || directoryMailboxName(name);
  return parent === "" ? own : `${parent}/${own}`;
}
