import { type Stats, statSync } from "node:fs";
import { ArchiveError, systemErrorCode } from "../../errors.ts";
import { encodePath } from "../../files/path-text.ts";
import { formatOfName } from "../../mail/records/source-formats.ts";
import { archiveFormat } from "../../unpacking/archive-format.ts";
import { MBOX_UNIT_BYTES, mailboxOfFile, openMbox, packagedMailbox } from "../mbox/mbox.ts";
import { formatOfObjects } from "../msg/object-files.ts";
import { foreignMail } from "../reading/foreign-mail.ts";
import { readHead } from "../reading/read-head.ts";
import type { OpenedSource, SourceLimits } from "../reading/source.ts";
import { FORMATS, formatOfContent } from "./formats.ts";

/**
 * Opens a source. Detects the format by extension and kind in the order of the specification, then by the first bytes.
 * @throws ArchiveError SOURCE_NOT_FOUND, SOURCE_UNREADABLE, SOURCE_EMPTY, UNSUPPORTED_FORMAT; its message is one line
 * that names the path.
 */
export async function openSource(path: string, limits: SourceLimits): Promise<OpenedSource> {
  const stat = describe(path);
  if (stat.isDirectory()) return openDirectory(path, limits);
  if (!stat.isFile()) throw new ArchiveError("UNSUPPORTED_FORMAT", `${path}: neither a file nor a directory`);
  if (stat.size === 0) throw new ArchiveError("SOURCE_EMPTY", `${path}: the file is empty`);
  const head = readHead(path);
  refuseForeign(path, head);
  const name = formatOfName(path)?.name ?? formatOfObjects(path, head) ?? formatOfContent(head);
  if (name === null) throw new ArchiveError("UNSUPPORTED_FORMAT", `${path}: not a supported mail archive`);
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
    return statSync(encodePath(path));
  } catch (cause) {
    const code = systemErrorCode(cause);
    if (code === "ENOENT" || code === "ENOTDIR") {
      throw new ArchiveError("SOURCE_NOT_FOUND", `${path}: no such file or directory`, hintFor(path));
    }
    throw new ArchiveError("SOURCE_UNREADABLE", `${path}: cannot be read`, { cause });
  }
}

/** Node.js passes arguments as UTF-8; a directory is readable whatever the names in it are. */
function hintFor(path: string): { readonly hint?: string } {
  if (!path.includes("\ufffd")) return {};
  return { hint: "check the path; to read a file whose name is not UTF-8, pass its directory" };
}

function refuseForeign(path: string, head: Buffer): void {
  const foreign = foreignMail(head);
  const isRead =
    formatOfName(path)?.isZip === true ? archiveFormat(head) === "zip" : formatOfObjects(path, head) !== null;
  if (isRead) return;
  if (foreign !== null)
    throw new ArchiveError("UNSUPPORTED_FORMAT", `${path}: this is ${foreign.name}`, { hint: foreign.hint });
}
