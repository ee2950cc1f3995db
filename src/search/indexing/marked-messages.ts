import type { ReviewState } from "../../mail/notebook.ts";

/** What a notebook says of messages, by document number. */
export interface MarkedMessages {
  /** Another one after every write. */
  readonly revision: number;
  readonly tagNames: readonly string[];
  /** Tags of a message and of its conversation by their places in `tagNames`, each once. */
  readonly tags: ReadonlyMap<number, readonly number[]>;
  /** Messages with a note, or in a conversation that has one. */
  readonly noted: ReadonlySet<number>;
  /** What was decided; messages that are open are not there. */
  readonly reviews: ReadonlyMap<number, ReviewState>;
}

/** What there is where nobody has written anything. */
export const NOTHING_MARKED: MarkedMessages = {
  revision: 0,
  tagNames: [],
  tags: new Map(),
  noted: new Set(),
  reviews: new Map(),
};
