import type { ArchivedMessage } from "../../mail/archive.ts";
import { CR, GREATER_THAN, LF } from "../../mail/words/ascii.ts";
import type { ExportFile } from "./export-target.ts";

const FROM = Buffer.from("From ");
const QUOTE = Buffer.from(">");
const LINE_FEED = Buffer.from("\n");
/** Bytes after which our reader accepts a separator: it reads mailboxes with mixed line ends and NUL bytes. */
const LINE_ENDS: ReadonlySet<number> = new Set([LF, CR, 0]);
const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;

/**
 * Writes a message in mboxrd format: a separator line, then the message with an additional `>` before each line that
 * matches `>*From `, and a blank line. Removing that `>` restores the bytes, except for a missing line break at the
 * end.
 */
export function writeMboxMessage(
  file: ExportFile,
  message: Pick<ArchivedMessage, "from" | "sentAt" | "receivedAt">,
  bytes: Buffer,
): void {
  file.write(separatorLine(message));
  let written = 0;
  for (let at = bytes.indexOf(FROM); at >= 0; at = bytes.indexOf(FROM, at + FROM.length)) {
    let start = at;
    while (start > 0 && bytes[start - 1] === GREATER_THAN) start--;
    if (start < written || (start > 0 && !LINE_ENDS.has(bytes[start - 1]!))) continue;
    file.write(bytes.subarray(written, start));
    file.write(QUOTE);
    written = start;
  }
  file.write(bytes.subarray(written));
  if (bytes.at(-1) !== LF) file.write(LINE_FEED);
  file.write(LINE_FEED);
}

/** `From` , the sender's address, and the date as asctime writes it, in UTC (RFC 4155 appendix A). */
function separatorLine({ from, sentAt, receivedAt }: Pick<ArchivedMessage, "from" | "sentAt" | "receivedAt">): string {
  const email = from?.email ?? "";
  const sender = /^[!-~]{1,254}$/.test(email) ? email : "MAILER-DAEMON";
  const date = new Date(receivedAt ?? sentAt ?? 0);
  const pad = (number: number): string => String(number).padStart(2, "0");
  const time = `${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())}:${pad(date.getUTCSeconds())}`;
  const day = String(date.getUTCDate()).padStart(2, " ");
  const year = String(Math.max(0, date.getUTCFullYear())).padStart(4, "0");
  return `From ${sender} ${DAYS[date.getUTCDay()]} ${MONTHS[date.getUTCMonth()]} ${day} ${time} ${year}\n`;
}
