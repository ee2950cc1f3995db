import { type Dirent, readdirSync, statSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { formatOfContent, formatOfName, holdsFormat, readHead } from "./detect-format.ts";
import { isEmlxName } from "./emlx.ts";
import { startsWithFrom } from "./header-line.ts";
import { CONTROL_DIRECTORIES, isControlFile, isMaildirFolder, OUTPUT_LIST, OUTPUT_PREFIX } from "./mail-tree.ts";
import { kindOfFile } from "./maildir.ts";
import { compareNames, decodePath, encodePath } from "./path-text.ts";

/** A directory of the tree. */
interface TreeDirectory {
  readonly path: string;
  /** Place of the directory above in the list; -1 for the root. */
  readonly parent: number;
  /** Messages lie in the directory itself, or in `cur` and `new` of it. */
  readonly hasMessages: boolean;
  /** Files in it that are no mail. */
  readonly otherCount: number;
}

/** Files named that are in no source; a tree may hold a million. */
const LEFT_OUT_NAMED = 1000;

/** The sources of a tree. */
export interface FoundSources {
  readonly paths: readonly string[];
  /** Files in none of them, because they are no mail, and outputs of this tool: the first of them, in order. A source tells of its own. */
  readonly leftOut: readonly string[];
  readonly leftOutCount: number;
}

/**
 * What of a directory is given to an extraction as its sources: mailbox files (MBOX, PST, OST) wherever they lie, and the directories that hold
 * messages, each at the highest level below which there is nothing but messages. A person who names paths chooses them; an unpacked archive
 * (a Maildir, a tree of EML files, Google Takeout, a profile of Thunderbird) is what it is. What was made of mail by this tool is none. Empty
 * when there is no mail.
 */
export async function findSources(root: string): Promise<FoundSources> {
  const tree = new SourceTree();
  const pending = [{ path: root, parent: -1 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) pending.push(...tree.visit(next.path, next.parent).reverse());
  return tree.found();
}

class SourceTree {
  readonly #directories: TreeDirectory[] = [];
  /** Directories directly below each. */
  readonly #childCounts: number[] = [];
  readonly #stores: string[] = [];
  /** Places of the directories that hold a mailbox file themselves. */
  readonly #withStores = new Set<number>();
  /** Directories that are an output of this tool, and the places of those above them. */
  readonly #outputs: { readonly path: string; readonly parent: number }[] = [];

  /** Looks at one directory; gives those below it in order. */
  visit(path: string, parent: number): { readonly path: string; readonly parent: number }[] {
    const { files, directories, isOutput } = entriesOf(path);
    if (isOutput) {
      this.#outputs.push({ path, parent });
      return [];
    }
    const place = this.#directories.length;
    const packaged = packagedMailbox(path, files);
    if (packaged) this.#addStore(path, parent);
    const isMaildir = isMaildirFolder(directories);
    let hasMessages = isMaildir;
    let otherCount = 0;
    for (const name of packaged ? [] : files) {
      const kind = kindOf(join(path, name));
      if (kind === "store") this.#addStore(join(path, name), place);
      else if (kind === "message") hasMessages = true;
      else otherCount += 1;
    }
    this.#directories.push({ path, parent, hasMessages, otherCount });
    const below = isMaildir ? directories.filter((name) => !MAILDIR_PARTS.has(name)) : directories;
    this.#childCounts.push(below.length);
    return below.map((name) => ({ path: join(path, name), parent: place }));
  }

  found(): FoundSources {
    const holdsMessages = this.#marked((place) => this.#directories[place]!.hasMessages);
    const holdsStores = this.#marked((place) => this.#withStores.has(place));
    const chosen: string[] = [];
    const isCovered = new Array<boolean>(this.#directories.length).fill(false);
    for (const [place, directory] of this.#directories.entries()) {
      isCovered[place] = isCovered[directory.parent] ?? false;
      if (isCovered[place] || !holdsMessages[place]) continue;
      // A directory that holds messages beside mailbox files is taken whole: its reader notes the mailbox files as skipped there.
      if (holdsStores[place] && !directory.hasMessages) continue;
      if (this.#isWrapping(place)) continue;
      isCovered[place] = true;
      chosen.push(directory.path);
    }
    return { paths: [...this.#stores, ...chosen], ...this.#leftOut(isCovered) };
  }

  /** Looks again at the few directories that are no source, so that the names of all other files need not be kept. */
  #leftOut(isCovered: readonly boolean[]): Pick<FoundSources, "leftOut" | "leftOutCount"> {
    const leftOut: string[] = [];
    let leftOutCount = 0;
    for (const [place, { path, otherCount }] of this.#directories.entries()) {
      if (isCovered[place] || otherCount === 0) continue;
      leftOutCount += otherCount;
      if (leftOut.length === LEFT_OUT_NAMED) continue;
      const others = entriesOf(path).files.map((name) => join(path, name));
      leftOut.push(...others.filter((file) => kindOf(file) === "other").slice(0, LEFT_OUT_NAMED - leftOut.length));
    }
    const outputs = this.#outputs.filter(({ parent }) => isCovered[parent] !== true).map(({ path }) => path);
    return { leftOut: [...outputs, ...leftOut].slice(0, LEFT_OUT_NAMED), leftOutCount: leftOutCount + outputs.length };
  }

  /** Directories that fulfil a condition themselves or somewhere below. The list has each one behind the one above it. */
  #marked(isTrue: (place: number) => boolean): readonly boolean[] {
    const marks = this.#directories.map((_, place) => isTrue(place));
    for (let place = marks.length - 1; place > 0; place -= 1) {
      const { parent } = this.#directories[place]!;
      if (marks[place] && parent >= 0) marks[parent] = true;
    }
    return marks;
  }

  /** A directory around a single one would be a level of every mailbox and say nothing: the one inside is the source. */
  #isWrapping(place: number): boolean {
    const { hasMessages, otherCount } = this.#directories[place]!;
    return !hasMessages && otherCount === 0 && this.#childCounts[place] === 1;
  }

  #addStore(path: string, place: number): void {
    this.#stores.push(path);
    this.#withStores.add(place);
  }
}

const MAILDIR_PARTS: ReadonlySet<string> = new Set(["cur", "new", "tmp"]);

interface Entries {
  readonly files: readonly string[];
  readonly directories: readonly string[];
  readonly isOutput: boolean;
}

/** Names in order; files of other programs, links and special files are left out, as when a directory is read. */
function entriesOf(path: string): Entries {
  const entries: Dirent<Buffer>[] = readdirSync(encodePath(path), { withFileTypes: true, encoding: "buffer" });
  const named = entries
    .map((entry) => ({ name: decodePath(entry.name), entry }))
    .sort((left, right) => compareNames(left.name, right.name));
  return {
    files: named.filter(({ name, entry }) => entry.isFile() && !isControlFile(name)).map(({ name }) => name),
    directories: named.filter(({ name, entry }) => entry.isDirectory() && !isControlDirectory(name)).map(({ name }) => name),
    isOutput: named.some(({ name }) => name === OUTPUT_LIST),
  };
}

function isControlDirectory(name: string): boolean {
  return CONTROL_DIRECTORIES.has(name) || name.startsWith(OUTPUT_PREFIX);
}

/** The package that Apple Mail makes of an MBOX: `Name.mbox/mbox`. */
function packagedMailbox(path: string, files: readonly string[]): boolean {
  return /\.mbox$/i.test(basename(path)) && files.includes("mbox") && startsWithFrom(readHead(join(path, "mbox")), 0);
}

/** What a file outside of a Maildir is taken for. An empty or foreign file with the name of a mailbox would end the whole run. */
function kindOf(path: string): "message" | "store" | "other" {
  if (extname(path).toLowerCase() === ".eml" || isEmlxName(path)) return "message";
  if (statSync(encodePath(path)).size === 0) return "other";
  const kind = kindOfFile(path);
  if (kind !== "store") return kind;
  const head = readHead(path);
  const format = formatOfName(path) ?? formatOfContent(head);
  return format !== null && holdsFormat(head, format) ? "store" : "other";
}
