import { hash } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, sep } from "node:path";
import { ArchiveError, systemErrorCode } from "../errors.ts";
import { decodePath, encodePath, pathBytes } from "../files/path-text.ts";
import type { AttachmentPart } from "../mail/records/message.ts";
import type { SourceFormatName } from "../mail/records/source-formats.ts";
import { packedAbove, UnpackedSources } from "./finding/unpacked-sources.ts";
import { readFilesUnit } from "./maildir/message-files.ts";
import { readMboxUnit } from "./mbox/mbox.ts";
import { olmUnits } from "./olm/olm-units.ts";
import { pst } from "./pst/pst.ts";
import { pstUnits } from "./pst/pst-units.ts";
import { READING_FAULTS } from "./reading/disk-faults.ts";
import type { OpenedSource, PstNode, PstUnit, SourceItem, SourceLimits } from "./reading/source.ts";

/** Location of a message or item, and its fingerprint at that time. */
export interface OriginalPlace {
  readonly format: SourceFormatName;
  /** Path of its source, as recorded in the archive. */
  readonly sourcePath: string;
  readonly mailbox: string;
  /** See `ItemPlace.location`. */
  readonly location: string;
  /** SHA-256 computed by the extraction, lower-case hex. */
  readonly sha256: string;
  /** Charset of mail without one, as given for the extraction, or null. */
  readonly charset: string | null;
}

/** State of an original: unchanged at its location; source moved; content changed; password required; not readable. */
export type OriginalState = "available" | "moved" | "changed" | "protected" | "unreadable";

export type Original =
  | {
      readonly state: "available";
      /**
       * The message as stored in its source. Outlook stores contain no such bytes: there, the message composed of its
       * properties.
       */
      readonly bytes: Buffer;
      readonly isExact: boolean;
    }
  | {
      readonly state: Exclude<OriginalState, "available">;
      /** Description in one line. */
      readonly message: string;
    };

/** State of an original by error code; for other errors, the source has changed. */
const STATE_OF_FAULT: ReadonlyMap<string, Exclude<OriginalState, "available">> = new Map([
  ["PASSWORD_REQUIRED", "protected"],
  ["DISK_FULL", "unreadable"],
  ["OUTPUT_UNWRITABLE", "unreadable"],
]);

/** The system error of an unreadable source, also if it was reported as a fault of the source. */
function systemCodeOf(error: unknown): string | null {
  if (!(error instanceof ArchiveError)) return systemErrorCode(error);
  return error.code === "SOURCE_UNREADABLE" ? systemErrorCode(error.cause) : null;
}

/** Further locations of sources, and passwords. */
export interface OriginalSearch {
  /** Directories where sources or their files may be now; searched after the recorded location. */
  readonly directories: readonly string[];
  readonly password: string | null;
  /** Directory for unpacked sources, created on demand and removed by the caller. */
  readonly unpackedDirectory: string;
}

/**
 * Line variants of an MBOX, the most common first. The archive does not record which was used; the fingerprint shows
 * it.
 */
const DIALECTS: readonly string[] = ["mboxo", "mboxrd", "mboxo undated", "mboxrd undated", "mboxo cr", "mboxrd cr"];
/** 2 GiB - 1, the maximum that was read of a message. */
const MESSAGE_BYTES_MAX = 2 ** 31 - 1;
/** Flags in a Maildir name after its unique part; Windows writes `;` instead of a colon. */
const MAILDIR_INFO = /[:;!]2,[^/]*$/;
/** Suffix of the location of a series for a changed occurrence. */
const OCCURRENCE = /\/occurrence:\d{1,9}$/;
/** Maximum cached directory listings for renamed Maildir files: an export reads one mailbox after the other. */
const MAX_LISTINGS = 16;
/** Maximum open Outlook stores. */
const MAX_STORES = 4;

/** Extracts the result from an item if it matches the archived one; otherwise returns null. */
type Take = (item: SourceItem) => Original | null;

