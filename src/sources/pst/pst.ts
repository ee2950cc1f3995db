import { formatOfSignature } from "../../mail/records/source-formats.ts";
import type { SourceFormat } from "../reading/source.ts";

/** Outlook PST and OST. The reader is loaded on demand. */
export const pst: SourceFormat = {
  recognizes: isStore,
  accepts: isStore,
  open: async (path, limits) => (await import("./pst-source.ts")).openPst(path, limits),
};

function isStore(head: Buffer): boolean {
  return formatOfSignature(head)?.name === "pst";
}
