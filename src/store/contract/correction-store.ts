import type { CorrectionEntry } from "../../contacts/corrections/file-entries.ts";

/** Names of the files next to an archive that correct it. */
export type CorrectionsFile = "people.txt" | "topics.txt";

/**
 * Stores the corrections of an archive. A write requires the revision last read (`seen`, null for any); otherwise it
 * throws NOTEBOOK_CHANGED.
 */
export interface CorrectionStore {
  /** All corrections as the text of the file. */
  text(): Promise<string>;
  add(entry: CorrectionEntry, seen?: string | null): Promise<void>;
  /** Removes what was added last and returns its heading; null where nothing was added. */
  undo(seen?: string | null): Promise<string | null>;
}
