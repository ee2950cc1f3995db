import { closeSync, openSync, readSync } from "node:fs";
import { ArchiveError, systemErrorCode } from "../errors.ts";
import { looksLikeMessage } from "./header-line.ts";
import { type MailTree, walkMailTree } from "./mail-tree.ts";
import { fileUnits, readFilesUnit } from "./message-files.ts";
import { encodePath } from "./path-text.ts";
import type { OpenedSource, SourceFormat } from "./source.ts";

/** Bytes read of a file to see whether a tree holds any message. */
const SAMPLE_BYTES = 4096;

/** Maildir, Maildir++, nested Maildirs, and Enron-style trees of bare message files. */
export const maildir: SourceFormat = {
  name: "maildir",
  open: async (path) => openMailTree(path),
  read: (unit) => (unit.kind === "files" ? readFilesUnit(unit) : []),
};

/**
 * Opens a directory: `maildir` when a Maildir folder is in it or its files are bare messages, `eml` when it holds `.eml` files.
 * @throws ArchiveError SOURCE_EMPTY when no file in it is a message, SOURCE_UNREADABLE when it cannot be listed.
 */
export function openMailTree(path: string): OpenedSource {
  const tree = walkReadable(path);
  if (tree.fileCount === 0) throw new ArchiveError("SOURCE_EMPTY", `${path}: no mail in this directory`);
  const isEml = tree.maildirCount === 0 && tree.emlCount > 0;
  if (tree.maildirCount === 0 && !isEml && !holdsMessage(path, tree)) {
    throw new ArchiveError("SOURCE_EMPTY", `${path}: no file in this directory is a message`);
  }
  return {
    format: isEml ? "eml" : "maildir",
    path,
    sizeBytes: tree.sizeBytes,
    isFile: false,
    notes: tree.notes,
    units: () => fileUnits(path, tree),
  };
}

function walkReadable(path: string): MailTree {
  try {
    return walkMailTree(path);
  } catch (cause) {
    const code = systemErrorCode(cause);
    if (code === null) throw cause;
    throw new ArchiveError("SOURCE_UNREADABLE", `${path}: directory cannot be read (${code})`, { cause });
  }
}

/** True when one of the files looks like a message; in a mail tree the first one does. */
function holdsMessage(root: string, tree: MailTree): boolean {
  const sample = Buffer.allocUnsafe(SAMPLE_BYTES);
  for (const { prefix, names } of tree.listings) {
    for (const name of names.toString().split("\0")) {
      if (looksLikeMessage(readSample(`${root}/${prefix}${name}`, sample))) return true;
    }
  }
  return false;
}

/** The first bytes of a file; none when it cannot be read (the reader of its unit will say so). */
function readSample(path: string, sample: Buffer): Buffer {
  try {
    const descriptor = openSync(encodePath(path), "r");
    try {
      return sample.subarray(0, readSync(descriptor, sample, 0, sample.length, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (systemErrorCode(error) === null) throw error;
    return sample.subarray(0, 0);
  }
}
