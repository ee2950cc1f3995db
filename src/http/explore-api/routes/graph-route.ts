import * as z from "zod";
import { EARLIEST_INSTANT, LATEST_INSTANT } from "../../../mail/dates/instant.ts";
import { collectGraphData } from "../../../outputs/graph-page/collect-graph-data.ts";
import { cutNeighborhood, cutNetwork, DEFAULT_NODES, MAX_NODES } from "../../../outputs/graph-page/network-cut.ts";
import { parseDateBound } from "../../date-bound.ts";
import { orNotFound, queryRoute } from "../../query-api/query-route.ts";
import { filter, isoDate, limit } from "../../query-api/wire-requests.ts";
import { type GraphWire, graphSchema } from "../wire/wire-graph.ts";

export const graph = queryRoute({
  path: "/graph",
  summary: "The contact network with layout: its strongest part, or one person and their contacts",
  parameters: z.object({
    person: filter("contact id: the network around this person"),
    limit: limit(DEFAULT_NODES, MAX_NODES),
    after: isoDate("people active on or after this date or time"),
    before: isoDate("people active on or before this date or time"),
  }),
  data: graphSchema,
  async answer({ archive, parameters: { person, limit: most, after, before } }): Promise<GraphWire> {
    const span =
      after === undefined && before === undefined
        ? undefined
        : {
            first: after === undefined ? EARLIEST_INSTANT : parseDateBound(after)!.first,
            last: before === undefined ? LATEST_INSTANT : parseDateBound(before)!.last,
          };
    const cut = person
      ? await cutNeighborhood(archive, orNotFound(await archive.contacts.get(person), "Contact", person), most, span)
      : await cutNetwork(archive, most, span);
    const { generator, extractedAt, nodes, ...rest } = await collectGraphData(archive, cut);
    const { firstSeen, lastSeen, ...columns } = nodes;
    return {
      ...rest,
      generator,
      extracted_at: extractedAt,
      nodes: { ...columns, first_seen: firstSeen, last_seen: lastSeen },
    };
  },
});
