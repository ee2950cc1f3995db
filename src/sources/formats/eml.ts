import { statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { decodePath, encodePath } from "../../files/path-text.ts";
import type { SourceFormatName } from "../../mail/records/source-formats.ts";
import { openEmlx } from "../emlx/emlx.ts";
import { openMailTree } from "../maildir/maildir.ts";
import { looksLikeMessage, skipLead, startsWithFrom } from "../reading/header-line.ts";
import type { OpenedSource, SourceFormat } from "../reading/source.ts";

/** `.eml` files: a directory of them at any depth, or a single one. */
export const eml: SourceFormat = {
  recognizes: looksLikeMessage,
  // The header of a separator-less mailbox may be its only trace of a message.
  accepts: (head) => looksLikeMessage(openEmlx(head)?.message ?? head) || startsWithFrom(head, skipLead(head)),
  open: async (path) => {
    const { size, isDirectory } = describe(path);
    return isDirectory ? openMailTree(path) : openMessageFile("eml", path, size);
  },
};

function describe(path: string): { readonly size: number; readonly isDirectory: boolean } {
  const stat = statSync(encodePath(path));
  return { size: stat.size, isDirectory: stat.isDirectory() };
}

/** A single message in the mailbox INBOX, because a mailbox for each of many named files would be useless. */
export function openMessageFile(format: SourceFormatName, path: string, sizeBytes: number): OpenedSource {
  const names = decodePath(Buffer.from(basename(path)));
  return {
    format,
    path,
    sizeBytes,
    isFile: true,
    notes: [],
    unitCount: 1,
    *units() {
      yield { kind: "files", root: dirname(path), runs: [{ prefix: "", mailbox: "INBOX", names }] };
    },
  };
}
