import { expect, it } from "vitest";
import type { ContactOrdinal } from "../../mail/records/ordinal.ts";
import { MAX_CONTACTS } from "./archive-writer.ts";
import { EdgeCounts } from "./edge-counts.ts";

const count = (edges: EdgeCounts, sender: number, ...recipients: readonly number[]): void =>
  edges.count(
    sender as ContactOrdinal,
    recipients.map((contact) => ({ contact: contact as ContactOrdinal, kind: "to" })),
  );

it("counts messages from contact to contact, of the highest numbers too", () => {
  const edges = new EdgeCounts();
  count(edges, 1, 2, 2, 1);
  count(edges, 1, 2);
  count(edges, MAX_CONTACTS, MAX_CONTACTS - 1);
  expect([...edges.rows()]).toEqual([
    { from: 1, to: 2, count: 2, weight: 2 },
    { from: MAX_CONTACTS, to: MAX_CONTACTS - 1, count: 1, weight: 1 },
  ]);
});

it("rejects contacts and pairs above the limit", () => {
  const edges = new EdgeCounts(2);
  count(edges, 1, 2, 3);
  count(edges, 1, 3);
  const refused = (message: string) => expect.objectContaining({ code: "ARCHIVE_FULL", message });
  expect(() => count(edges, 2, 1)).toThrow(refused("a document can contain at most 2 pairs of correspondents"));
  expect(() => count(edges, 1, MAX_CONTACTS + 1)).toThrow(
    refused(`an archive can contain at most ${MAX_CONTACTS} contacts`),
  );
});
