import { statSync } from "node:fs";
import { hasCompoundSignature } from "../../compound/compound-file.ts";
import { ArchiveError } from "../../errors.ts";
import { encodePath } from "../../files/path-text.ts";
import { formatOfName } from "../../mail/records/source-formats.ts";
import { isNamedObjects } from "../msg/object-files.ts";
import type { SourceFormat } from "../reading/source.ts";
import { openMessageFile } from "./eml.ts";

/** `.msg` files with one Outlook item each. */
export const msg: SourceFormat = {
  recognizes: hasCompoundSignature,
  accepts: hasCompoundSignature,
  open: async (path) => {
    requireName(path);
    return openMessageFile("msg", path, statSync(encodePath(path)).size);
  },
};

/** Other programs use the same file signature: only the name identifies a message, damaged or not. */
function requireName(path: string): void {
  if (formatOfName(path)?.name === "msg" || isNamedObjects(path)) return;
  const hint = "if it is an Outlook message, rename it to end in .msg";
  throw new ArchiveError("UNSUPPORTED_FORMAT", `${path}: an OLE file of unknown type`, { hint });
}
