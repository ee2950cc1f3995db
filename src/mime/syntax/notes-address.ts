/**
 * A name in the directory of Lotus Notes as an address: `Ann Lund/Quay/Mill@Mill`. The parts between slashes are units
 * of an organization, and the part after "@" is a Notes domain, usually without a dot. Blanks are part of the name.
 */
const NOTES_ADDRESS = /^[^\s/@"<>][^/@"<>]{0,200}(?:\/[^/@"<>]{1,200}){1,8}@[^\s@"<>]{1,255}$/;

/**
 * True for a Notes address. An Internet address with a slash in its local part is recognized by the dot in its domain.
 */
export function isNotesAddress(text: string): boolean {
  const slash = text.indexOf("/");
  if (slash <= 0 || !NOTES_ADDRESS.test(text)) return false;
  const at = text.indexOf("@");
  return !text.includes(".", at) || text.indexOf("/", slash + 1) > 0 || /^CN=/i.test(text);
}

/** The person of a Notes address: the part before the units, with or without `CN=`. */
export function notesName(address: string): string {
  return address.slice(0, address.indexOf("/")).replace(/^CN=/i, "").trim();
}

/** A local part without quotes (RFC 5322 section 3.2.3). */
const DOT_ATOM = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~.-]+$/u;

/**
 * A group of another system (`All Quay@MILL`) as an addr-spec, quoted if it contains blanks; null without exactly one
 * `@`.
 */
export function groupAddress(decoded: string): string | null {
  const match = /^([^@"\\<>\p{Cc}]{1,200})@([^\s@"<>\p{Cc}]{1,255})$/u.exec(decoded);
  if (match === null) return null;
  const [, name, system] = match;
  return `${DOT_ATOM.test(name!) ? name : `"${name}"`}@${system}`;
}

/**
 * `Everyone@MILL` after other words: the last word of a group in a directory of Notes, whose domain is in capitals. A
 * local part in capitals is an address of BITNET.
 */
export function isEndOfGroup(word: string): boolean {
  return /^[^@"<>]*\p{Ll}[^@"<>]*@[A-Z][A-Z0-9_-]{1,254}$/u.test(word);
}
