/** An Exchange legacy distinguished name: `/o=Org/ou=Site/cn=Recipients/cn=JDOE` ([MS-OXOABK] 2.2.1.1). */
interface DirectoryName {
  /** Value of the first `O=` in lower case, or "". */
  readonly organization: string;
  /** Value of the last `CN=`, upper case, without the random prefix that Exchange 2010 and later put before it. */
  readonly leaf: string;
}

/** Containers that name no one. */
const CONTAINER_LEAVES: ReadonlySet<string> = new Set(["RECIPIENTS", "NOTESADDR", "CONFIGURATION", "SERVERS"]);

/** X.500 organizations shared by unrelated companies: the Microsoft cloud, and defaults of old installers. */
const SHARED_DIRECTORIES: ReadonlySet<string> = new Set([
  "exchangelabs",
  "first organization",
  "organization",
  "microsoft",
  "exchange",
]);

/** Maximum length of a distinguished name; Exchange rejects more than 1,024 characters. */
const MAX_NAME_CHARACTERS = 2_048;

/** True for text that begins like a legacy distinguished name. */
export function isDirectoryName(text: string): boolean {
  return text.length > 3 && text.charCodeAt(0) === 0x2f && /^\/(?:o|cn)=/i.test(text);
}

/** Parses a legacy distinguished name in any letter case. Returns null if it has no leaf. */
export function parseDirectoryName(text: string): DirectoryName | null {
  if (!isDirectoryName(text) || text.length > MAX_NAME_CHARACTERS) return null;
  let organization = "";
  let leaf = "";
  for (const part of text.split("/")) {
    const equals = part.indexOf("=");
    if (equals <= 0) continue;
    const type = part.slice(0, equals).toLowerCase();
    const value = part.slice(equals + 1).trim();
    if (type === "o" && organization === "") organization = value.toLowerCase();
    if (type === "cn") leaf = value.toUpperCase();
  }
  leaf = leaf.replace(/^[0-9A-F]{32}-(?=.)/, "");
  return leaf === "" || CONTAINER_LEAVES.has(leaf) ? null : { organization, leaf };
}

/**
 * The distinguished name that Outlook's exports leave inside a display name (`Doe, Jane </O=ORG/…/CN=JDOE>`), or null.
 */
export function directoryNameWithin(displayName: string): DirectoryName | null {
  const start = displayName.search(/\/o=/i);
  if (start < 0) return null;
  const close = displayName.indexOf(">", start);
  return parseDirectoryName(displayName.slice(start, close < 0 ? displayName.length : close));
}

/** True when one leaf name under this X.500 organization may belong to people of different companies. */
export function isSharedDirectory(organization: string): boolean {
  return SHARED_DIRECTORIES.has(organization);
}
