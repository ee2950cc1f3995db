import type { MentionedMessages } from "../../mail/exploration.ts";
import { messageId } from "../../mail/records/ids.ts";
import type { MentionedValue, MentionKind } from "../../mail/records/mention.ts";
import type { MessageOrdinal } from "../../mail/records/ordinal.ts";
import type { MentionLists } from "../../search/indexing/search-source.ts";
import { labeledMention } from "../../search/ranges/facet-counts.ts";
import { numbersIn } from "./document-columns.ts";

/** Column names for a kind of mention. */
export function mentionColumns(kind: MentionKind): Readonly<Record<"starts" | "values" | "names", string>> {
  return { starts: `${kind}MentionStarts`, values: `${kind}Mentions`, names: `${kind}MentionNames` };
}

const NOTHING_MENTIONED: readonly MentionedValue[] = [[""]];

/** Names of values by their numbers; only the empty one in an archive without mentions. */
export function mentionNames(stored: Uint8Array | undefined): readonly MentionedValue[] {
  return stored === undefined ? NOTHING_MENTIONED : JSON.parse(new TextDecoder().decode(stored));
}

/** Mentions of a kind by message. @param column returns a column by name @param count number of messages */
export function storedMentions(
  kind: MentionKind,
  column: (name: string) => Uint8Array | undefined,
  count: number,
): MentionLists {
  const { starts, values, names } = mentionColumns(kind);
  const stored = column(starts);
  return {
    starts: stored === undefined ? new Uint32Array(count + 1) : numbersIn(stored),
    values: numbersIn(column(values)),
    names: mentionNames(column(names)),
  };
}

/** Values of a kind with their messages, the most frequent first. @param dead messages that are not found */
export function messagesByMention(
  kind: MentionKind,
  { starts, values, names }: MentionLists,
  dead: ReadonlySet<number>,
): readonly MentionedMessages[] {
  const messages: number[][] = names.map(() => []);
  for (let document = 0; document + 1 < starts.length; document++)
    for (let at = starts[document]!; at < starts[document + 1]!; at++)
      if (!dead.has(document)) messages[values[at]!]!.push(document);
  return names
    .map((name, number) => ({ ...labeledMention(kind, name), documents: messages[number]! }))
    .filter(({ documents }) => documents.length > 0)
    .sort((left, right) => right.documents.length - left.documents.length)
    .map(({ label, clause, documents }) => ({
      value: label,
      query: clause,
      messageIds: documents.map((document) => messageId(document as MessageOrdinal)),
    }));
}
