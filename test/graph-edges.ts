import type { ContactGraph } from "../src/network/contact-graph.ts";

/** Every arc of a contact graph in (from, to) order, by contact index. */
export function* edgesOf(
  graph: ContactGraph,
): Generator<{ readonly from: number; readonly to: number; readonly count: number }> {
  for (let from = 0; from < graph.nodeCount; from++) {
    for (let at = graph.offsets[from]!; at < graph.offsets[from + 1]!; at++) {
      yield { from, to: graph.targets[at]!, count: graph.counts[at]! };
    }
  }
}
