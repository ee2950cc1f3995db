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
  /** Removes the last addition and returns its heading; null if there is none. */
  undo(seen?: string | null): Promise<string | null>;
}
