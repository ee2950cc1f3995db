import { createHash, hash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { systemErrorCode } from "../../errors.ts";
import { encodePath } from "../../files/path-text.ts";
import { readFully } from "../../files/read-fully.ts";
import type { Instant } from "../../mail/dates/instant.ts";
import { isEmlxName, openEmlx } from "../emlx/emlx.ts";
import { isPartialName, joinParts } from "../emlx/partial-emlx.ts";
import { formatOfObjects, isNamedMessage, loadObjectReaders, type ObjectReaders } from "../msg/object-files.ts";
import { DISK_FAULTS } from "../reading/disk-faults.ts";
import { FILE_STATE_BYTES, packStates, statesIn } from "../reading/file-state.ts";
import { foreignReason } from "../reading/foreign-mail.ts";
import { maildirFlags, unnamedFlags } from "../reading/mailbox-flags.ts";
import type { FileRun, MessageFile, SourceItem, WorkUnit } from "../reading/source.ts";
import { maildirDate } from "../reading/stored-dates.ts";
import { alienReason } from "./alien-file.ts";
import { MaildirKeywords } from "./dovecot-keywords.ts";
import { type MailTree, UNIT_FILES_MAX } from "./mail-tree.ts";
import { unpackMessage } from "./packed-message.ts";
import { SidecarFiles } from "./sidecar-files.ts";

export type FilesUnit = Extract<WorkUnit, { kind: "files" }>;

/** Between names in a listing and in a run. */
const SEPARATOR = "\0";

/** Initial size of the buffer for files of a unit: nearly all messages fit, and the sniffed bytes must. */
const SCRATCH_BYTES = 64 * 1024;

/** 2 GiB - 1: maximum of a single read. Of a longer file, the head is kept and the whole is hashed. */
const MESSAGE_BYTES_MAX = 2 ** 31 - 1;

/**
 * Does not follow links or wait for a FIFO: the file may have been replaced since it was listed. Windows has neither
 * flag.
 */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Error codes of files that vanished with their disk, or may have. */
export const LOST_FILE_CODES: ReadonlySet<string> = new Set(["file-lost", "file-vanished"]);

/** The units of a tree: the listed files in order, divided at the recorded cuts. */
export function* unitsOfTree(root: string, tree: MailTree): Generator<WorkUnit> {
  let runs: FileRun[] = [];
  let ordinal = 0;
  let nextCut = 0;
  let first = 0;
  const unit = (): WorkUnit => {
    const states = tree.states.subarray(first * FILE_STATE_BYTES, ordinal * FILE_STATE_BYTES);
    first = ordinal;
    return { kind: "files", root, runs, states: packStates(states) };
  };
  for (const { prefix, mailbox, names, sidecars } of tree.listings) {
    const all = names.toString().split(SEPARATOR);
    for (let at = 0; at < all.length; ) {
      if (ordinal === tree.cuts[nextCut]) {
        yield unit();
        runs = [];
        nextCut++;
      }
      const end = Math.min(all.length, at + (tree.cuts[nextCut] ?? tree.fileCount) - ordinal);
      const run = { prefix, mailbox, names: all.slice(at, end).join(SEPARATOR) };
      runs.push(sidecars === null ? run : { ...run, sidecars });
      ordinal += end - at;
      at = end;
    }
  }
  if (runs.length > 0) yield unit();
}

/** The files of a unit, in order. */
export function messageFiles({ root, runs }: FilesUnit): readonly MessageFile[] {
  const files: MessageFile[] = [];
  for (const { prefix, mailbox, names, sidecars = null } of runs) {
    const above = root === "" ? prefix : `${root}/${prefix}`;
    const keywords = isMaildirPart(prefix) ? new MaildirKeywords(above.slice(0, -"cur/".length)) : null;
    for (const name of names.split(SEPARATOR)) {
      const flags = keywords === null ? [] : maildirFlags(name);
      const labels = keywords?.of(name) ?? [];
      const relativePath = prefix + name;
      const all = labels.length === 0 ? flags : [...new Set([...flags, ...labels])];
      files.push({ relativePath, mailbox, flags: all, sidecars });
    }
  }
  return files;
}

/** A unit without some of its files, by index; null if none is left. */
export function withoutFiles({ runs, states, ...unit }: FilesUnit, isLeftOut: readonly boolean[]): FilesUnit | null {
  let at = 0;
  const left = runs.flatMap((run) => {
    const names = run.names.split(SEPARATOR).filter(() => !isLeftOut[at++]);
    return names.length === 0 ? [] : { ...run, names: names.join(SEPARATOR) };
  });
  if (left.length === 0) return null;
  const statesLeft = states === undefined ? [] : statesIn(states).filter((_, file) => !isLeftOut[file]);
  return { ...unit, runs: left, ...(states === undefined ? {} : { states: packStates(Buffer.concat(statesLeft)) }) };
}

/** A unit to read. */
interface UnitPart<T> {
  readonly unit: WorkUnit;
  /** True if files were left out: what remains may be small. */
  readonly isPart: boolean;
  readonly about: T;
}

/**
 * Joins adjacent small parts of units to units of up to `UNIT_FILES_MAX` files, because a task for each costs more than
 * reading its files. @param parts of one directory, in order
 */
export function* joinedUnits<T>(
  parts: Iterable<UnitPart<T>>,
): Generator<{ readonly unit: WorkUnit; readonly about: readonly T[] }> {
  let small: (UnitPart<T> & { readonly unit: FilesUnit })[] = [];
  let files = 0;
  for (const { unit, isPart, about } of parts) {
    const isSmall = isPart && unit.kind === "files" && unit.states !== undefined;
    const count = isSmall ? fileCount(unit) : 0;
    if (small.length > 0 && (!isSmall || files + count > UNIT_FILES_MAX)) {
      yield joined(small);
      small = [];
      files = 0;
    }
    if (isSmall) small.push({ unit, isPart, about });
    else yield { unit, about: [about] };
    files += count;
  }
  if (small.length > 0) yield joined(small);
}

function joined<T>(parts: readonly (UnitPart<T> & { readonly unit: FilesUnit })[]) {
  const states = parts.map(({ unit }) => Buffer.from(unit.states ?? "", "base64"));
  const unit: FilesUnit = {
    ...parts[0]!.unit,
    runs: parts.flatMap((part) => part.unit.runs),
    states: packStates(Buffer.concat(states)),
  };
  return { unit, about: parts.map((part) => part.about) };
}

function fileCount({ runs }: FilesUnit): number {
  return runs.reduce((sum, { names }) => sum + names.split(SEPARATOR).length, 0);
}

/** The messages of a unit of files, in order. `bytesMax` truncates messages that are too large for a buffer. */
export async function readFilesUnit(unit: FilesUnit, bytesMax = MESSAGE_BYTES_MAX): Promise<Iterable<SourceItem>> {
  const files = messageFiles(unit);
  const readers = await loadObjectReaders(
    files.map(({ relativePath }) => relativePath),
    unit.charset,
  );
  return readFiles(unit.root, files, new MessageFileReader(bytesMax, readers));
}

function* readFiles(root: string, files: readonly MessageFile[], reader: MessageFileReader): Generator<SourceItem> {
  for (const file of files) {
    const { note, items, sha256 } = reader.read(root, file);
    if (note !== null) yield note;
    yield* items;
    if (sha256 !== WHOLE_FILE)
      yield { kind: "file-end", mailbox: file.mailbox, location: file.relativePath, sha256: sha256() };
  }
}

/** True for a directory of delivered Maildir messages: all its files are messages. */
function isMaildirPart(prefix: string): boolean {
  return prefix === "cur/" || prefix === "new/" || prefix.endsWith("/cur/") || prefix.endsWith("/new/");
}

/** The one item of the file has its bytes. */
const WHOLE_FILE = "whole";
const NOT_A_MESSAGE = (): null => null;

interface ReadFile {
  readonly note: SourceItem | null;
  /**
   * Hashes the bytes of the file once its items are read, as a reader may use its buffer again; null for other files.
   */
  readonly sha256: (() => string | null) | typeof WHOLE_FILE;
  /** One item, except for a series of appointments in an Outlook file, and for files of events or contacts. */
  readonly items: readonly SourceItem[];
}

class MessageFileReader {
  private scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES);
  private readonly sidecars = new SidecarFiles();

  constructor(
    private readonly bytesMax: number,
    private readonly readers: ObjectReaders,
  ) {}

  read(root: string, file: MessageFile): ReadFile {
    const place = { mailbox: file.mailbox, location: file.relativePath };
    try {
      const path = root === "" ? file.relativePath : `${root}/${file.relativePath}`;
      const descriptor = openSync(encodePath(path), OPEN_FLAGS);
      try {
        return this.readOpen(descriptor, file, path);
      } finally {
        closeSync(descriptor);
      }
    } catch (error) {
      const code = systemErrorCode(error);
      if (code === null) throw error;
      if (DISK_FAULTS.has(code)) return { note: null, sha256: NOT_A_MESSAGE, items: [lostFile(place, code)] };
      const isGone = code === "ENOENT";
      const message = isGone ? "the file vanished while the source was read" : `the file cannot be read (${code})`;
      return {
        note: null,
        sha256: NOT_A_MESSAGE,
        items: [
          { kind: "damaged", ...place, code: isGone ? "file-vanished" : "file-unreadable", message, sha256: null },
        ],
      };
    }
  }

  private readOpen(descriptor: number, file: MessageFile, path: string): ReadFile {
    const place = { mailbox: file.mailbox, location: file.relativePath };
    let length = readFully(descriptor, this.scratch, 0);
    const head = this.scratch.subarray(0, length);
    if (length === 0) {
      const sha256 = createHash("sha256").digest("hex");
      return {
        note: null,
        sha256: NOT_A_MESSAGE,
        items: [{ kind: "damaged", ...place, code: "empty-message", message: "the file is empty", sha256 }],
      };
    }
    const objects = formatOfObjects(file.relativePath, head);
    const isNamed = isMessageByName(file.relativePath);
    const alien = objects !== null ? null : isNamed ? foreignReason(head) : alienReason(descriptor, head, path);
    if (alien !== null) {
      const item = { kind: "skipped", ...place, ...alien, sha256: this.hashAll(descriptor) } as const;
      return { note: null, sha256: NOT_A_MESSAGE, items: [item] };
    }
    while (length === this.scratch.length && length < this.bytesMax) {
      // Allocates the current size of the file plus one byte to detect its end; it may grow during reading.
      const grown = Buffer.allocUnsafeSlow(
        Math.min(this.bytesMax, Math.max(length * 2, fstatSync(descriptor).size + 1)),
      );
      this.scratch.copy(grown, 0, 0, length);
      this.scratch = grown;
      length += readFully(descriptor, this.scratch.subarray(length), length);
    }
    const bytes = this.scratch.subarray(0, Math.min(length, this.bytesMax));
    const isCut = length >= this.bytesMax && readFully(descriptor, Buffer.allocUnsafe(1), this.bytesMax) > 0;
    const ofFile = isCut ? hashFileFrom(descriptor) : null;
    if (objects !== null) {
      const items = this.readers.get(objects)!(bytes, place, file.flags);
      return { note: null, sha256: () => ofFile ?? hash("sha256", bytes), items };
    }
    return readMessageFile({ bytes, path, file: this.markedFile(file, path), sha256: ofFile });
  }

  /** The file with the folder and flags in the file next to it. */
  private markedFile(file: MessageFile, path: string): MessageFile {
    const marks = file.sidecars === null ? null : this.sidecars.marksOf(path, file.sidecars);
    if (marks === null) return file;
    const above = file.mailbox.slice(0, file.mailbox.lastIndexOf("/") + 1);
    return { ...file, flags: marks.flags, mailbox: marks.folder === null ? file.mailbox : above + marks.folder };
  }

  private hashAll(descriptor: number): string {
    return hashFileFrom(descriptor, this.scratch);
  }
}

