import { SOURCE_FORMAT_NAMES, type SourceFormatName } from "../../mail/records/source-formats.ts";
import { maildir } from "../maildir/maildir.ts";
import { mbox } from "../mbox/mbox.ts";
import { olm } from "../olm/olm.ts";
import { pst } from "../pst/pst.ts";
import type { SourceFormat } from "../reading/source.ts";
import { eml } from "./eml.ts";
import { ics } from "./ics.ts";
import { msg } from "./msg.ts";
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
  return SOURCE_FORMAT_NAMES.find((name) => FORMATS[name].recognizes(head)) ?? null;
}
