import { describe, expect, it } from "vitest";
import { GraphBuilder } from "./contact-graph.ts";
import { describeNetwork } from "./network-insights.ts";
import { measureNetwork } from "./network-metrics.ts";

/** Three cliques of four (0-3, 4-7, 8-11); contact 0 writes to all of them, and 12 is isolated. */
function insights(isPerson: (contact: number) => boolean) {
  const builder = new GraphBuilder();
  for (const first of [0, 4, 8]) {
    const clique = [first, first + 1, first + 2, first + 3];
    for (let time = 0; time < 4; time++) for (const from of clique) builder.addMessage(from, clique, [], []);
  }
  builder.addMessage(0, [4, 5, 8, 9], [], []);
  builder.addMessage(1, [4], [], []);
  const graph = builder.build(13);
  return describeNetwork(graph, measureNetwork(graph), {
    topics: [
      { topic: 1, contacts: [0, 5, 6], messages: [9, 1, 2] },
      { topic: 2, contacts: [5, 6], messages: [20, 19] },
      { topic: 3, contacts: [9], messages: [30] },
      { topic: 4, contacts: [2], messages: [4] },
      { topic: 5, contacts: [7, 4], messages: [50, 6] },
    ],
    firstSeen: [50, Number.NaN, 20, 30],
    lastSeen: [60, Number.NaN, 90, 40],
    isPerson,
  });
}

describe("describeNetwork", () => {
  const all = insights(() => true);

  it("ranks by score, without zeros, highest first", () => {
    expect(all.authorities.length).toBeGreaterThan(3);
    expect(all.authorities.every(({ score }, at) => score > 0 && score <= (all.authorities[at - 1]?.score ?? 1))).toBe(
      true,
    );
    expect(all.hubs[0]!.contact).toBe(0);
  });

  it("finds people who connect communities", () => {
    const [first, second] = all.bridges;
    expect(first).toMatchObject({ contact: 0 });
    expect(first!.communities).toHaveLength(3);
    expect(first!.outsideShare).toBeGreaterThan(0.2);
    expect(first!.participation).toBeGreaterThan(second!.participation);
    expect(all.bridges.some(({ contact }) => contact === 2)).toBe(false);
  });

  it("describes communities of at least two, with their people, topics and years", () => {
    expect(all.communities.map(({ community }) => community)).toEqual([0, 1, 2]);
    const home = all.communities.find(({ members }) => members.includes(0))!;
    expect([...home.members].sort()).toEqual([0, 1, 2, 3]);
    expect(home).toMatchObject({
      topics: [
        { topic: 1, messages: 9 },
        { topic: 4, messages: 4 },
      ],
      firstSeen: 20,
      lastSeen: 90,
    });
    expect(home.cohesion).toBeGreaterThan(0.5);
    expect(home.cohesion).toBeLessThan(1);
    const other = all.communities.find(({ members }) => members.includes(8))!;
    expect(other).toMatchObject({ topics: [{ topic: 3, messages: 30 }], firstSeen: null, lastSeen: null });
  });

  it("finds sole experts", () => {
    expect(all.knowledgeHolders).toEqual([
      { topic: 5, contact: 7, messages: 50, totalMessages: 56, next: 4, nextMessages: 6 },
      { topic: 3, contact: 9, messages: 30, totalMessages: 30, next: null, nextMessages: 0 },
      { topic: 1, contact: 0, messages: 9, totalMessages: 12, next: 6, nextMessages: 2 },
    ]);
  });

  it("excludes automated senders", () => {
    const people = insights((contact) => contact !== 0 && contact !== 7 && contact !== 9);
    expect(people.bridges.some(({ contact }) => contact === 0)).toBe(false);
    expect(people.knowledgeHolders).toEqual([
      { topic: 5, contact: 4, messages: 6, totalMessages: 6, next: null, nextMessages: 0 },
    ]);
  });

  it("is empty for an empty archive", () => {
    const graph = new GraphBuilder().build(0);
    const nothing = { topics: [], firstSeen: [], lastSeen: [], isPerson: () => true };
    expect(describeNetwork(graph, measureNetwork(graph), nothing)).toEqual({
      authorities: [],
      hubs: [],
      bridges: [],
      communities: [],
      knowledgeHolders: [],
    });
  });
});
