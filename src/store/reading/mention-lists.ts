import type { MentionedValue, MentionKind } from "../../mail/records/mention.ts";
import type { MentionLists } from "../../search/indexing/search-source.ts";
import { alignedBuffer } from "./document-columns.ts";

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
    starts: stored === undefined ? new Uint32Array(count + 1) : new Uint32Array(alignedBuffer(stored)),
    values: new Uint32Array(alignedBuffer(column(values) ?? new Uint8Array(0))),
    names: mentionNames(column(names)),
  };
}
