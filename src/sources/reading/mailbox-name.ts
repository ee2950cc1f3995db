/**
 * Decodes a mailbox name in modified UTF-7 (RFC 3501 section 5.1.3), as Maildir++ directories carry it. A name that is
 * not valid modified UTF-7 is returned as it is: many programs write plain UTF-8.
 */
export function decodeMailboxName(name: string): string {
  if (!name.includes("&")) return name;
  let decoded = "";
  let from = 0;
  for (let at = name.indexOf("&"); at >= 0; at = name.indexOf("&", from)) {
    const end = name.indexOf("-", at);
    if (end < 0) return name;
    const shifted = end === at + 1 ? "&" : decodeShift(name.slice(at + 1, end));
    if (shifted === null) return name;
    decoded += name.slice(from, at) + shifted;
    from = end + 1;
  }
  return decoded + name.slice(from);
}

/** UTF-16BE in base64 with `,` for `/` and no padding; null if it is invalid. */
function decodeShift(base64: string): string | null {
  if (!/^[A-Za-z0-9+,]+$/.test(base64)) return null;
  const bytes = Buffer.from(base64.replaceAll(",", "/"), "base64");
  if (bytes.length < 2 || bytes.length % 2 !== 0) return null;
  const text = bytes.swap16().toString("utf16le");
  return text.isWellFormed() && !text.includes("\0") ? text : null;
}

/** `.Folder.Sub` of Maildir++ (https://www.courier-mta.org/imap/README.maildirquota.html) as `Folder/Sub`. */
export function maildirPlusName(directory: string): string {
  const levels = directory.split(".").filter((level) => level !== "");
  return levels.map((level) => withoutSlash(unescapedLevel(decodeMailboxName(level)))).join("/");
}

/** Escapes by Dovecot's LISTESCAPE plugin of dots, slashes, backslashes and other characters in mailbox names. */
const LIST_ESCAPE = /\\(2[0-9a-f]|5c|7e)/gi;

function unescapedLevel(level: string): string {
  return level.replace(LIST_ESCAPE, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

/** A level of a mailbox path must not add further levels. */
function withoutSlash(level: string): string {
  return level.replaceAll("/", "_");
}

/** Name of the mailbox of a directory in a mail tree. */
export function directoryMailboxName(directory: string): string {
  return withoutSlash(decodeMailboxName(directory));
}

/** Thunderbird and KMail store the mailboxes below `Inbox` in `Inbox.sbd` and `.Inbox.directory`. */
const BELOW_MAILBOX = /^(?:(.{1,250})\.sbd|\.(.{1,250})\.directory)$/i;

/** Name of the parent mailbox of a directory of mailboxes, or null. */
export function mailboxAbove(directory: string): string | null {
  const match = BELOW_MAILBOX.exec(directory);
  return match === null ? null : directoryMailboxName((match[1] ?? match[2])!);
}
