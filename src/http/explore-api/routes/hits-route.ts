import * as z from "zod";
import { publishedDate } from "../../../document/published-values.ts";
import { WORD_MATCHES } from "../../../mail/exploration.ts";
import { custodianNames } from "../../../outputs/custodians.ts";
import { hitReport } from "../../../outputs/hit-report/hit-report.ts";
import { queryRoute } from "../../query-api/query-route.ts";
import { mustBe, noParameters, sortBy } from "../../query-api/wire-requests.ts";
import { queryText } from "../setting/query-parameters.ts";
import { hitReportWire } from "../wire/hit-report-wire.ts";
import { hitsSchema } from "../wire/wire-people.ts";

/** Maximum queries of a hit report: long enough for the search terms that parties of a lawsuit agree on. */
const MAX_QUERIES = 500;

const allowed = `1 to ${MAX_QUERIES} queries`;
const error = ({ input }: { readonly input?: unknown }): string =>
  Array.isArray(input) ? `must be ${allowed}, not ${input.length}` : mustBe(allowed)({ input });

/** Number of results of each query in a list. */
export const hits = queryRoute({
  path: "/hits",
  summary:
    "For each query of a list how many messages and conversations it finds, and from when to when; with details also attachments, custodians, what only this query finds, and what all queries find together",
  parameters: noParameters,
  body: {
    name: "HitsBody",
    schema: z.strictObject({
      queries: z.array(queryText, { error }).min(1, { error }).max(MAX_QUERIES, { error }),
      match: sortBy(WORD_MATCHES),
      details: z.boolean({ error: mustBe("true or false") }).default(false),
    }),
  },
  data: hitsSchema,
  async answer({ archive, body: { queries, match, details } }) {
    if (details) {
      const { sources } = await archive.provenance();
      const custodians = custodianNames(
        sources.map(({ path }) => path),
        [],
      );
      return hitReportWire(await hitReport(archive, { queries, match, custodians }));
    }
    const found = await archive.explore.hits(queries.map((query) => ({ query, match })));
    return {
      hits: found.map(({ problems, messages, conversations, first, last }, at) => ({
        query: queries[at]!,
        problems,
        messages,
        conversations,
        first: publishedDate(first),
        last: publishedDate(last),
      })),
    };
  },
});
