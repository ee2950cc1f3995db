import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pst } from "../../src/sources/pst/pst.ts";
import type { SourceItem } from "../../src/sources/reading/source.ts";
import { keptItemsOf } from "../kept-items.ts";
import type { StoreFormat } from "./pst-writer.ts";
import { buildStore } from "./sample-store.ts";
import type { StoreWriter, WrittenMessage } from "./store-writer.ts";

/** One of each layout and encoding. */
export const SOME_FORMATS: readonly StoreFormat[] = [
  { layout: "unicode", encoding: "permute" },
  { layout: "ansi", encoding: "cyclic" },
  { layout: "unicode-4k", encoding: "none" },
];

/** Items read from a store with these messages, in order. */
export async function itemsOfStore(
  format: StoreFormat,
  messages: (store: StoreWriter) => readonly WrittenMessage[],
): Promise<readonly SourceItem[]> {
  const directory = mkdtempSync(join(tmpdir(), "store-"));
  try {
    const path = join(directory, "made.pst");
    const bytes = buildStore(format, (store) => {
      const folder = store.addFolder("Inbox");
      for (const message of messages(store)) store.addMessage(folder, message);
    });
    writeFileSync(path, bytes);
    const opened = await pst.open(path, { password: null, skipProtected: false });
    return await keptItemsOf(opened.units());
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
