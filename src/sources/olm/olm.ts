import { archiveFormat } from "../../unpacking/archive-format.ts";
import type { SourceFormat } from "../reading/source.ts";

/** Archives of Outlook for Mac. The reader is loaded on demand. */
export const olm: SourceFormat = {
  // Only the name distinguishes it from other zip files.
  recognizes: () => false,
  accepts: (head) => archiveFormat(head) === "zip",
  open: async (path) => (await import("./olm-source.ts")).openOlm(path),
};
