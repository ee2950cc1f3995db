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
  body: searchBody,
  data: searchAnswerSchema,
  async answer({ archive, body }) {
    const started = performance.now();
    const hits = await archive.search.search(body.query.trim(), body.limit, searchFilter(body));
    return { query: body.query, results: hits.map(searchResultWire), query_time_ms: Math.round(performance.now() - started) };
  },
});

/** The filter of a checked body. */
function searchFilter({ filters = {} }: SearchBody): SearchFilter {
  const { from, topic_id: topicId, date_from: dateFrom, date_to: dateTo } = filters;
  const after = dateFrom === undefined ? undefined : parseDateBound(dateFrom)?.first;
  const before = dateTo === undefined ? undefined : parseDateBound(dateTo)?.last;
  if (after !== undefined && before !== undefined && after > before) {
    throw new ArchiveError("INVALID_QUERY", `filters.date_from must not be after filters.date_to: ${dateFrom} is after ${dateTo}`);
  }
  return {
    ...(from ? { from } : {}),
    ...(topicId ? { topicId } : {}),
    ...(after === undefined ? {} : { after }),
    ...(before === undefined ? {} : { before }),
  };
}
