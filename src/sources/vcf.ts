import { statSync } from "node:fs";
import { encodePath } from "../files/path-text.ts";
import { beginsCard } from "./card-items.ts";
import { openMessageFile } from "./eml.ts";
import type { SourceFormat } from "./source.ts";

/** vCard files, which hold contacts and no mail. */
export const vcf: SourceFormat = {
  recognises: beginsCard,
  accepts: beginsCard,
  open: async (path) => openMessageFile("vcf", path, statSync(encodePath(path)).size),
};
