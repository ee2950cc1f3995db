import { archiveIn } from "../../src/store/contract/archive-location.ts";
import { withNotebook } from "../../src/store/notebook/open-notebook.ts";

/**
 * Writes to the notebook next to an archive until it is killed: `node notebook-writer.mjs DIRECTORY KEYS`.
 * Each write has the given number of entries, all or none, and is reported when it is on disk.
 */
const [directory, keyCount] = process.argv.slice(2);
const keys = Array.from({ length: Number(keyCount) }, (_, index) => `key ${index}`);

for (let written = 1; ; written++) {
  const change = { updatedAt: written, author: null, edited: () => String(written) };
  withNotebook(archiveIn(directory!), (notebook) => notebook.edit("message", keys, change));
  process.stdout.write(`${written}\n`);
}
