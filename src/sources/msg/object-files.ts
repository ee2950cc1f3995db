import { hasCompoundSignature } from "../../compound/compound-file.ts";
import { formatOfName, type SourceFormatName } from "../../mail/records/source-formats.ts";
import { textCharsets } from "../../properties/text-code-page.ts";
import { beginsCalendar, readCalendarItems } from "../calendar/calendar-items.ts";
import { beginsCard, readCardItems } from "../calendar/card-items.ts";
import type { ItemPlace, SourceItem } from "../reading/source.ts";

/** Reads what a file holds that is no message as it was sent. Damaged files never throw: they give what there is. */
type ObjectReader = (bytes: Buffer, place: ItemPlace, flags: readonly string[]) => readonly SourceItem[];

/** Readers of files of objects, by their formats. */
export type ObjectReaders = ReadonlyMap<SourceFormatName, ObjectReader>;

interface ObjectFiles {
  begins(head: Buffer): boolean;
  /** @param charset of texts that name none */
  load(charset: string | undefined): Promise<ObjectReader>;
  /** True when a file of the name that begins otherwise is a message, whatever it looks like. */
  readonly isElseMessage: boolean;
}

/** Files of objects, by the format their name tells. Other programs give these ends to other files. */
const OBJECT_FILES: Partial<Readonly<Record<SourceFormatName, ObjectFiles>>> = {
  msg: {
    begins: hasCompoundSignature,
    load: async (charset) => {
      const { readMsgItems } = await import("./msg-items.ts");
      return (bytes, place, flags) => readMsgItems(bytes, place, flags, textCharsets([charset ?? null]));
    },
    isElseMessage: true,
  },
  ics: { begins: beginsCalendar, load: async () => readCalendarItems, isElseMessage: false },
  vcf: { begins: beginsCard, load: async () => readCardItems, isElseMessage: false },
};

function objectFiles(name: string): ObjectFiles | null {
  const format = formatOfName(name);
  return format === null ? null : (OBJECT_FILES[format.name] ?? null);
}

/**
 * The readers that files may need by their names: what reads Outlook's objects is loaded when there is one.
 *
 * @param charset of texts that name none; left out when nobody said.
 */
export async function loadObjectReaders(names: Iterable<string>, charset?: string): Promise<ObjectReaders> {
  const readers = new Map<SourceFormatName, ObjectReader>();
  for (const name of names) {
    const format = formatOfName(name)?.name;
    if (format === undefined || readers.has(format)) continue;
    const reader = await OBJECT_FILES[format]?.load(charset);
    if (reader !== undefined) readers.set(format, reader);
  }
  return readers;
}

/** The format of a file of objects, which its name and first bytes tell; null for any other file. */
export function formatOfObjects(name: string, head: Buffer): SourceFormatName | null {
  return objectFiles(name)?.begins(head) === true ? formatOfName(name)!.name : null;
}

/** True for a name that files have which hold objects: one may give several items. */
export function isNamedObjects(name: string): boolean {
  return objectFiles(name) !== null;
}

/** True for a name that makes a file a message, whatever it looks like. */
export function isNamedMessage(name: string): boolean {
  return formatOfName(name)?.holds === "message" && objectFiles(name)?.isElseMessage !== false;
}
