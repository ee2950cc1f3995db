import * as z from "zod";
import { mentionedValues } from "../../../mail/mentioned-values.ts";
import { MENTION_KINDS } from "../../../mail/records/mention.ts";
import { queryRoute } from "../../query-api/query-route.ts";
import { filter, sortBy } from "../../query-api/wire-requests.ts";
import { queryParameters } from "../setting/query-parameters.ts";
import { page } from "../setting/table-parameters.ts";
import { mentionsSchema } from "../wire/wire-tables.ts";

export const mentions = queryRoute({
  path: "/mentions",
  summary: "People, organizations, numbers and sites that matching messages mention",
  parameters: z.object({
    ...queryParameters,
    kind: sortBy(MENTION_KINDS).describe("kind of mention"),
    search: filter("substring of the value, ignoring case and accents"),
    ...page,
  }),
  data: mentionsSchema,
  async answer({ archive, parameters: { q, match, kind, search = "", limit, offset } }) {
    const found = await mentionedValues(archive, { query: q, match, kind, search });
    return {
      total: found.length,
      mentions: found
        .slice(offset, offset + limit)
        .map(({ value, messages, query }) => ({ value, messages, clause: query })),
    };
  },
});
