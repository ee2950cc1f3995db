import { ArchiveError } from "../../errors.ts";
import type { SearchFilter } from "../../mail/archive.ts";
import { parseDateBound } from "../date-bound.ts";
import { queryRoute } from "./query-route.ts";
import { searchAnswerSchema } from "./wire.ts";
import { searchResultWire } from "./wire-records.ts";
import { noParameters, type SearchBody, searchBody } from "./wire-requests.ts";

export const search = queryRoute({
  path: "/search",
  summary: "Full-text search, ranked by TF-IDF relevance",
  parameters: noParameters,
  body: { name: "SearchRequest", schema: searchBody },
  data: searchAnswerSchema,
  async answer({ archive, body }) {
    const started = performance.now();
    const { query, limit, match } = body;
    const { hits, matched, problems } = await archive.search.search(query.trim(), limit, searchFilter(body), match);
    return {
      query,
      results: hits.map(searchResultWire),
      matched,
      ...(problems.length === 0 ? {} : { problems }),
      query_time_ms: Math.round(performance.now() - started),
    };
  },
});

/** The filter of a checked body. */
function searchFilter({ filters = {} }: SearchBody): SearchFilter {
  const { from, topic_id: topicId, date_from: dateFrom, date_to: dateTo } = filters;
  return {
    ...(from ? { from } : {}),
    ...(topicId ? { topicId } : {}),
    ...dateFilter({ name: "filters.date_from", text: dateFrom }, { name: "filters.date_to", text: dateTo }),
  };
}

/** A bound as the request names it, its text checked by `isoDate`. */
interface NamedBound {
  readonly name: string;
  readonly text: string | undefined;
}

/** Both bounds, inclusive. Throws INVALID_QUERY when the first is after the last. */
export function dateFilter(from: NamedBound, to: NamedBound): SearchFilter {
  const after = from.text === undefined ? undefined : parseDateBound(from.text)?.first;
  const before = to.text === undefined ? undefined : parseDateBound(to.text)?.last;
  if (after !== undefined && before !== undefined && after > before) {
    throw new ArchiveError(
      "INVALID_QUERY",
      `${from.name} must not be after ${to.name}: ${from.text} is after ${to.text}`,
    );
  }
  return { ...(after === undefined ? {} : { after }), ...(before === undefined ? {} : { before }) };
}
