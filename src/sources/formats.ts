import { SOURCE_FORMAT_NAMES, type SourceFormatName } from "../mail/source-formats.ts";
import { eml } from "./eml.ts";
import { ics } from "./ics.ts";
import { maildir } from "./maildir.ts";
import { mbox } from "./mbox.ts";
import { msg } from "./msg.ts";
import { olm } from "./olm.ts";
import { pst } from "./pst.ts";
import type { SourceFormat } from "./source.ts";
import { vcf } from "./vcf.ts";

/** The code of each row of `SOURCE_FORMATS`. */
export const FORMATS: Readonly<Record<SourceFormatName, SourceFormat>> = {
  pst,
  olm,
  maildir,
  mbox,
  eml,
  msg,
  ics,
  vcf,
};

/** The format of a file that begins with these bytes, in the order of detection. */
export function formatOfContent(head: Buffer): SourceFormatName | null {
  return SOURCE_FORMAT_NAMES.find((name) => FORMATS[name].recognises(head)) ?? null;
}
