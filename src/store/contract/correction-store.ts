import type { CorrectionEntry } from "../../contacts/corrections/file-entries.ts";

/** Where the corrections of an archive are kept. */
export interface CorrectionStore {
  /** All of them, as the text of the file. */
  text(): Promise<string>;
  add(entry: CorrectionEntry): Promise<void>;
  /** Removes what was added last, and says what it was; null where nothing was added. */
  undo(): Promise<string | null>;
}
