/**
 * A name in the directory of Lotus Notes as an address: `Ann Lund/Quay/Mill@Mill`, where the parts between slashes are
 * units of an organisation and what is behind "@" is a domain of Notes, mostly without a dot. It holds blanks, which
 * belong to it.
 */
const NOTES_ADDRESS = /^[^\s/@"<>][^/@"<>]{0,200}(?:\/[^/@"<>]{1,200}){1,8}@[^\s@"<>]{1,255}$/;

/**
 * True for a Notes address. An Internet address with a slash in its local part is recognized by the dot in its domain.
 */
export function isNotesAddress(text: string): boolean {
  const slash = text.indexOf("/");
  if (slash <= 0 || !NOTES_ADDRESS.test(text)) return false;
  const at = text.indexOf("@");
  return !text.includes(".", at) || text.indexOf("/", slash + 1) > 0;
}

/** Whose address of Notes it is: what stands before the units, `CN=` or not. */
export function notesName(address: string): string {
  return address.slice(0, address.indexOf("/")).replace(/^CN=/i, "").trim();
}
