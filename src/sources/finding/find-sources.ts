import { statSync } from "node:fs";
import { basename, join } from "node:path";
import { encodePath } from "../../files/path-text.ts";
import { type FormatRow, formatOfName } from "../../mail/records/source-formats.ts";
import { archiveFormat, archiveOfName } from "../../unpacking/archive-format.ts";
import { FORMATS, formatOfContent } from "../formats/formats.ts";
import { openDirectory, type VisitedDirectory, walkDirectories } from "../maildir/directory-walk.ts";
import { kindOfFile, sampleBuffer } from "../maildir/maildir.ts";
import { packagedMailbox } from "../mbox/mbox.ts";
import { isUnreadable, readHead } from "../reading/read-head.ts";

/** A directory of the tree. */
interface TreeDirectory {
  /** Relative to the root with a `/` at its end; "" for the root. */
  readonly prefix: string;
  /** Index of the parent directory in the list; -1 for the root. */
  readonly parent: number;
  /** True if the directory itself, or its `cur` or `new`, contains messages. */
  readonly hasMessages: boolean;
  /** Number of files in it that are not mail; one for an unreadable directory. */
  readonly otherCount: number;
}

/** Maximum number of listed files that belong to no source; a tree may contain a million. */
const LEFT_OUT_NAMED = 1000;

/** Message files in MH folders, and in trees converted from them. */
const NUMBER_NAME = /^\d{1,9}\.?$/;
/** In a folder of files named by numbers, this many files are checked first, and then one in this many. */
const FIRST_LOOKED = 16;
const LOOKED_STEP = 64;

type FileKind = "message" | "store" | "packed" | "other";

/** The sources of a tree. */
export interface SourceListing {
  /** Mailbox files first, then directories of messages. */
  readonly paths: readonly string[];
  readonly mailboxFiles: number;
  /** Archives by name and content that may contain mail. */
  readonly packed: readonly string[];
  /**
   * The first files, in order, that belong to no source because they are not mail or are outputs of this tool. A source
   * reports its own.
   */
  readonly leftOut: readonly string[];
  readonly leftOutCount: number;
}

/**
 * True if packed files in a tree are sources; false inside an unpacked archive, where they are not mail (a bomb stays a
 * file).
 */
type PackedFiles = "found" | "left out";

/**
 * Finds the sources in a directory: mailbox files (MBOX, PST, OST) at any depth, and the directories of messages, each
 * at the highest level that contains only messages. Users choose paths themselves; unpacked archives (a Maildir, a tree
 * of EML files, Google Takeout, a Thunderbird profile) have a given layout. Outputs of this tool are excluded. Empty if
 * there is no mail.
 */
export function findSources(root: string, packedFiles: PackedFiles): SourceListing {
  const tree = new SourceTree(root, packedFiles);
  for (const directory of walkDirectories(root)) tree.visit(directory);
  return tree.found();
}

class SourceTree {
  private readonly directories: TreeDirectory[] = [];
  /** Directories directly below each. */
  private readonly childCounts: number[] = [];
  private readonly stores: string[] = [];
  private readonly packed: string[] = [];
  /** Indexes of directories that contain a mailbox file directly. */
  private readonly withStores = new Set<number>();
  private readonly sample = sampleBuffer();

  constructor(
    private readonly root: string,
    private readonly packedFiles: PackedFiles,
  ) {}

  visit({ prefix, place, parent, isMaildir, entries, closed }: VisitedDirectory): void {
    const path = this.pathOf(prefix);
    const packaged = packagedMailbox(path);
    // Excludes links, which are not followed.
    const isPackage = packaged !== null && entries.files.includes(basename(packaged));
    if (isPackage) this.addStore(path, parent);
    let hasMessages = isMaildir;
    let otherCount = closed === null ? 0 : 1;
    const names = isPackage ? [] : entries.files;
    const isNumbered = this.isNumbered(path, names);
    for (const name of names) {
      const kind = isNumbered && NUMBER_NAME.test(name) ? "message" : this.kindOf(join(path, name));
      if (kind === "store") this.addStore(join(path, name), place);
      else if (kind === "message") hasMessages = true;
      else if (kind === "packed") this.packed.push(join(path, name));
      else otherCount++;
    }
    this.directories.push({ prefix, parent, hasMessages, otherCount });
    this.childCounts.push(entries.directories.length);
  }