interface OpenedFile {
  readonly bytes: Buffer;
  readonly path: string;
  readonly file: MessageFile;
  /** SHA-256 of the whole file if `bytes` are only its beginning. */
  readonly sha256: string | null;
}

function readMessageFile({ bytes, path, file, sha256 }: OpenedFile): ReadFile {
  const place = { mailbox: file.mailbox, location: file.relativePath };
  const unpacked = unpackMessage(bytes, MESSAGE_BYTES_MAX);
  if (unpacked === null) {
    const message = "the compressed message is damaged or too large";
    const fingerprint = sha256 ?? hash("sha256", bytes);
    return {
      note: null,
      sha256: NOT_A_MESSAGE,
      items: [{ kind: "damaged", ...place, code: "file-unreadable", message, sha256: fingerprint }],
    };
  }
  const { missing, ...read } = readMessage(unpacked.bytes, path, file);
  const isWholeFile = sha256 === null && read.bytes === bytes;
  const items: readonly SourceItem[] = [
    {
      kind: "rfc5322",
      ...place,
      bytes: read.bytes,
      isWholeFile,
      flags: read.flags ?? file.flags,
      storedAt: read.storedAt,
    },
  ];
  if (sha256 === null) {
    const note = unpacked.isTruncated ? truncatedNote(place) : missing === 0 ? null : missingNote(place, missing);
    return { note, sha256: isWholeFile ? WHOLE_FILE : () => hash("sha256", bytes), items };
  }
  const message = `longer than ${bytes.length} bytes: truncated`;
  return { note: { kind: "note", ...place, code: "message-too-large", message, sha256 }, sha256: () => sha256, items };
}

