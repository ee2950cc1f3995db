import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  bundleGraphClient,
  graphArchive,
  sampleContact,
  sampleEdges,
  sampleGraphArchive,
} from "../../../test/graph-sample.ts";
import type { GraphData } from "../../graph-view/model/graph-data.ts";
import type { Archive } from "../../mail/archive.ts";
import { contactId } from "../../mail/records/ids.ts";
import type { ContactOrdinal } from "../../mail/records/ordinal.ts";
import { collectGraphData } from "./collect-graph-data.ts";
import { cutNetwork, MAX_NODES } from "./network-cut.ts";
import { assemblePage } from "./render-graph-page.ts";

const CLIENT = bundleGraphClient();

async function pageData(archive: Archive, limit: number): Promise<GraphData> {
  return await collectGraphData(archive, await cutNetwork(archive, limit));
}

function embedded(page: string): unknown {
  const [, json] = /<script type="application\/json" id="page-data">(.*?)<\/script>/s.exec(page) ?? [];
  return JSON.parse(json ?? "");
}

describe("the graph page", () => {
  it("is under 1 MB with 2,000 contacts and 10,000 edges", async () => {
    const data = await pageData(sampleGraphArchive(2_500, 5), 2_000);
    const page = assemblePage(data, CLIENT);
    expect(data.nodes.id.length).toBe(2_000);
    expect(data.ties.a.length).toBeGreaterThan(7_000);
    expect(Buffer.byteLength(page)).toBeLessThan(1_000_000);
    expect(embedded(page)).toEqual(data);
  });

  it("is the same for the same archive, byte for byte", async () => {
    const render = async (): Promise<string> => assemblePage(await pageData(sampleGraphArchive(300, 6), 200), CLIENT);
    expect(await render()).toBe(await render());
  });

  it("allows only its own script and style by hash", async () => {
    const page = assemblePage(await pageData(sampleGraphArchive(3, 1), 10), CLIENT);
    const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page) ?? [];
    const hash = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
    const [, style = ""] = /<style>(.*?)<\/style>/s.exec(page) ?? [];
    const [, script = ""] = /<script>(.*?)<\/script>/s.exec(page) ?? [];
    expect(policy).toBe(
      `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data:; base-uri 'none'; form-action 'none'`,
    );
    expect(script).toBe(CLIENT.script);
    expect(page).not.toMatch(/\s(on\w+|style)=|(src|href)="(?!data:|#)|https?:\/\//);
  });

  it("escapes text of mail", async () => {
    const hostile = fc.oneof(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.constantFrom(
        "</script><img src=x onerror=alert(1)>",
        "<!--<script>",
        "]]>",
        "\u2028",
        "</SCRIPT\n>",
        "&lt;/script&gt;",
        "\ud800",
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ name: hostile, email: hostile, aliases: fc.array(hostile) }), {
          minLength: 1,
          maxLength: 5,
        }),
        async (people) => {
          const contacts = people.map((person, index) => sampleContact(index + 1, person));
          const data = await pageData(graphArchive(contacts, sampleEdges(people.length, 2)), 10);
          const page = assemblePage(data, CLIENT);
          expect(page.match(/<script/gi)?.length).toBe(
            assemblePage(await pageData(sampleGraphArchive(1, 0), 1), CLIENT).match(/<script/gi)?.length,
          );
          expect(JSON.stringify(embedded(page))).toBe(JSON.stringify(data));
        },
      ),
      { numRuns: 40 },
    );
  });

  it("truncates very long display names", async () => {
    const data = await pageData(
      graphArchive([sampleContact(1, { name: "💌".repeat(500_000), aliases: Array(900).fill("x".repeat(999)) })], []),
      5,
    );
    expect(data.nodes.name[0]!.length).toBeLessThanOrEqual(160);
    expect(data.nodes.name[0]!.isWellFormed()).toBe(true);
    expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThan(3_000);
  });

  it("is a page even of an empty archive", async () => {
    const data = await pageData(graphArchive([], []), 500);
    expect(data.nodes.id).toEqual([]);
    expect(embedded(assemblePage(data, CLIENT))).toEqual(data);
  });
});

describe("contents of the page", () => {
  it("contains the contacts with most messages, the lower id among equals, and the total number", async () => {
    const contacts = [3, 9, 9, 1, 20].map((messageCount, index) => sampleContact(index + 1, { messageCount }));
    const data = await pageData(graphArchive(contacts, sampleEdges(5, 3)), 3);
    expect(data.nodes.id).toEqual([
      contactId(5 as ContactOrdinal),
      contactId(2 as ContactOrdinal),
      contactId(3 as ContactOrdinal),
    ]);
    expect(data.totals).toEqual({ contacts: 5, edges: sampleEdges(5, 3).length });
  });

  it.each([
    [0, 1],
    [7, 7],
    [9_999, MAX_NODES],
  ])("reads the limit %i as %i", async (limit, expected) => {
    expect((await cutNetwork(sampleGraphArchive(MAX_NODES + 10, 0), limit)).contacts.length).toBe(expected);
  });

  it("joins both directions of a pair, and accounts for every message", async () => {
    const edges = [
      { from: contactId(1 as ContactOrdinal), to: contactId(2 as ContactOrdinal), count: 7, weight: 3 },
      { from: contactId(1 as ContactOrdinal), to: contactId(3 as ContactOrdinal), count: 1, weight: 1 },
      { from: contactId(2 as ContactOrdinal), to: contactId(1 as ContactOrdinal), count: 4, weight: 2 },
    ];
    const { ties, nodes } = await pageData(
      graphArchive(
        [1, 2, 3].map((ordinal) => sampleContact(ordinal)),
        edges,
      ),
      9,
    );
    expect(ties).toEqual({ a: [0, 0], b: [1, 2], there: [7, 1], back: [4, 0], skeleton: 2 });
    // Sender and recipient are one contact, not two.
    expect(nodes.partners).toEqual([2, 1, 1]);
  });

  it("names communities by their most central people, the largest first", async () => {
    const contacts = [
      sampleContact(1, { name: "Ann", communityId: "community-07", pagerank: 0.1 }),
      sampleContact(2, { name: "Bo", communityId: "community-07", pagerank: 0.3 }),
      sampleContact(3, { name: "", email: "cy@example.org", communityId: "community-07", pagerank: 0.2 }),
      sampleContact(4, { name: "Dee", communityId: "community-01" }),
    ];
    const { communities, nodes } = await pageData(graphArchive(contacts, []), 9);
    expect(communities).toEqual([
      { id: "community-07", name: "Bo, cy@example.org", members: 3 },
      { id: "community-01", name: "Dee", members: 1 },
    ]);
    expect(nodes.community).toEqual([0, 0, 0, 1]);
  });
});
