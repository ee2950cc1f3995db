import { type Stats, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { growArray } from "../../columns/grow-array.ts";
import { systemErrorCode } from "../../errors.ts";
import { encodePath } from "../../files/path-text.ts";
import { formatOfName, type SourceFormatName } from "../../mail/records/source-formats.ts";
import { emlxMailbox, isEmlxName } from "../emlx/emlx.ts";
import { FILE_STATE_BYTES, fileStateOf } from "../reading/file-state.ts";
import { directoryMailboxName, mailboxAbove, maildirPlusName } from "../reading/mailbox-name.ts";
import type { SourceItem } from "../reading/source.ts";
import { type DirectoryEntries, openDirectory, type VisitedDirectory, walkDirectories } from "./directory-walk.ts";
import type { SidecarProgram } from "./sidecar-files.ts";

/**
 * A unit of files ends at 256 of them, or at about 1 MiB: enough that handing it over costs nothing, little enough to
 * balance.
 */
export const UNIT_FILES_MAX = 256;
export const UNIT_BYTES = 1024 * 1024;
/** Files whose states fit before their memory grows. */
const FIRST_STATES = 1024;

/** Message files of one directory, with names joined in one buffer: a tree may contain a million. */
interface FileListing {
  /** Relative to the root with a `/` at its end; "" for the root. */
  readonly prefix: string;
  readonly mailbox: string;
  /** Decoded names, NUL between them, in order. */
  readonly names: Buffer;
  readonly sidecars: SidecarProgram | null;
}

/** Result of a walk. Files are numbered in listing order. */
export interface MailTree {
  readonly listings: readonly FileListing[];
  readonly notes: readonly SourceItem[];
  readonly fileCount: number;
  readonly sizeBytes: number;
  /** Ordinals of files that begin a unit, ascending, without 0. */
  readonly cuts: readonly number[];
  /** State of each file when it was listed, of `FILE_STATE_BYTES`. */
  readonly states: Uint8Array;
  /** Directories with `cur` or `new`. */
  readonly maildirCount: number;
  /** Files outside them that are messages by their names, by format. */
  readonly namedCounts: ReadonlyMap<SourceFormatName, number>;
}

/**
 * Lists the message files of a directory tree: Maildir folders (Maildir++ or nested), and single message files at any
 * depth. An unreadable root throws the system error.
 * @throws ArchiveError SOURCE_LOST if the disk fails: the amount of unlisted mail would be unknown
 */
export function walkMailTree(root: string): MailTree {
  const walk = new TreeWalk(root);
  for (const directory of walkDirectories(root)) walk.visit(directory);
  return walk.tree();
}

class TreeWalk {
  private readonly rootMailbox: string;
  private readonly listings: FileListing[] = [];
  private readonly notes: SourceItem[] = [];
  private readonly cuts: number[] = [];
  private states = new Uint8Array(FIRST_STATES * FILE_STATE_BYTES);
  private fileCount = 0;
  private sizeBytes = 0;
  private maildirCount = 0;
  private readonly namedCounts = new Map<SourceFormatName, number>();
  private unitFiles = 0;
  private unitBytes = 0;

  constructor(private readonly root: string) {
    this.rootMailbox = basename(resolve(root)) || "INBOX";
  }

  visit({ prefix, isMaildir, entries, closed }: VisitedDirectory): void {
    const own = mailboxOfPrefix(prefix);
    this.note(prefix, own || this.rootMailbox, { entries, closed });
    const mailbox = own || (isMaildir ? "INBOX" : this.rootMailbox);
    if (isMaildir) this.listMaildir(prefix, mailbox);
    else for (const name of entries.files) this.countNamed(name);
    // Entries next to `cur` are not messages of the Maildir and keep their names.
    const filedIn = !isMaildir && entries.files.some(isEmlxName) ? emlxMailbox(own, this.root) : mailbox;
    this.list(prefix, filedIn, { ...entries, files: withoutIndexes(entries) });
  }

  tree(): MailTree {
    return {
      listings: this.listings,
      notes: this.notes,
      fileCount: this.fileCount,
      sizeBytes: this.sizeBytes,
      cuts: this.cuts,
      states: this.states.subarray(0, this.fileCount * FILE_STATE_BYTES),
      maildirCount: this.maildirCount,
      namedCounts: this.namedCounts,
    };
  }

  private listMaildir(prefix: string, mailbox: string): void {
    this.maildirCount++;
    for (const part of ["cur/", "new/"]) {
      const entries = this.entries(prefix + part, mailbox);
      this.list(prefix + part, mailbox, entries);
      for (const name of entries.directories) this.skip(prefix + part + name, mailbox, "directory-in-maildir");
    }
    const undelivered = this.entries(`${prefix}tmp/`, mailbox).files.length;
    if (undelivered === 0) return;
    const message = `${undelivered} undelivered files in tmp were skipped`;
    this.notes.push({
      kind: "note",
      mailbox,
      location: `${prefix}tmp`,
      code: "maildir-undelivered",
      message,
      sha256: null,
    });
  }

  private list(prefix: string, mailbox: string, { files: names, sidecars }: DirectoryEntries): void {
    if (names.length === 0) return;
    for (const name of names) {
      const stats = this.look(prefix + name);
      const bytes = stats?.size ?? 0;
      if (this.unitFiles > 0 && (this.unitFiles === UNIT_FILES_MAX || this.unitBytes + bytes > UNIT_BYTES)) {
        this.cuts.push(this.fileCount);
        this.unitFiles = 0;
        this.unitBytes = 0;
      }
      this.addState(fileStateOf(prefix + name, stats));
      this.unitFiles++;
      this.unitBytes += bytes;
      this.fileCount++;
      this.sizeBytes += bytes;
    }
    this.listings.push({ prefix, mailbox, names: Buffer.from(names.join("\0")), sidecars });
  }

  private addState(state: Uint8Array): void {
    const at = this.fileCount * FILE_STATE_BYTES;
    if (at === this.states.length) this.states = growArray(this.states);
    this.states.set(state, at);
  }

  /** Returns null for an inaccessible file, which the reader will report. */
  private look(relativePath: string): Stats | null {
    try {
      return statSync(encodePath(`${this.root}/${relativePath}`));
    } catch (error) {
      if (systemErrorCode(error) === null) throw error;
      return null;
    }
  }

  /** Notes about an unread directory, and about entries other than files. */
  private note(
    prefix: string,
    mailbox: string,
    { entries, closed }: Pick<VisitedDirectory, "entries" | "closed">,
  ): void {
    const place = { mailbox, location: prefix.slice(0, -1), sha256: null };
    if (closed?.kind === "output") {
      const message = "an archivetool output directory is not read as mail";
      this.notes.push({ kind: "note", ...place, code: "archivetool-output", message });
    } else if (closed?.kind === "unreadable") {
      const message = `directory cannot be read (${closed.code})`;
      this.notes.push({ kind: "damaged", ...place, code: "directory-unreadable", message });
    }
    for (const { name, code } of entries.others) this.skip(prefix + name, mailbox, code);
  }

  private entries(prefix: string, mailbox: string): DirectoryEntries {
    const { entries, closed } = openDirectory(this.root, prefix);
    this.note(prefix, mailbox, { entries, closed });
    return entries;
  }

  private countNamed(name: string): void {
    const row = formatOfName(name);
    if (row?.holds === "message") this.namedCounts.set(row.name, (this.namedCounts.get(row.name) ?? 0) + 1);
  }

  private skip(location: string, mailbox: string, code: keyof typeof SKIP_REASONS): void {
    this.notes.push({ kind: "skipped", mailbox, location, code, message: SKIP_REASONS[code], sha256: null });
  }
}

const SKIP_REASONS = {
  "symbolic-link": "symbolic links are not followed: they may point outside the source",
  "special-file": "neither a file nor a directory",
  "directory-in-maildir": "unexpected directory in Maildir",
} as const;

/**
 * Mailbox path of a directory, "" for the root: `.A.B` of Maildir++ has levels of its own, any other name is one level.
 */
function mailboxOfPrefix(prefix: string): string {
  return prefix.split("/").slice(0, -1).map(levelOf).join("/");
}

function levelOf(name: string): string {
  return mailboxAbove(name) ?? ((name.startsWith(".") && maildirPlusName(name)) || directoryMailboxName(name));
}

const INDEX_EXTENSION = /\.msf$/i;

/** Files of a directory, without the indexes that Thunderbird stores next to its Maildirs. */
function withoutIndexes({ files, directories }: DirectoryEntries): readonly string[] {
  if (!files.some((name) => INDEX_EXTENSION.test(name))) return files;
  const mailboxes = new Set(directories);
  return files.filter((name) => !INDEX_EXTENSION.test(name) || !mailboxes.has(name.replace(INDEX_EXTENSION, "")));
}