  /** True if the files with numbers as names in a folder are messages, by a sample of them. */
  private isNumbered(path: string, names: readonly string[]): boolean {
    const numbered = names.filter((name) => NUMBER_NAME.test(name));
    const looked = numbered.filter((_, index) => index < FIRST_LOOKED || index % LOOKED_STEP === 0);
    return looked.length < numbered.length && looked.every((name) => this.kindOf(join(path, name)) === "message");
  }

  found(): SourceListing {
    const holdsMessages = this.marked((place) => this.directories[place]!.hasMessages);
    const holdsStores = this.marked((place) => this.withStores.has(place));
    const chosen: string[] = [];
    const isCovered = new Array<boolean>(this.directories.length).fill(false);
    for (const [place, directory] of this.directories.entries()) {
      isCovered[place] = isCovered[directory.parent] ?? false;
      if (isCovered[place] || !holdsMessages[place]) continue;
      // A directory with both messages and mailbox files is one source: its reader notes the mailbox files as skipped.
      if (holdsStores[place] && !directory.hasMessages) continue;
      if (this.isWrapping(place)) continue;
      isCovered[place] = true;
      chosen.push(this.pathOf(directory.prefix));
    }
    return {
      paths: [...this.stores, ...chosen],
      mailboxFiles: this.stores.length,
      packed: this.packed,
      ...this.leftOut(isCovered),
    };
  }

  /** Lists the few directories that are not sources again, so that the names of all other files need not be kept. */
  private leftOut(isCovered: readonly boolean[]): Pick<SourceListing, "leftOut" | "leftOutCount"> {
    const leftOut: string[] = [];
    let leftOutCount = 0;
    for (const [place, { prefix, otherCount }] of this.directories.entries()) {
      if (isCovered[place] || otherCount === 0) continue;
      leftOutCount += otherCount;
      if (leftOut.length === LEFT_OUT_NAMED) continue;
      leftOut.push(...this.others(prefix).slice(0, LEFT_OUT_NAMED - leftOut.length));
    }
    return { leftOut, leftOutCount };
  }

  private others(prefix: string): readonly string[] {
    const path = this.pathOf(prefix);
    const { entries, closed } = openDirectory(this.root, prefix);
    if (closed !== null) return [path];
    return entries.files.map((name) => join(path, name)).filter((file) => this.kindOf(file) === "other");
  }

  private pathOf(prefix: string): string {
    return join(this.root, prefix.slice(0, -1));
  }

  /** Directories that match a condition themselves or below. Parents precede their children in the list. */
  private marked(isTrue: (place: number) => boolean): readonly boolean[] {
    const marks = this.directories.map((_, place) => isTrue(place));
    for (let place = marks.length - 1; place > 0; place--) {
      const { parent } = this.directories[place]!;
      if (marks[place] && parent >= 0) marks[parent] = true;
    }
    return marks;
  }

  /** A directory around a single one would only add a level to every mailbox: the inner one is the source. */
  private isWrapping(place: number): boolean {
    const { hasMessages, otherCount } = this.directories[place]!;
    return !hasMessages && otherCount === 0 && this.childCounts[place] === 1;
  }

  private addStore(path: string, place: number): void {
    this.stores.push(path);
    this.withStores.add(place);
  }

  /**
   * Kind of a file outside of a Maildir. An empty or foreign file with the name of a mailbox would otherwise fail the
   * whole run.
   */
  private kindOf(path: string): FileKind {
    const named = formatOfName(path);
    if (named?.holds === "message") return "message";
    try {
      return this.kindOfContent(path, named);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      // One unreadable file does not end the run; the list of excluded files gives the cause.
      return "other";
    }
  }

  private kindOfContent(path: string, named: FormatRow | null): FileKind {
    // A mailbox of UTF-16 text is unpacked to UTF-8.
    const mayBePacked = archiveOfName(basename(path)) !== null || named?.name === "mbox";
    // The sizes of the others, possibly a million, are determined while reading.
    if ((named !== null || mayBePacked) && statSync(encodePath(path)).size === 0) return "other";
    if (mayBePacked && archiveFormat(readHead(path)) !== null) return this.packedFiles === "found" ? "packed" : "other";
    const kind = kindOfFile(path, this.sample);
    if (kind !== "store") return kind;
    const head = readHead(path);
    const format = named?.name ?? formatOfContent(head);
    return format !== null && FORMATS[format].accepts(head) ? "store" : "other";
  }
}
