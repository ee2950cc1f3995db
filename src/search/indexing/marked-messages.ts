import type { ReviewState } from "../../mail/notebook.ts";

/** Marks in the notebook by document number. */
export interface MarkedMessages {
  /** Replaced after every write. */
  readonly revision: number;
  readonly tagNames: readonly string[];
  /** Tags of a message and of its conversation by their places in `tagNames`, each once. */
  readonly tags: ReadonlyMap<number, readonly number[]>;
  /** Messages with a note, or in a conversation that has one. */
  readonly noted: ReadonlySet<number>;
  /** Review states other than open. */
  readonly reviews: ReadonlyMap<number, ReviewState>;
}

/** An empty notebook. */
export const NOTHING_MARKED: MarkedMessages = {
  revision: 0,
  tagNames: [],
  tags: new Map(),
  noted: new Set(),
  reviews: new Map(),
};
