import * as z from "zod";
import { WORD_MATCHES } from "../../../mail/exploration.ts";
import { MAX_QUERY_CHARACTERS } from "../../../search/query/query-syntax.ts";
import { mustBe, sortBy } from "../../query-api/wire-requests.ts";

const tooLong = mustBe(`text of at most ${MAX_QUERY_CHARACTERS} characters`);

export const queryText = z.string({ error: tooLong }).max(MAX_QUERY_CHARACTERS, { error: tooLong });

/** Parameters of every route with a query. */
export const queryParameters = {
  q: queryText.default("").describe("query (see docs/reference/query-language.md); empty matches everything"),
  match: sortBy(WORD_MATCHES).describe("match all words or any word"),
};
