import { eml } from "./eml.ts";
import { maildir } from "./maildir.ts";
import { mbox } from "./mbox.ts";
import { pst } from "./pst.ts";
import type { SourceFormat, WorkUnit } from "./source.ts";

/** Every format that can be read, in the order of detection. A new format is a row here and, for a new kind of unit, one below. */
export const FORMATS: readonly SourceFormat[] = [pst, maildir, mbox, eml];

/** Which format reads which kind of unit. `maildir` and `eml` read the same units: files of one message each. */
export const READERS: Readonly<Record<WorkUnit["kind"], SourceFormat>> = { pst, mbox, files: maildir };
