import { hasCompoundSignature } from "../../compound/compound-file.ts";
import { formatOfName, type SourceFormatName } from "../../mail/records/source-formats.ts";
import { textCharsets } from "../../properties/text-code-page.ts";
import { beginsCalendar, readCalendarItems } from "../calendar/calendar-items.ts";
import { beginsCard, readCardItems } from "../calendar/card-items.ts";
import type { ItemPlace, SourceItem } from "../reading/source.ts";

/** Reads a file that contains Outlook objects. Damaged files never throw; the result is partial. */
type ObjectReader = (bytes: Buffer, place: ItemPlace, flags: readonly string[]) => readonly SourceItem[];

/** Readers of files of objects, by their formats. */
export type ObjectReaders = ReadonlyMap<SourceFormatName, ObjectReader>;

interface ObjectFiles {
  begins(head: Buffer): boolean;
  /** @param charset of texts without one */
  load(charset: string | undefined): Promise<ObjectReader>;
  /** True if a file with this name but another signature is always a message. */
  readonly isElseMessage: boolean;
}

/** Names of Outlook's attachment that a program saved without its message. */
const TNEF_NAME = /(?:^|[/\\])(?:win(?:mail)?\d{0,3}|att\d{1,9})\.dat$|\.tnef$/i;
/** See `tnef.ts`, which is loaded on demand. */
const TNEF_SIGNATURE = Buffer.of(0x78, 0x9f, 0x3e, 0x22);

/** Object files by format. Other programs use these extensions too. */
const OBJECT_FILES: Partial<Readonly<Record<SourceFormatName, ObjectFiles>>> = {
  msg: {
    begins: (head) => hasCompoundSignature(head) || TNEF_SIGNATURE.equals(head.subarray(0, TNEF_SIGNATURE.length)),
    load: async (charset) => {
      const { readMsgItems } = await import("./msg-items.ts");
      return (bytes, place, flags) => readMsgItems(bytes, place, flags, textCharsets([charset ?? null]));
    },
    isElseMessage: true,
  },
  ics: { begins: beginsCalendar, load: async () => readCalendarItems, isElseMessage: false },
  vcf: { begins: beginsCard, load: async () => readCardItems, isElseMessage: false },
};

/** The format that objects in a file with this name have. */
function objectFormat(name: string): SourceFormatName | null {
  return formatOfName(name)?.name ?? (TNEF_NAME.test(name) ? "msg" : null);
}

function objectFiles(name: string): ObjectFiles | null {
  const format = objectFormat(name);
  return format === null ? null : (OBJECT_FILES[format] ?? null);
}

/**
 * Readers for files by name; those of Outlook objects are loaded on demand. @param charset of texts without one;
 * absent if not given
 */
export async function loadObjectReaders(names: Iterable<string>, charset?: string): Promise<ObjectReaders> {
  const readers = new Map<SourceFormatName, ObjectReader>();
  for (const name of names) {
    const format = objectFormat(name);
    if (format === null || readers.has(format)) continue;
    const reader = await OBJECT_FILES[format]?.load(charset);
    if (reader !== undefined) readers.set(format, reader);
  }
  return readers;
}

/** The format of a file of objects, by its name and first bytes; null for any other file. */
export function formatOfObjects(name: string, head: Buffer): SourceFormatName | null {
  return objectFiles(name)?.begins(head) === true ? objectFormat(name) : null;
}

/** True for names of object files, which may contain several items. */
export function isNamedObjects(name: string): boolean {
  return objectFiles(name) !== null;
}

/** True for a name that makes any file a message. */
export function isNamedMessage(name: string): boolean {
  return formatOfName(name)?.holds === "message" && objectFiles(name)?.isElseMessage !== false;
}
