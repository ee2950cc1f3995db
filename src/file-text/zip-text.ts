import { type FileText, FileTextWriter, type MailedFile, UnreadFile } from "./file-text.ts";
import type { ZipParts } from "./zip-parts.ts";

/** Maximum members of a zip file that are read; larger ones are programs or backups. */
export const MAX_MEMBERS = 1_000;

/** Reads a member; null where files of its kind are not read. */
type ReadMember = (member: MailedFile) => Promise<FileText | null>;

/**
 * The names of the members of a zip file, each followed by its text. In a nested zip file only the text of members is
 * read: the names of the outer file describe what was sent.
 */
export async function zipText(parts: ZipParts, isNamed: boolean, readMember: ReadMember): Promise<FileText> {
  const out = new FileTextWriter();
  const names = parts.names.filter((name) => !name.endsWith("/"));
  let gap: string | null = null;
  let isCut = names.length > MAX_MEMBERS;
  for (const name of names.slice(0, MAX_MEMBERS)) {
    if (out.isCut) break;
    if (isNamed) out.write(`${name}\n`);
    const read = await memberText(parts, name, readMember);
    if (read?.state === "unread") gap ??= `${name}: ${read.reason}`;
    if (read?.state !== "read") continue;
    gap ??= read.gap;
    isCut ||= read.isCut;
    if (read.text !== "") out.write(`${read.text}\n\n`);
  }
  const text = out.finish();
  return text.state === "read" ? { ...text, isCut: isCut || text.isCut, gap } : text;
}

async function memberText(parts: ZipParts, name: string, readMember: ReadMember): Promise<FileText | null> {
  try {
    return await readMember({ filename: name, mediaType: "", bytes: parts.part(name)! });
  } catch (error) {
    return { state: "unread", reason: error instanceof UnreadFile ? error.message : "it is damaged" };
  }
}
