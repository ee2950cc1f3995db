import type { ArchivedMessage } from "../../mail/archive.ts";
import { sanitizeFilename } from "../../text/tokens/attachment-name.ts";

/** Characters of a subject in a file name. */
const MAX_SUBJECT = 80;

/**
 * File name of a message by date (UTC) and subject: `2001-05-14 1639 Mooring line msg-000012.eml`. It begins with a
 * digit or `undated` and ends in the id, so that it is never a Windows device name, and no two differ only by case.
 * @param room UTF-16 units of the name
 */
export function datedName(
  { id, sentAt, subject }: Pick<ArchivedMessage, "id" | "sentAt" | "subject">,
  room: number,
): string {
  const iso = sentAt === null ? null : new Date(sentAt).toISOString();
  const date =
    iso === null ? "undated" : `${iso.slice(0, iso.indexOf("T"))} ${iso.slice(-13, -11)}${iso.slice(-10, -8)}`;
  const characters = Array.from(subject.slice(0, 4 * MAX_SUBJECT).replace(/[/\\]/g, "_"));
  const end = ` ${id}.eml`;
  const most = Math.max(0, room - date.length - 1 - end.length);
  const begun = characters
    .slice(0, MAX_SUBJECT)
    .join("")
    .slice(0, most)
    .replace(/[\ud800-\udbff]$/, "");
  return sanitizeFilename(`${date} ${begun}`, date) + end;
}
