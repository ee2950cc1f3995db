import { type Stats, statSync } from "node:fs";
import { ArchiveError, systemErrorCode } from "../errors.ts";
import { formatOfName } from "../mail/source-formats.ts";
import { archiveFormat } from "../unpacking/archive-format.ts";
import { FORMATS, formatOfContent } from "./formats.ts";
import { MBOX_UNIT_BYTES, mailboxOfFile, openMbox, packagedMailbox } from "./mbox.ts";
import { readHead } from "./read-head.ts";
import type { OpenedSource, SourceLimits } from "./source.ts";

/** Files that are no mail yet, by their first bytes, and what to do about them. */
const PACKED: readonly { readonly signature: Buffer; readonly name: string; readonly hint: string }[] = [
  { signature: Buffer.of(0x1f, 0x8b), name: "a gzip file", hint: "unpack it first: gunzip" },
  { signature: Buffer.from("PK\x03\x04", "latin1"), name: "a zip file", hint: "unpack it first: unzip" },
  { signature: Buffer.from("BZh"), name: "a bzip2 file", hint: "unpack it first: bunzip2" },
  { signature: Buffer.of(0xfd, 0x37, 0x7a, 0x58, 0x5a), name: "an xz file", hint: "unpack it first: unxz" },
  { signature: Buffer.from("*mbx*"), name: "a UW-IMAP mbx mailbox", hint: "convert it to MBOX first: mailutil copy" },
];

/**
 * Opens a source in the format it is in: by extension and kind in the order of the specification, then by its first
 * bytes.
 * @throws ArchiveError SOURCE_NOT_FOUND, SOURCE_UNREADABLE, SOURCE_EMPTY, UNSUPPORTED_FORMAT; its message is one line
 * that names the path.
 */
export async function openSource(path: string, limits: SourceLimits): Promise<OpenedSource> {
  const stat = describe(path);
  if (stat.isDirectory()) return openDirectory(path, limits);
  if (!stat.isFile()) throw new ArchiveError("UNSUPPORTED_FORMAT", `${path}: neither a file nor a directory`);
  if (stat.size === 0) throw new ArchiveError("SOURCE_EMPTY", `${path}: the file is empty`);
  const head = readHead(path);
  refusePacked(path, head);
  const name = formatOfName(path)?.name ?? formatOfContent(head);
  if (name === null) throw new ArchiveError("UNSUPPORTED_FORMAT", `${path}: not a mail archive that can be read`);
  return FORMATS[name].open(path, limits);
}

/** A Maildir or tree of messages; or the package that Apple Mail makes of an MBOX. */
async function openDirectory(path: string, limits: SourceLimits): Promise<OpenedSource> {
  const packaged = packagedMailbox(path);
  if (packaged === null) return FORMATS.maildir.open(path, limits);
  return openMbox(packaged, { mailbox: mailboxOfFile(path), unitBytes: MBOX_UNIT_BYTES });
}

function describe(path: string): Stats {
  try {
    return statSync(path);
  } catch (cause) {
    const code = systemErrorCode(cause);
    if (code === "ENOENT" || code === "ENOTDIR") {
      throw new ArchiveError("SOURCE_NOT_FOUND", `${path}: no such file or directory`, hintFor(path));
    }
    throw new ArchiveError("SOURCE_UNREADABLE", `${path}: cannot be read`, { cause });
  }
}

/** Node.js gives arguments as UTF-8; a directory is read whatever the names in it are. */
function hintFor(path: string): { readonly hint?: string } {
  if (!path.includes("\ufffd")) return {};
  return { hint: "check the path; a file whose name is not UTF-8 is read by naming the directory it lies in" };
}

function refusePacked(path: string, head: Buffer): void {
  const packed = packedAs(head);
  if (formatOfName(path)?.isZip === true && archiveFormat(head) === "zip") return;
  if (packed !== null)
    throw new ArchiveError("UNSUPPORTED_FORMAT", `${path}: this is ${packed.name}`, { hint: packed.hint });
}

/** What a file is that begins with these bytes and is no mail yet, and what to do about it. */
export function packedAs(head: Buffer): { readonly name: string; readonly hint: string } | null {
  return PACKED.find(({ signature }) => head.subarray(0, signature.length).equals(signature)) ?? null;
}