/**
 * Reads messages and attachments of other items again from their source, and returns only those with the recorded
 * fingerprint. As unsafe as any reading of mail: use it in a separate thread.
 */
export class OriginalReader {
  private readonly places = new Map<string, readonly string[]>();
  private readonly listings = new Map<string, ReadonlyMap<string, string>>();
  private readonly stores = new Map<string, OpenedStore>();
  private readonly unpacked: UnpackedSources;

  constructor(private readonly search: OriginalSearch) {
    this.unpacked = new UnpackedSources(search.unpackedDirectory);
  }

  /** A message. */
  read(place: OriginalPlace): Promise<Original> {
    return this.take(place, (item) => messageIn(item, place));
  }

  /**
   * Reads the attachments of an appointment or another Outlook item. @param use reads the requested parts at once:
   * the bytes are valid only while it runs
   */
  readItem(place: OriginalPlace, use: (attachments: readonly AttachmentPart[]) => Original): Promise<Original> {
    const [occurrence = ""] = OCCURRENCE.exec(place.location) ?? [];
    const series = place.location.slice(0, place.location.length - occurrence.length);
    return this.take({ ...place, location: series }, (item) => {
      if ((item.kind !== "appointment" && item.kind !== "item") || item.sha256 !== place.sha256) return null;
      return (OCCURRENCE.exec(item.location)?.[0] ?? "") === occurrence ? use(item.attachments) : null;
    });
  }

  private async take(place: OriginalPlace, take: Take): Promise<Original> {
    const paths = this.placesOf(place.sourcePath);
    let missing: Original | null = null;
    for (const path of paths) {
      const found = await this.readAt(path, place, take);
      if (found.state === "available") return found;
      // The candidate nearest to the recorded location is the most informative.
      missing ??= found;
    }
    return missing ?? { state: "moved", message: `${place.sourcePath} not found` };
  }

  /** How an original is located in each source format. */
  private readonly readers: Readonly<
    Record<SourceFormatName, (path: string, place: OriginalPlace, take: Take) => Original | Promise<Original>>
  > = {
    pst: (path, place, take) => this.readFromStore(path, place, take),
    mbox: readFromMbox,
    olm: readFromOlm,
    maildir: (path, place, take) => this.readFile(path, place, take),
    eml: (path, place, take) => this.readFile(path, place, take),
    msg: (path, place, take) => this.readFile(path, place, take),
    ics: (path, place, take) => this.readFile(path, place, take),
    vcf: (path, place, take) => this.readFile(path, place, take),
  };

  private async readAt(path: string, place: OriginalPlace, take: Take): Promise<Original> {
    try {
      const readable = await this.unpacked.placeOf(path, path !== place.sourcePath);
      return await this.readers[place.format](readable, place, take);
    } catch (error) {
      const code = systemCodeOf(error);
      if (code !== null)
        return { state: code === "ENOENT" ? "moved" : "unreadable", message: `${path} cannot be read (${code})` };
      if (!(error instanceof ArchiveError)) throw error;
      return { state: STATE_OF_FAULT.get(error.code) ?? "changed", message: error.message };
    }
  }

  private async readFile(path: string, place: OriginalPlace, take: Take): Promise<Original> {
    const root = statSync(encodePath(path)).isDirectory() ? path : dirname(path);
    // The archive may be crafted to expose another file.
    if (!isBelow(place.location))
      return { state: "changed", message: `${place.location} is not a location in ${path}` };
    for (const location of [place.location, ...this.renamed(root, place.location)]) {
      const slash = location.lastIndexOf("/") + 1;
      const run = { prefix: location.slice(0, slash), mailbox: place.mailbox, names: location.slice(slash) };
      const unit = { kind: "files", root, runs: [run], ...charsetOf(place) } as const;
      for (const item of await readFilesUnit(unit, MESSAGE_BYTES_MAX)) {
        if (item.kind === "damaged" && item.code === "file-unreadable")
          return { state: "unreadable", message: `${location}: ${item.message}` };
        const found = take(item);
        if (found !== null) return found;
      }
    }
    const isThere = existsSync(encodePath(join(root, place.location)));
    const message = isThere
      ? `${place.location} now contains a different message`
      : `${place.location} is no longer in ${path}`;
    return { state: "changed", message };
  }

