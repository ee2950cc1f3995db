import { matchesToken } from "../../search/indexing/term-pattern.ts";
import { tokensOf } from "../../text/tokens/tokens.ts";
import { TOPICS } from "../tables/knowledge-tables.ts";
import type { SqlValue } from "../tables/sql-value.ts";
import { selection } from "../tables/table.ts";

/** Name and keywords of a topic. */
export const TOPIC_NAMES = selection([TOPICS], ["ordinal", "name", "topKeywords"]);

/** Topics whose name or keywords contain all words. @param rows all of them, in order */
export function topicsMatchingName(
  rows: readonly (readonly SqlValue[])[],
  tokens: readonly string[],
): readonly number[] {
  const named = rows.map(TOPIC_NAMES.decode).filter(({ name, topKeywords }) => {
    const known = new Set(tokensOf([name, ...topKeywords].join(" ")));
    return tokens.every((token) => matchesToken(known, token));
  });
  return named.map(({ ordinal }) => ordinal);
}
