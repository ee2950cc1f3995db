import type { MessageOrdinal } from "../mail/records/ordinal.ts";

/** What an earlier run wrote for the archive that grew into this one, in the form that this version writes. */
export interface EarlierOutput {
  readonly directory: string;
  /** Paths of undamaged files, relative to its directory. */
  readonly files: ReadonlySet<string>;
  /** False for a message that is new, or is shown with other places, people, quotations, thread or topic. */
  isUnchanged(message: MessageOrdinal): boolean;
  /** Keeps one of its files in the new output. False if it does not have this content. */
  keep(path: string, content: Uint8Array): boolean;
}