  /** A Maildir file is renamed when its flags change, and moved from `new` to `cur` when it is seen. */
  private *renamed(root: string, location: string): Generator<string> {
    const slash = location.lastIndexOf("/");
    const parts = /^(.*?)(cur|new)$/.exec(location.slice(0, Math.max(0, slash)));
    if (parts === null) return;
    const unique = location.slice(slash + 1).replace(MAILDIR_INFO, "");
    for (const part of ["cur", "new"]) {
      const directory = `${parts[1]}${part}`;
      const name = this.listing(join(root, directory)).get(unique);
      if (name !== undefined && `${directory}/${name}` !== location) yield `${directory}/${name}`;
    }
  }

  /** Names of a directory by their unique part. */
  private listing(directory: string): ReadonlyMap<string, string> {
    const known = this.listings.get(directory);
    if (known !== undefined) return known;
    const names = new Map<string, string>();
    try {
      for (const bytes of readdirSync(encodePath(directory), "buffer")) {
        const name = decodePath(bytes);
        names.set(name.replace(MAILDIR_INFO, ""), name);
      }
    } catch (error) {
      if (systemErrorCode(error) === null) throw error;
    }
    keepNewest(this.listings, directory, names, MAX_LISTINGS);
    return names;
  }

  private async readFromStore(path: string, place: OriginalPlace, take: Take): Promise<Original> {
    const key = `${place.charset ?? ""}\0${path}`;
    const known = this.stores.get(key);
    const limits = { password: this.search.password, skipProtected: false, ...charsetOf(place) };
    const store = known ?? (await OpenedStore.open(path, limits));
    if (known === undefined) keepNewest(this.stores, key, store, MAX_STORES);
    return store.read(place, take);
  }

  /**
   * Possible locations of a source: the recorded one first; then, under each given directory, by as much of its path
   * as exists.
   */
  private placesOf(sourcePath: string): readonly string[] {
    const known = this.places.get(sourcePath);
    if (known !== undefined) return known;
    const names = sourcePath.split(/[\\/]/).filter((name) => name !== "");
    const places = [sourcePath];
    for (const directory of this.search.directories) {
      for (let from = 0; from < names.length; from++) places.push(join(directory, names.slice(from).join(sep)));
      places.push(directory);
    }
    const there = [...new Set(places)].filter(mayBeThere);
    this.places.set(sourcePath, there);
    return there;
  }
}

/** False only if the system reports that the path, possibly inside a packed file, does not exist. */
function mayBeThere(path: string): boolean {
  try {
    return existsSync(encodePath(path)) || packedAbove(path) !== null || isHidden(path);
  } catch (error) {
    // A packed file that is not readable.
    if (systemCodeOf(error) === null) throw error;
    return true;
  }
}

/** True if the system does not reveal whether the path exists, such as below an inaccessible directory. */
function isHidden(path: string): boolean {
  try {
    statSync(encodePath(path));
  } catch (error) {
    return READING_FAULTS.has(systemErrorCode(error) ?? "");
  }
  return false;
}

function charsetOf({ charset }: OriginalPlace): Pick<SourceLimits, "charset"> {
  return charset === null ? {} : { charset };
}

/** True for a path that can only lead below the directory that it is relative to. */
function isBelow(location: string): boolean {
  // The actual bytes, in which an escaped byte may be a dot.
  const path = pathBytes(location).toString("latin1");
  return !isAbsolute(path) && !path.split(/[\\/]/).includes("..");
}

/** Removes the oldest entry if there are too many. */
function keepNewest<T>(kept: Map<string, T>, key: string, value: T, most: number): void {
  const [oldest] = kept.keys();
  if (kept.size >= most && oldest !== undefined) kept.delete(oldest);
  kept.set(key, value);
}

