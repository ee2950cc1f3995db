import { formatOfSignature } from "../../mail/records/source-formats.ts";
import type { SourceFormat } from "../reading/source.ts";

/** Outlook PST and OST. What reads them is loaded when there is one: a run over other mail pays nothing for it. */
export const pst: SourceFormat = {
  recognises: isStore,
  accepts: isStore,
  open: async (path, limits) => (await import("./pst-source.ts")).openPst(path, limits),
};

function isStore(head: Buffer): boolean {
  return formatOfSignature(head)?.name === "pst";
}
