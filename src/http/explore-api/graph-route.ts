import * as z from "zod";
import { collectGraphData } from "../../outputs/graph-page/collect-graph-data.ts";
import { cutNeighbourhood, cutNetwork, DEFAULT_NODES, MAX_NODES } from "../../outputs/graph-page/network-cut.ts";
import { queryRoute, requireFound } from "../query-api/query-route.ts";
import { filter, limit } from "../query-api/wire-requests.ts";
import { type GraphWire, graphSchema } from "./wire-graph.ts";

export const graph = queryRoute({
  path: "/graph",
  summary: "The contact network, placed: its strongest part, or one person with those who wrote with that person",
  parameters: z.object({
    person: filter("id of a contact: the network around that person"),
    limit: limit(DEFAULT_NODES, MAX_NODES),
  }),
  data: graphSchema,
  async answer({ archive, parameters: { person, limit: most } }): Promise<GraphWire> {
    const cut = person
      ? await cutNeighbourhood(archive, requireFound(await archive.contacts.get(person), "Contact", person), most)
      : await cutNetwork(archive, most);
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
