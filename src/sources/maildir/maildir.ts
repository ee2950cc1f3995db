import { accessSync, closeSync, constants, openSync } from "node:fs";
import { ArchiveError, systemErrorCode } from "../../errors.ts";
import { encodePath } from "../../files/path-text.ts";
import { readFully } from "../../files/read-fully.ts";
import { formatOfName, SOURCE_FORMAT_NAMES, type SourceFormatName } from "../../mail/records/source-formats.ts";
import { formatOfObjects } from "../msg/object-files.ts";
import type { OpenedSource, SourceFormat } from "../reading/source.ts";
import { alienReason } from "./alien-file.ts";
import { type MailTree, walkMailTree } from "./mail-tree.ts";
import { unitsOfTree } from "./message-files.ts";

/** Bytes of a file that are read to detect messages in a tree. */
const SAMPLE_BYTES = 4096;

/** Maildir, Maildir++, nested Maildirs, and Enron-style trees of bare message files. */
export const maildir: SourceFormat = {
  recognizes: () => false,
  accepts: () => false,
  open: async (path) => openMailTree(path),
};

/**
 * Opens a directory: `maildir` if it contains a Maildir folder or bare messages, else the format of most of its
 * message names. @throws ArchiveError SOURCE_EMPTY if no file is a message, SOURCE_UNREADABLE if it cannot be listed
 */
export function openMailTree(path: string): OpenedSource {
  const tree = walkReadable(path);
  if (tree.fileCount === 0) throw withoutMail(path, tree, "no mail in this directory");
  return {
    format: tree.maildirCount === 0 ? formatOfTree(path, tree) : "maildir",
    path,
    sizeBytes: tree.sizeBytes,
    isFile: false,
    notes: tree.notes,
    unitCount: tree.cuts.length + 1,
    units: () => unitsOfTree(path, tree),
  };
}

/** Formats without mail: some calendars in a tree of messages do not make it a tree of calendars. */
const WITHOUT_MAIL: ReadonlySet<SourceFormatName> = new Set(["ics", "vcf"]);

/** Format of a tree without Maildirs: that of its messages, or without any, of its other files. */
function formatOfTree(path: string, tree: MailTree): SourceFormatName {
  const ofMail = mostNamed(tree, (name) => !WITHOUT_MAIL.has(name));
  if (ofMail !== null) return ofMail;
  if (holdsBareMessage(path, tree)) return "maildir";
  const other = mostNamed(tree, (name) => WITHOUT_MAIL.has(name));
  if (other !== null) return other;
  throw withoutMail(path, tree, "no file in this directory is a message");
}

/** The error for a tree without mail, unless a part of it is unreadable. */
function withoutMail(path: string, tree: MailTree, message: string): ArchiveError {
  const unread = firstUnreadable(path, tree);
  if (unread === null) return new ArchiveError("SOURCE_EMPTY", `${path}: ${message}`);
  return new ArchiveError("SOURCE_UNREADABLE", `${path}: ${unread} cannot be read, and ${message}`);
}

/** The first directory or file of a tree that cannot be read, relative to its root. */
function firstUnreadable(root: string, { notes, listings }: MailTree): string | null {
  const directory = notes.find((note) => note.kind === "damaged");
  if (directory !== undefined) return directory.location;
  for (const { prefix, names } of listings) {
    for (const name of names.toString().split("\0")) if (!isReadable(`${root}/${prefix}${name}`)) return prefix + name;
  }
  return null;
}

function isReadable(path: string): boolean {
  try {
    accessSync(encodePath(path), constants.R_OK);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === null) throw error;
    return false;
  }
}

/** The most frequent format by name in a tree; in a tie, the first in detection order. */
function mostNamed({ namedCounts }: MailTree, isMeant: (name: SourceFormatName) => boolean): SourceFormatName | null {
  const names = SOURCE_FORMAT_NAMES.filter((name) => namedCounts.has(name) && isMeant(name));
  return names.toSorted((left, right) => namedCounts.get(right)! - namedCounts.get(left)!)[0] ?? null;
}

function walkReadable(path: string): MailTree {
  try {
    return walkMailTree(path);
  } catch (cause) {
    if (systemErrorCode(cause) === null) throw cause;
    throw new ArchiveError("SOURCE_UNREADABLE", `${path}: directory cannot be read`, { cause });
  }
}

/** True if a file of a tree is a message in spite of its name; in a mail tree, the first file decides. */
function holdsBareMessage(root: string, tree: MailTree): boolean {
  const sample = sampleBuffer();
  for (const { prefix, names } of tree.listings) {
    for (const name of names.toString().split("\0")) {
      if (formatOfName(name) === null && kindOfFile(`${root}/${prefix}${name}`, sample) === "message") return true;
    }
  }
  return false;
}

/** Shared buffer for the first bytes of files. */
export function sampleBuffer(): Buffer {
  return Buffer.allocUnsafeSlow(SAMPLE_BYTES);
}

/** Codes of files that are separate sources. */
const STORES: ReadonlySet<string> = new Set(["mbox-in-directory", "store-in-directory"]);

/**
 * Kind of a file as the reader of units will detect it; `other` also if it is empty or unreadable (the reader reports
 * it). @param buffer from `sampleBuffer`
 */
export function kindOfFile(path: string, buffer: Buffer): "message" | "store" | "other" {
  if (formatOfName(path)?.holds === "mailbox") return "store";
  try {
    const descriptor = openSync(encodePath(path), "r");
    try {
      const sample = buffer.subarray(0, readFully(descriptor, buffer, 0));
      const alien = formatOfObjects(path, sample) !== null ? null : alienReason(descriptor, sample, path);
      return alien === null ? "message" : STORES.has(alien.code) ? "store" : "other";
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (systemErrorCode(error) === null) throw error;
    return "other";
  }
}
