import MiniSearch from "minisearch";
import { tokensOf } from "../src/text/tokens/tokens.ts";
import type { Search } from "./known-items.ts";
import type { CorpusMessage } from "./search-corpus.ts";

/** Another search over the same messages; results are numbers from 1, best first. */
export interface Rival {
  readonly name: string;
  readonly search: Search;
}

/**
 * MiniSearch (BM25+, times the number of matching words) with our tokens, in the two forms that its users choose
 * between; a higher weight of the subject only lowers its results.
 */
export function miniSearchRivals(messages: readonly CorpusMessage[]): readonly Rival[] {
  const records = messages.map(({ subject = "", body }, index) => ({
    id: index + 1,
    subject,
    body,
    text: `${subject}\n${body}`,
  }));
  const indexOf = (fields: string[]): MiniSearch => {
    const index = new MiniSearch({ fields, tokenize: tokensOf });
    index.addAll(records);
    return index;
  };
  const apart = indexOf(["subject", "body"]);
  const together = indexOf(["text"]);
  const answers = (index: MiniSearch) => (query: string) =>
    index.search(query, { combineWith: "OR" }).map(({ id }) => id as number);
  return [
    { name: "MiniSearch, subject and text as one field", search: answers(together) },
    { name: "MiniSearch, subject and text as two fields", search: answers(apart) },
  ];
}