/**
 * 128 KiB: twice the header that is searched for a length. A mailbox is opened for each message, for which the 1 MiB
 * window for whole mailboxes would cause eight times the garbage and copying.
 */
const ONE_MESSAGE_BYTES = 128 * 1024;

function readFromMbox(path: string, place: OriginalPlace, take: Take): Original {
  const start = Number(/^offset:(\d{1,16})$/.exec(place.location)?.[1] ?? Number.NaN);
  const { size } = statSync(encodePath(path));
  if (!(start < size)) return { state: "changed", message: `${path} is shorter than when it was extracted` };
  for (const dialect of DIALECTS) {
    const unit = { kind: "mbox", path, mailbox: place.mailbox, start, end: size, dialect } as const;
    // Only the first message at this offset is scanned.
    for (const item of readMboxUnit(unit, MESSAGE_BYTES_MAX, ONE_MESSAGE_BYTES)) {
      if (item.kind === "note") continue;
      const found = take(item);
      if (found !== null) return found;
      break;
    }
  }
  return { state: "changed", message: `${basename(path)} now contains a different message at ${place.location}` };
}

/** Items of the file, one of which may match. */
async function readFromOlm(path: string, place: OriginalPlace, take: Take): Promise<Original> {
  const { olmUnitOf } = await import("./olm/olm-source.ts");
  const name = place.location.replace(/\/email:\d{1,9}$/, "");
  const unit = olmUnitOf(path, name, place.mailbox);
  for (const item of unit === null ? [] : await olmUnits.read(unit)) {
    const found = item.location === place.location ? take(item) : null;
    if (found !== null) return found;
  }
  return { state: "changed", message: `${basename(path)} no longer has this message at ${place.location}` };
}

/** The message, if it is the archived one. */
function messageIn(item: SourceItem, place: OriginalPlace): Original | null {
  if (item.kind === "object" && item.sha256 === place.sha256)
    return { state: "available", bytes: item.rendered(), isExact: false };
  if (item.kind !== "rfc5322" || hash("sha256", item.bytes) !== place.sha256) return null;
  // Readers reuse their buffers.
  return { state: "available", bytes: Buffer.from(item.bytes), isExact: true };
}

/** An Outlook store, whose items are found by node. */
class OpenedStore {
  /** Data shared by all units of the store. */
  private readonly unit: PstUnit | null;

  private constructor(private readonly opened: OpenedSource) {
    const [first] = opened.units();
    this.unit = first?.kind === "pst" ? first : null;
  }

  static async open(path: string, limits: SourceLimits): Promise<OpenedStore> {
    return new OpenedStore(await pst.open(path, limits));
  }

  async read(place: OriginalPlace, take: Take): Promise<Original> {
    for (const unit of this.unitsOf(place)) {
      for (const item of await pstUnits.read(unit)) {
        const found = take(item);
        if (found !== null) return found;
      }
    }
    return {
      state: "changed",
      message: `${basename(this.opened.path)} no longer has this item at ${place.location}`,
    };
  }

  /** The node as its folder lists it; if it was found in damaged pages, as a scan of the store lists it. */
  private *unitsOf({ location, mailbox }: OriginalPlace): Generator<PstUnit> {
    const [, kind, digits] = /^(nid|bid):([0-9a-f]{1,13})$/.exec(location) ?? [];
    if (this.unit === null || digits === undefined) return;
    const number = Number.parseInt(digits, 16);
    if (kind === "nid") yield { ...this.unit, nodes: [{ nid: number, blocks: null, mailbox, origin: "listed" }] };
    const isMeant = (node: PstNode): boolean =>
      kind === "nid" ? node.nid === number : node.nid === 0 && node.blocks?.dataBid === number;
    for (const unit of this.opened.units()) {
      const node = unit.kind === "pst" ? unit.nodes.find(isMeant) : undefined;
      if (node !== undefined) yield { ...this.unit, nodes: [node] };
    }
  }
}
