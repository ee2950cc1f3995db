import { formatCount } from "../../text/tokens/format-count.ts";
import { isSavedFile } from "./output-files.ts";
import type { DamagedFile } from "./output-manifest.ts";

/** Maximum files named in a note. */
const NAMED_FILES = 3;

/** Note of an incremental run about damaged files: which it rewrites, and which need a full run. */
export function damageNotes(damaged: readonly DamagedFile[]): readonly string[] {
  const saved = damaged.filter(({ path }) => isSavedFile(path));
  const written = damaged.filter(({ path }) => !isSavedFile(path));
  const notes: string[] = [];
  if (written.length > 0) notes.push(`${described(written)}: written again`);
  if (saved.length > 0)
    notes.push(`${described(saved)}: extract all sources again with --extract-attachments to restore them`);
  return notes;
}

/** `2 files of the earlier output are missing or changed (index.md, emails/all.md)` */
function described(files: readonly DamagedFile[]): string {
  const names = files.slice(0, NAMED_FILES).map(({ path }) => path);
  const list = files.length > NAMED_FILES ? [...names, "…"] : names;
  return `${formatCount(files.length)} of the files written earlier missing or changed (${list.join(", ")})`;
}
