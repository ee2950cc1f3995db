import { hasCompoundSignature } from "../compound/compound-file.ts";
import { formatOfName, type SourceFormatName } from "../mail/source-formats.ts";
import { beginsCalendar, readCalendarItems } from "./calendar-items.ts";
import { beginsCard, readCardItems } from "./card-items.ts";
import { readMsgItems } from "./msg-items.ts";
import type { ItemPlace, SourceItem } from "./source.ts";

/** Reads what a file holds that is no message as it was sent. Damaged files never throw: they give what there is. */
type ObjectReader = (bytes: Buffer, place: ItemPlace, flags: readonly string[]) => readonly SourceItem[];

interface ObjectFiles {
  begins(head: Buffer): boolean;
  readonly read: ObjectReader;
  /** True when a file of the name that begins otherwise is a message, whatever it looks like. */
  readonly isElseMessage: boolean;
}

/** Files of objects, by the format their name tells. Other programs give these ends to other files. */
const OBJECT_FILES: Partial<Readonly<Record<SourceFormatName, ObjectFiles>>> = {
  msg: { begins: hasCompoundSignature, read: readMsgItems, isElseMessage: true },
  ics: { begins: beginsCalendar, read: readCalendarItems, isElseMessage: false },
  vcf: { begins: beginsCard, read: readCardItems, isElseMessage: false },
};

function objectFiles(name: string): ObjectFiles | null {
  const format = formatOfName(name);
  return format === null ? null : (OBJECT_FILES[format.name] ?? null);
}

/** The reader of a file of objects, which its name and first bytes tell; null for any other. */
export function objectReader(name: string, head: Buffer): ObjectReader | null {
  const files = objectFiles(name);
  return files?.begins(head) === true ? files.read : null;
}

/** True for a name that makes a file a message, whatever it looks like. */
export function isNamedMessage(name: string): boolean {
  return formatOfName(name)?.holds === "message" && objectFiles(name)?.isElseMessage !== false;
}
