import { existsSync, type Stats, statSync } from "node:fs";
import { extname, join } from "node:path";
import { ArchiveError, systemErrorCode } from "../errors.ts";
import { firstBytes } from "../files/whole-bytes.ts";
import type { SourceFormatName } from "../mail/provenance.ts";
import { hasPstSignature } from "../pst/file-header.ts";
import { FORMATS } from "./formats.ts";
import { looksLikeMessage, SNIFF_BYTES, skipLead, startsWithFrom } from "./header-line.ts";
import { MBOX_UNIT_BYTES, mailboxOfFile, openMbox } from "./mbox.ts";
import type { OpenedSource, SourceLimits } from "./source.ts";

/** Formats by the extension of a file, in lower case. */
const FORMAT_OF_EXTENSION: Readonly<Record<string, SourceFormatName>> = {
  ".pst": "pst",
  ".ost": "pst",
  ".mbox": "mbox",
  ".mbx": "mbox",
  ".eml": "eml",
  ".emlx": "eml",
};

/** Files that are no mail yet, by their first bytes, and what to do about them. */
const PACKED: readonly { readonly signature: Buffer; readonly name: string; readonly hint: string }[] = [
  { signature: Buffer.of(0x1f, 0x8b), name: "a gzip file", hint: "unpack it first: gunzip" },
  { signature: Buffer.from("PK\x03\x04", "latin1"), name: "a zip file", hint: "unpack it first: unzip" },
  { signature: Buffer.from("BZh"), name: "a bzip2 file", hint: "unpack it first: bunzip2" },
  { signature: Buffer.of(0xfd, 0x37, 0x7a, 0x58, 0x5a), name: "an xz file", hint: "unpack it first: unxz" },
  { signature: Buffer.from("*mbx*"), name: "a UW-IMAP mbx mailbox", hint: "convert it to MBOX first: mailutil copy" },
  { signature: Buffer.of(0xd0, 0xcf, 0x11, 0xe0), name: "an Outlook .msg or other OLE file", hint: "save it as .eml first" },
];

/**
 * Opens a source in the format it is in: by extension and kind in the order of the specification, then by its first bytes.
 * @throws ArchiveError SOURCE_NOT_FOUND, SOURCE_UNREADABLE, SOURCE_EMPTY, UNSUPPORTED_FORMAT; its message is one line that names the path.
 */
export async function openSource(path: string, limits: SourceLimits): Promise<OpenedSource> {
  const stat = describe(path);
  if (stat.isDirectory()) return openDirectory(path, limits);
  if (!stat.isFile()) throw new ArchiveError("UNSUPPORTED_FORMAT", `${path}: neither a file nor a directory`);
  if (stat.size === 0) throw new ArchiveError("SOURCE_EMPTY", `${path}: the file is empty`);
  const head = readHead(path);
  refusePacked(path, head);
  const name = formatOfName(path) ?? formatOfContent(head);
  if (name === null) throw new ArchiveError("UNSUPPORTED_FORMAT", `${path}: not a mail archive that can be read`);
  return openAs(name, path, limits);
}

/** A Maildir or tree of messages; or the package that Apple Mail makes of an MBOX: `Name.mbox/mbox`. */
async function openDirectory(path: string, limits: SourceLimits): Promise<OpenedSource> {
  const packaged = join(path, "mbox");
  if (/\.mbox\/*$/i.test(path) && existsSync(packaged) && startsWithFrom(readHead(packaged), 0)) {
    return openMbox(packaged, { mailbox: mailboxOfFile(path), unitBytes: MBOX_UNIT_BYTES });
  }
  return openAs("maildir", path, limits);
}

async function openAs(name: SourceFormatName, path: string, limits: SourceLimits): Promise<OpenedSource> {
  const format = FORMATS.find((candidate) => candidate.name === name);
  if (format === undefined) throw new ArchiveError("UNSUPPORTED_FORMAT", `${path}: ${name} files cannot be read`);
  return format.open(path, limits);
}

function describe(path: string): Stats {
  try {
    return statSync(path);
  } catch (cause) {
    const code = systemErrorCode(cause);
    if (code === "ENOENT" || code === "ENOTDIR") {
      throw new ArchiveError("SOURCE_NOT_FOUND", `${path}: no such file or directory`);
    }
    throw new ArchiveError("SOURCE_UNREADABLE", `${path}: cannot be read`, { cause });
  }
}

/** The first bytes of a file. Throws SOURCE_UNREADABLE. */
export function readHead(path: string): Buffer {
  try {
    return firstBytes(path, SNIFF_BYTES);
  } catch (cause) {
    throw new ArchiveError("SOURCE_UNREADABLE", `${path}: cannot be read`, { cause });
  }
}

function refusePacked(path: string, head: Buffer): void {
  const packed = packedAs(head);
  if (packed !== null) throw new ArchiveError("UNSUPPORTED_FORMAT", `${path}: this is ${packed.name}`, { hint: packed.hint });
}

/** What a file is that begins with these bytes and is no mail yet, and what to do about it. */
export function packedAs(head: Buffer): { readonly name: string; readonly hint: string } | null {
  return PACKED.find(({ signature }) => head.subarray(0, signature.length).equals(signature)) ?? null;
}

/** The format that the extension of a file names. */
export function formatOfName(path: string): SourceFormatName | null {
  return FORMAT_OF_EXTENSION[extname(path).toLowerCase()] ?? null;
}

/** The format of a file that begins with these bytes. */
export function formatOfContent(head: Buffer): SourceFormatName | null {
  if (hasPstSignature(head)) return "pst";
  if (startsWithFrom(head, skipLead(head))) return "mbox";
  return looksLikeMessage(head) ? "eml" : null;
}

/** True when a file that begins with these bytes can be what its name says. An MBOX may begin with a message, or with lines that are none. */
export function holdsFormat(head: Buffer, format: SourceFormatName): boolean {
  const found = formatOfContent(head);
  if (format !== "mbox") return found === format || (format === "eml" && found === "mbox");
  return found === "mbox" || found === "eml" || head.includes("\nFrom ");
}
