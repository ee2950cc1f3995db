import type { Archive } from "./archive.ts";
import type { ExploredQuery } from "./exploration.ts";
import type { MentionKind } from "./records/mention.ts";

/** Maximum distinct values counted per kind; a mailbox of millions of messages has no more. */
const MAX_VALUES = 1_000_000;

/** A value that texts mention. `query` finds its messages; empty if the query language cannot express it. */
export interface MentionRecord {
  readonly kind: MentionKind;
  readonly value: string;
  readonly messages: number;
  readonly query: string;
}

interface MentionsRequest extends ExploredQuery {
  readonly kind: MentionKind;
  /** Part of a value, any case and accents; "" for all. */
  readonly search: string;
}

/** Values of a kind mentioned in the messages that match a query, the most frequent first. */
export async function mentionedValues(
  { explore }: Archive,
  { kind, ...request }: MentionsRequest,
): Promise<readonly MentionRecord[]> {
  const [facet] = await explore.facets({ ...request, of: [kind], limit: MAX_VALUES });
  return facet!.values.map(({ label, count, clause }) => ({ kind, value: label, messages: count, query: clause }));
}
