import type { CorrectionEntry } from "../../contacts/corrections/file-entries.ts";

/**
 * Where the corrections of an archive are kept. Whoever has seen a revision writes only on that one: `seen`, null for
 * any. Throws NOTEBOOK_CHANGED for another.
 */
export interface CorrectionStore {
  /** All of them, as the text of the file. */
  text(): Promise<string>;
  add(entry: CorrectionEntry, seen?: string | null): Promise<void>;
  /** Removes what was added last and returns its heading; null where nothing was added. */
  undo(seen?: string | null): Promise<string | null>;
}
