import { statSync } from "node:fs";
import { encodePath } from "../../files/path-text.ts";
import { beginsCard } from "../calendar/card-items.ts";
import type { SourceFormat } from "../reading/source.ts";
import { openMessageFile } from "./eml.ts";

/** vCard files with contacts. */
export const vcf: SourceFormat = {
  recognizes: beginsCard,
  accepts: beginsCard,
  open: async (path) => openMessageFile("vcf", path, statSync(encodePath(path)).size),
};
