/** Properties of an input format. */
interface FormatFacts {
  /** The name in provenance and published documents. */
  readonly name: string;
  /** Plural name for users. */
  readonly sources: string;
  /** File extensions in lower case; none for a directory. */
  readonly extensions: readonly string[];
  /** First bytes of every file, each byte as one character; null if detection needs the content. */
  readonly signature: string | null;
  /**
   * Contents of a file: a mailbox, which is a separate source, or one message, some events or contacts in a
   * directory.
   */
  readonly holds: "mailbox" | "message" | "directory";
  /** True when a single file of it may be uploaded. */
  readonly isUploaded: boolean;
  /** True when a file of it is a zip file, which is not unpacked to be read. */
  readonly isZip?: true;
  /** True when a password may be needed to read it. */
  readonly takesPassword: boolean;
  /** True if new mail is appended to the file, and earlier content does not change. */
  readonly growsAtEnd: boolean;
  /** Supported contents, for `info`. */
  readonly reads: string;
}

/**
 * Every readable format, in order of detection: the only place for names, extensions and signatures, which a test
 * checks. The readers are in `sources/`; `formats.ts` there has a row for each name.
 */
export const SOURCE_FORMATS = [
  {
    name: "pst",
    sources: "PST/OST files",
    extensions: [".pst", ".ost"],
    signature: "!BDN",
    holds: "mailbox",
    isUploaded: true,
    takesPassword: true,
    growsAtEnd: false,
    reads: "PST and OST: ANSI, Unicode, OST 2013; mail, appointments, contacts, tasks, notes",
  },
  {
    name: "olm",
    sources: "OLM files",
    extensions: [".olm"],
    // All zip files have the same signature.
    signature: null,
    holds: "mailbox",
    isUploaded: true,
    isZip: true,
    takesPassword: false,
    growsAtEnd: false,
    reads: "OLM archives of Outlook for Mac: mail, appointments, contacts, tasks, notes",
  },
  {
    name: "maildir",
    sources: "Maildir directories and trees of message files",
    extensions: [],
    signature: null,
    holds: "directory",
    isUploaded: false,
    takesPassword: false,
    growsAtEnd: false,
    reads: "Maildir, Maildir++ and trees of message files",
  },
  {
    name: "mbox",
    sources: "MBOX files",
    extensions: [".mbox", ".mbx"],
    signature: null,
    holds: "mailbox",
    isUploaded: true,
    takesPassword: false,
    growsAtEnd: true,
    reads: "mboxo, mboxrd, mboxcl, mboxcl2; Google Takeout",
  },
  {
    name: "eml",
    sources: "EML files",
    extensions: [".eml", ".emlx"],
    signature: null,
    holds: "message",
    isUploaded: true,
    takesPassword: false,
    growsAtEnd: false,
    reads: "EML files and directories of them; EMLX files of Apple Mail",
  },
  {
    name: "msg",
    sources: "MSG files",
    extensions: [".msg", ".oft"],
    // Old Word and Excel documents have the same signature.
    signature: null,
    holds: "message",
    isUploaded: true,
    takesPassword: false,
    growsAtEnd: false,
    reads:
      "MSG files and templates (OFT) of Outlook and directories of them: mail, appointments, contacts, tasks, notes",
  },
  {
    name: "ics",
    sources: "iCalendar files",
    extensions: [".ics", ".vcs"],
    // A byte-order mark or blank lines may precede it, in any case.
    signature: null,
    holds: "message",
    isUploaded: true,
    takesPassword: false,
    growsAtEnd: false,
    reads: "iCalendar and vCalendar files: events",
  },
  {
    name: "vcf",
    sources: "vCard files",
    extensions: [".vcf"],
    signature: null,
    holds: "message",
    isUploaded: true,
    takesPassword: false,
    growsAtEnd: false,
    reads: "vCard 2.1, 3.0 and 4.0 files: contacts and groups",
  },
] as const satisfies readonly FormatFacts[];

export type SourceFormatName = (typeof SOURCE_FORMATS)[number]["name"];
export type FormatRow = FormatFacts & { readonly name: SourceFormatName };

const ROWS: readonly FormatRow[] = SOURCE_FORMATS;
/** Compared with every file of a tree. */
const SIGNED_ROWS = ROWS.flatMap((row) => (row.signature === null ? [] : [{ row, signature: row.signature }]));
const ROW_OF_EXTENSION: ReadonlyMap<string, FormatRow> = new Map(
  ROWS.flatMap((row) => row.extensions.map((extension) => [extension, row] as const)),
);

export const SOURCE_FORMAT_NAMES: readonly [SourceFormatName, ...SourceFormatName[]] = namesOf(SOURCE_FORMATS);

/** Extensions of single files that may be uploaded. */
export const UPLOADED_EXTENSIONS: readonly string[] = ROWS.filter(({ isUploaded }) => isUploaded).flatMap(
  ({ extensions }) => extensions,
);

function namesOf([first, ...others]: readonly [FormatRow, ...FormatRow[]]): readonly [
  SourceFormatName,
  ...SourceFormatName[],
] {
  return [first.name, ...others.map(({ name }) => name)];
}

/** The row of a format. */
export function formatRow(name: SourceFormatName): FormatRow {
  return ROWS.find((row) => row.name === name)!;
}

/**
 * The format indicated by the extension of a file, ignoring case. A name that begins with its only dot has no
 * extension.
 */
export function formatOfName(path: string): FormatRow | null {
  const dot = path.lastIndexOf(".");
  return dot < 1 || path[dot - 1] === "/" ? null : (ROW_OF_EXTENSION.get(path.slice(dot).toLowerCase()) ?? null);
}

/** The only format with this signature. */
export function formatOfSignature(head: Uint8Array): FormatRow | null {
  for (const { row, signature } of SIGNED_ROWS) if (beginsWith(head, signature)) return row;
  return null;
}

function beginsWith(head: Uint8Array, signature: string): boolean {
  for (let at = 0; at < signature.length; at++) if (head[at] !== signature.charCodeAt(at)) return false;
  return true;
}

/** Every format with the extensions of its files, in one line. */
export function listFormats(): string {
  return ROWS.map(({ sources, extensions }) =>
    extensions.length === 0 ? sources : `${sources} (${extensions.join(" ")})`,
  ).join(", ");
}

/** All kinds of sources in one line. */
export function listSources(): string {
  return ROWS.map(({ sources }) => sources).join(", ");
}
