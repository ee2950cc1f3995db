import type { MessageOrdinal } from "../mail/records/ordinal.ts";

/** The output of an earlier run for the archive that grew into this one, in the format of this version. */
export interface EarlierOutput {
  readonly directory: string;
  /** Paths of undamaged files, relative to its directory. */
  readonly files: ReadonlySet<string>;
  /** False if a file is missing or damaged. */
  readonly isWhole: boolean;
  /** False for a message that is new, or has other locations, people, quotations, thread or topic. */
  isUnchanged(message: MessageOrdinal): boolean;
  /** Keeps one of its files in the new output. False if it does not have this content. */
  keep(path: string, content: Uint8Array): boolean;
}
