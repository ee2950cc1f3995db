import { expect, it } from "vitest";
import { sampleGraphArchive } from "../../test/graph-sample.ts";
import { cutNetwork } from "./graph-page/network-cut.ts";
import { collectGraphPayload } from "./graph-payload.ts";

it.each([1, 40, 5_000])("contains the nodes of the graph page: at most %d", async (limit) => {
  const archive = sampleGraphArchive(120, 6);
  const { nodes, edges, total_nodes, total_edges } = await collectGraphPayload(archive, limit);
  const cut = await cutNetwork(archive, limit);
  expect(nodes.map(({ id }) => id)).toEqual(cut.contacts.map(({ id }) => id));
  expect(nodes).toHaveLength(Math.min(limit, 120));
  expect(edges).toEqual(
    cut.edges.map(({ from, to, count }) => ({ from: cut.contacts[from]?.id, to: cut.contacts[to]?.id, count })),
  );
  expect([total_nodes, total_edges]).toEqual([120, cut.totalEdges]);
});
