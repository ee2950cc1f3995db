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
