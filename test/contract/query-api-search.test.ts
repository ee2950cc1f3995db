import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SearchResultWire } from "../../src/http/query-api/wire.ts";
import { openArchive } from "../../src/store/archive/open-archive.ts";
import { openArchiveWithSearchThread } from "../../src/store/archive/open-with-search-thread.ts";
import { ApiClient } from "./api-client.ts";
import { MESSAGES, writeContractArchive } from "./contract-archive.ts";

/** The table of the search body, row by row. */

interface Found {
  readonly query: string;
  readonly results: readonly SearchResultWire[];
}

let api: ApiClient;
beforeAll(async () => {
  api = await ApiClient.start();
});
afterAll(() => api.stop());

const DAY = 86_400_000;
const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10);
const idsOf = (found: Found): readonly string[] => found.results.map((result) => result.message_id).toSorted();
const idsWhere = (test: (message: (typeof MESSAGES)[number]) => boolean): readonly string[] =>
  MESSAGES.filter(test).map(({ ordinal }) => `msg-${String(ordinal).padStart(6, "0")}`);
const isMooring = ({ ordinal }: (typeof MESSAGES)[number]): boolean => ordinal !== 12;
/** "mooring" is in the subject of some and in the body of all but one. */
const MOORING = idsWhere(() => true);

describe("POST /search", () => {
  it("ranks from 1 with the highest score first", async () => {
    const { data } = await api.search<Found>({ query: "mooring rope", limit: 1000 });
    expect(data.results.map(({ rank }) => rank)).toEqual(data.results.map((_, index) => index + 1));
    for (const [index, result] of data.results.entries())
      expect(result.score).toBeLessThanOrEqual(data.results[index - 1]?.score ?? 9);
    expect(data.results[0]?.score).toBeGreaterThan(data.results.at(-1)?.score ?? 9);
    expect(data.results[0]?.snippet).toContain("**rope**");
    expect(data.results.every(({ snippet }) => !/[\n\r]/.test(snippet))).toBe(true);
  });

  it("returns the record of each message", async () => {
    const { data } = await api.search<Found>({ query: "hawser" });
    expect(data.results).toEqual([
      {
        message_id: "msg-000012",
        rank: 1,
        score: expect.any(Number),
        snippet: "The pilot boat waits at <b>berth</b> twelve. Bring the **hawser**.",
        from_email: "ann@harbour.example",
        subject: "Mooring line",
        sent_at: "2001-05-20T16:39:00Z",
      },
    ]);
  });

  it("returns 20 results by default", async () => {
    expect((await api.search<Found>({ query: "berth" })).data.results).toHaveLength(20);
    expect((await api.search<Found>({ query: "berth", limit: 3 })).data.results).toHaveLength(3);
    expect((await api.search<Found>({ query: "berth", limit: 1000 })).data.results).toHaveLength(24);
  });

  it("echoes the query unchanged", async () => {
    expect((await api.search<Found>({ query: '  "pilot boat"\n' })).data.query).toBe('  "pilot boat"\n');
  });

  it.each([
    "the",
    "a the of",
    "nothinglikeit",
    '"',
    "-",
    "*",
    "from:",
    "before:yesterday",
    "🚢",
    "\u0000",
    "((((",
    "x".repeat(1000),
  ])("answers %j", async (query) => {
    expect((await api.search(query === "\u0000" ? { query: "\u0000rope" } : { query })).status).toBe(200);
  });
});

describe("filters", () => {
  const search = async (filters: object): Promise<readonly string[]> =>
    idsOf((await api.search<Found>({ query: "mooring berth line", limit: 1000, filters })).data);

  it("none: all matches", async () => {
    expect(await search({})).toEqual(MOORING);
  });

  it.each(["eloi@harbour.example", "ELOI@HARBOUR.example"])("from: %s", async (from) => {
    expect(await search({ from })).toEqual(idsWhere(({ fromContact }) => fromContact === 2));
  });

  it("from: an alias finds mail from any address of the contact", async () => {
    expect(await search({ from: "ann.quay@harbour.example" })).toEqual(
      idsWhere(({ fromContact }) => fromContact === 1),
    );
  });

  it("unknown from and topic_id find nothing; empty ones are ignored", async () => {
    expect(await search({ from: "nobody@example.org" })).toEqual([]);
    expect(await search({ topic_id: "topic-999" })).toEqual([]);
    expect(await search({ topic_id: "x" })).toEqual([]);
    expect(await search({ from: "", topic_id: "" })).toEqual(MOORING);
  });

  it("topic_id", async () => {
    expect(await search({ topic_id: "topic-002" })).toEqual(idsWhere(({ topic }) => topic === 2));
    expect(await search({ topic_id: "topic-000" })).toEqual(idsWhere(({ topic }) => topic === 0));
  });

  const bound = MESSAGES[7]?.sentAt ?? 0;
  it("date_from and date_to are inclusive, and a date is the whole UTC day", async () => {
    const startOfDay = Date.parse(dayOf(bound));
    expect(await search({ date_from: dayOf(bound) })).toEqual(
      idsWhere(({ sentAt }) => sentAt !== null && sentAt >= startOfDay),
    );
    expect(await search({ date_to: dayOf(bound) })).toEqual(
      idsWhere(({ sentAt }) => sentAt !== null && sentAt < startOfDay + DAY),
    );
    expect(await search({ date_from: dayOf(bound), date_to: dayOf(bound) })).toEqual(
      idsWhere(({ sentAt }) => sentAt === bound),
    );
  });

  it.each([
    new Date(bound).toISOString(),
    new Date(bound).toISOString().replace(".000Z", "Z"),
    new Date(bound).toISOString().replace(".000Z", "+00:00"),
    new Date(bound).toISOString().replace(".000Z", ""),
    new Date(bound + 2 * 3_600_000).toISOString().replace(".000Z", "+02:00"),
  ])("an instant may be written %s", async (instant) => {
    expect(await search({ date_from: instant, date_to: instant })).toEqual(idsWhere(({ sentAt }) => sentAt === bound));
  });

  it("together narrow further", async () => {
    const found = await search({ from: "eloi@harbour.example", topic_id: "topic-001", date_from: "2001-05-20" });
    expect(found).toEqual(
      idsWhere(
        (row) =>
          isMooring(row) && row.fromContact === 2 && row.topic === 1 && (row.sentAt ?? 0) >= Date.UTC(2001, 4, 20),
      ),
    );
    expect(found.length).toBeGreaterThan(0);
  });
});

describe("the search thread", () => {
  it("returns the same results as this thread, several at once, and rejects after closing", async () => {
    const file = await writeContractArchive();
    const threaded = await openArchiveWithSearchThread(file.location);
    const direct = await openArchive(file.location);
    const queries = ["rope", "berth -rope", "hawser", "from:ann mooring", "nothing"];
    const found = await Promise.all(queries.map((query) => threaded.search.search(query, 5, { topicId: "topic-000" })));
    const expected = await Promise.all(
      queries.map((query) => direct.search.search(query, 5, { topicId: "topic-000" })),
    );
    expect(found).toEqual(expected);
    const late = threaded.search.search("rope", 5).catch((error: Error) => error.message);
    await threaded.close();
    expect(await late).toBe("the search thread stopped");
    await direct.close();
    file.remove();
  });
});