/** The message of a file; for Apple Mail with flags, and the number of missing attachments. */
function readMessage(bytes: Buffer, path: string, { relativePath }: MessageFile): StoredMessage {
  const emlx = isEmlxName(path) ? openEmlx(bytes) : null;
  if (emlx === null) {
    const nameAt = relativePath.lastIndexOf("/") + 1;
    const name = relativePath.slice(nameAt);
    const isMaildir = isMaildirPart(relativePath.slice(0, nameAt));
    const storedAt = (): Instant | null => (isMaildir ? maildirDate(name) : null);
    const flags = isMaildir ? unnamedFlags(name, bytes) : [];
    return { bytes, flags: flags.length === 0 ? null : flags, missing: 0, storedAt };
  }
  const { message, missing } = isPartialName(path) ? joinParts(emlx.message, path) : { ...emlx, missing: 0 };
  return { bytes: message, flags: emlx.flags, missing, storedAt: () => emlx.receivedAt };
}

interface StoredMessage {
  readonly bytes: Buffer;
  readonly flags: readonly string[] | null;
  readonly missing: number;
  storedAt(): Instant | null;
}

function missingNote(place: { readonly mailbox: string; readonly location: string }, missing: number): SourceItem {
  const message = `${missing} attachments are missing: Apple Mail had not downloaded them`;
  return { kind: "note", ...place, code: "attachment-missing", message, sha256: null };
}

function truncatedNote(place: { readonly mailbox: string; readonly location: string }): SourceItem {
  const message = "the compressed file ends too early: only the beginning of the message was read";
  return { kind: "note", ...place, code: "message-truncated", message, sha256: null };
}

function lostFile(place: { readonly mailbox: string; readonly location: string }, code: string): SourceItem {
  return {
    kind: "damaged",
    ...place,
    code: "file-lost",
    message: `the disk of the file failed (${code})`,
    sha256: null,
  };
}

/** SHA-256 of the whole open file, read through `chunk`. */
function hashFileFrom(descriptor: number, chunk: Buffer = Buffer.allocUnsafeSlow(SCRATCH_BYTES)): string {
  const hash = createHash("sha256");
  for (let position = 0; ; position += chunk.length) {
    const got = readFully(descriptor, chunk, position);
    hash.update(chunk.subarray(0, got));
    if (got < chunk.length) return hash.digest("hex");
  }
}

/** Files of Maildir folders, and files with a message extension, are messages by name; others must look like one. */
function isMessageByName(relativePath: string): boolean {
  return isNamedMessage(relativePath) || isMaildirPart(relativePath.slice(0, relativePath.lastIndexOf("/") + 1));
}
