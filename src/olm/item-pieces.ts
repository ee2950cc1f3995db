/** Limit of the bytes read per item: only one enormous string could make an item longer. */
export const ITEM_BYTES_MAX = 64 << 20;
/** Bytes at the start of a file that contain its first element. */
const HEAD_BYTES = 4096;

/** Items of a file by enclosing element. */
const ITEMS_OF_ROOT = {
  emails: "email",
  email: "email",
  contacts: "contact",
  groups: "group",
  appointments: "appointment",
  tasks: "task",
  notes: "note",
} as const;
export type OlmItemKind = (typeof ITEMS_OF_ROOT)[keyof typeof ITEMS_OF_ROOT];

/** The element around a file's items, and the prefix of its namespace. */
const ROOT = /<((?:[A-Za-z_][\w.-]{0,50}:)?)([A-Za-z_][\w.-]{0,100})/;

/** Contents of a file in an archive: items of one kind, another list (`other`), or no XML (null). */
export interface OlmFileKind {
  readonly kind: OlmItemKind | "other";
  /** Prefix of its elements, with the colon. */
  readonly prefix: string;
}

/** Determines the contents of a file from its first bytes. */
export function kindOfFile(xml: Buffer): OlmFileKind | null {
  const head = xml.toString("latin1", 0, HEAD_BYTES).replace(/<[?!][^>]{0,2000}>/g, "");
  const [, prefix, name] = ROOT.exec(head) ?? [];
  if (prefix === undefined || name === undefined) return null;
  return {
    prefix,
    kind: Object.hasOwn(ITEMS_OF_ROOT, name) ? ITEMS_OF_ROOT[name as keyof typeof ITEMS_OF_ROOT] : "other",
  };
}

/**
 * Finds the items of a file in its bytes, so that a calendar of any size is read one event at a time. An item without
 * an end extends to the next one.
 */
export function* itemPieces(xml: Buffer, { kind, prefix }: OlmFileKind): Generator<Buffer> {
  const opening = `<${prefix}${kind}`;
  const closing = `</${prefix}${kind}>`;
  let start = startOfItem(xml, opening, 0);
  let end = 0;
  while (start >= 0) {
    const next = startOfItem(xml, opening, start + opening.length);
    // Stops searching after the last closing tag.
    if (end >= 0 && end <= start) end = xml.indexOf(closing, start);
    const limit = next < 0 ? xml.length : next;
    yield xml.subarray(start, end >= 0 && end < limit ? end + closing.length : limit);
    start = next;
  }
}

/** `<email>` and `<email …>` begin an item; `<emails>` and `<emailAddress …>` do not. */
function startOfItem(xml: Buffer, opening: string, from: number): number {
  for (let at = xml.indexOf(opening, from); at >= 0; at = xml.indexOf(opening, at + opening.length)) {
    const next = xml[at + opening.length];
    if (next === undefined || AFTER_NAME.has(next)) return at;
  }
  return -1;
}

const AFTER_NAME: ReadonlySet<number> = new Set(Buffer.from(" \t\r\n/>"));
