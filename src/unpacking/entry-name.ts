import { isUtf8 } from "node:buffer";
import { type ExtraField, getFileNameLowLevel } from "yauzl";

/** General purpose bit 11 of a zip entry (APPNOTE.TXT 4.4.4): the name is UTF-8. */
const UTF8_FLAG = 0x800;

/**
 * Name of a zip entry: UTF-8 if its bytes are valid (macOS writes it without declaring it), else the Unicode path field
 * of Info-ZIP, else code page 437. Different bytes give different names, so that no two files become one.
 */
export function zipEntryName(raw: Buffer, extraFields: ExtraField[]): string {
  return getFileNameLowLevel(isUtf8(raw) ? UTF8_FLAG : 0, raw, extraFields, true);
}

/** Name of a tar entry: UTF-8 if its bytes are valid, else Latin-1. @param latin1 its bytes, one per character */
export function tarEntryName(latin1: string): string {
  const raw = Buffer.from(latin1, "latin1");
  return isUtf8(raw) ? raw.toString("utf8") : latin1;
}
