import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { outcomesOf, warnedCounts } from "../../src/http/explore-api/setting/count-links.ts";
import type { OverviewWire } from "../../src/http/explore-api/wire/wire-overview.ts";
import type {
  MailboxTreeWire,
  ProvenanceRecordWire,
  WarningPageWire,
} from "../../src/http/explore-api/wire/wire-provenance.ts";
import type { SourceRecord } from "../../src/mail/records/provenance.ts";
import { type ServedCompany, serveCompany } from "./company-archive.ts";

/** Sources, warnings and mailboxes in the explore API: the clause next to every number finds exactly these messages. */

let company: ServedCompany;
beforeAll(async () => {
  company = await serveCompany("explore-record");
});
afterAll(() => company?.stop());

const totalOf = async (q: string): Promise<number> =>
  ((await company.data("/messages", { q, limit: "1" })) as { readonly total: number }).total;

describe("GET /overview", () => {
  it("lists topics before messages without a topic, with any counts", async () => {
    interface Facets {
      readonly facets: readonly { readonly of: string; readonly values: readonly { readonly clause: string }[] }[];
    }
    const clausesOf = ({ facets }: Facets): readonly string[] =>
      facets.find((facet) => facet.of === "topic")!.values.map(({ clause }) => clause);
    const counted = clausesOf(await company.data("/facets", { of: "topic", limit: "12" }));
    const other = counted.indexOf("topic:topic-000");
    expect(other).toBeGreaterThanOrEqual(0);
    expect(other).toBeLessThan(counted.length - 1);
    const named = clausesOf(await company.data("/overview"));
    expect(named).toEqual([...counted.toSpliced(other, 1), "topic:topic-000"]);
  });
});

describe("GET /provenance", () => {
  it("accounts for every item, and returns clauses that find the messages of each source", async () => {
    const record: ProvenanceRecordWire = await company.data("/provenance");
    const { seen, kept, duplicate, skipped, failed } = record.counts;
    expect(seen).toBe(kept + duplicate + skipped + failed);
    // Appointments and Outlook items are also kept.
    expect(kept).toBeGreaterThanOrEqual(record.statistics.total_messages);
    expect(record.statistics.total_messages).toBe(await totalOf(""));
    expect(record.sources.length).toBeGreaterThan(3);
    for (const { clause, messages } of record.sources) expect(await totalOf(clause), clause).toBe(messages);
    expect(record.runs).toHaveLength(1);
  });

  it("lists sources that may have contained more, like the overview", async () => {
    const { sources }: ProvenanceRecordWire = await company.data("/provenance");
    const { damaged_sources: damaged }: OverviewWire = await company.data("/overview");
    expect(sources.filter((source) => source.is_damaged)).toHaveLength(damaged);
  });

  it("returns all warnings", async () => {
    const record: ProvenanceRecordWire = await company.data("/provenance");
    expect(record.warnings.length).toBeGreaterThan(0);
    for (const { code, count } of record.warnings) {
      const page: WarningPageWire = await company.data("/warnings", { code });
      expect(page.total).toBe(count);
    }
    for (const { source, warnings } of record.sources) {
      const page: WarningPageWire = await company.data("/warnings", { source: String(source) });
      expect(page.total).toBe(warnings);
    }
  });
});

describe("counts by outcome", () => {
  it("are found exactly if `ways` has a query, and not at all otherwise", async () => {
    const record: ProvenanceRecordWire = await company.data("/provenance");
    const { rows }: MailboxTreeWire = await company.data("/mailboxes");
    const met = { kept: 0, unkept: 0, skipped: 0, failed: 0 };
    for (const { source, counts, ways, messages } of [...record.sources, ...rows]) {
      if (counts === null || ways === null) continue;
      if (ways.kept !== null) {
        expect([source, await totalOf(ways.kept)]).toEqual([source, counts.kept]);
        met.kept++;
      } else if (counts.kept !== messages) met.unkept++;
      for (const outcome of ways.warned) {
        const { total }: WarningPageWire = await company.data("/warnings", { source: String(source), outcome });
        expect([source, total]).toEqual([source, counts[outcome]]);
        met[outcome]++;
      }
    }
    expect(Object.values(met)).not.toContain(0);
    // Outlook items are also kept; there are warnings of both kinds.
    expect(record.ways).toEqual({ kept: null, warned: ["skipped", "failed"] });
    for (const outcome of record.ways.warned) {
      const page: WarningPageWire = await company.data("/warnings", { outcome });
      expect(page.total).toBe(record.counts[outcome]);
      expect(new Set(page.warnings.map((warning) => warning.outcome))).toEqual(new Set([outcome]));
    }
  });

  it("have no clause if warnings were not stored, or concern kept items", () => {
    const counts = { seen: 9, kept: 6, duplicate: 0, skipped: 3, failed: 0 };
    const skipped = ["skipped", "skipped", "skipped"] as const;
    expect(warnedCounts(counts, [...skipped, "noted"], 0)).toEqual(["skipped"]);
    expect(warnedCounts({ ...counts, failed: 1 }, [...skipped, "failed"], 0)).toEqual(["skipped", "failed"]);
    expect(warnedCounts({ ...counts, failed: 2 }, [...skipped, "failed"], 0)).toEqual(["skipped"]);
    expect(warnedCounts(counts, skipped, 1)).toEqual([]);
    expect(warnedCounts({ ...counts, skipped: 0 }, [], 0)).toEqual([]);
  });

  it("exist for archives of earlier versions if all warnings about a source concern one outcome", () => {
    const warning = { code: "no-event", message: "", source: 0, location: null, sha256: null } as const;
    const outcomes = (skipped: number, failed: number, truncated = 0) =>
      outcomesOf({
        warnings: [warning, { ...warning, outcome: null }, { ...warning, source: null }],
        sources: [{ counts: { seen: 9, kept: 9 - skipped - failed, duplicate: 0, skipped, failed } } as SourceRecord],
        warningsTruncated: truncated,
      });
    expect(outcomes(2, 0)).toEqual(["skipped", "skipped", null]);
    expect(outcomes(0, 2)).toEqual(["failed", "failed", null]);
    expect(outcomes(1, 1)).toEqual([null, null, null]);
    expect(outcomes(1, 0)).toEqual([null, null, null]);
    expect(outcomes(2, 0, 5)).toEqual([null, null, null]);
  });
});

describe("GET /suggest", () => {
  interface Suggested {
    readonly suggestions: readonly { kind: string; text: string; label: string }[];
  }
  const suggested = async (q: string, kind: string) =>
    ((await company.data("/suggest", { q })) as Suggested).suggestions.filter((one) => one.kind === kind);

  it("finds appointments by subject, also with different accents and case, and not by other fields", async () => {
    const [fair] = await suggested("mooring OCEANT", "event");
    expect(fair).toMatchObject({ text: 'subject:"OceanTech fair, booth 4.117"', label: "OceanTech fair, booth 4.117" });
    const { total }: { readonly total: number } = await company.data("/events", { search: fair!.text });
    expect(total).toBeGreaterThan(0);
    expect(await suggested("fairground", "event")).toEqual([]);
    expect(await suggested("from:oceant", "event")).toEqual([]);
  });

  it("suggests saved searches immediately by name, and all of them for an empty query", async () => {
    expect(await suggested("", "saved")).toEqual([]);
    const write = (id: string, revision: number, value: object | null) =>
      company.app.inject({
        method: "POST",
        url: "/api/explore/notebook/entries",
        headers: { host: "127.0.0.1", origin: "http://127.0.0.1", "content-type": "application/json" },
        payload: JSON.stringify({ kind: "search", id, revision, value }),
      });
    const { entry } = (await write("Quay money", 0, { q: "budget in:sent", match: "any", sort: "newest" })).json().data;
    const saved = { kind: "saved", text: "budget in:sent", label: "Quay money", count: null };
    expect(await suggested("", "saved")).toEqual([saved]);
    expect(await suggested("quay", "saved")).toEqual([saved]);
    expect(await suggested("quays", "saved")).toEqual([]);
    await write("Quay money", entry.revision, null);
    expect(await suggested("quay", "saved")).toEqual([]);
  });
});

it("items are sorted by date in both directions, and by id", async () => {
  const ids = async (sort: string): Promise<readonly string[]> => {
    const { items }: { readonly items: readonly { readonly id: string }[] } = await company.data("/items", { sort });
    return items.map(({ id }) => id);
  };
  const stored = await ids("id");
  expect(stored).toEqual(stored.toSorted());
  expect((await ids("newest")).toSorted()).toEqual(stored);
  expect(await ids("oldest")).not.toEqual(await ids("newest"));
  expect((await company.ask("/items", { sort: "colour" })).status).toBe(400);
});

it("a community lists as many people as each member reports, most active first", async () => {
  interface Person {
    readonly contact_id: string;
    readonly community_id: string;
    readonly all: { readonly messages: number };
    readonly community: { readonly members: number; readonly leading: readonly { readonly contact_id: string }[] };
  }
  const { body } = await company.ask("/people/contact-000001");
  const { data: person } = body as { readonly data: Person };
  const { contact_id: own, community_id: community } = person;
  const { members, leading } = person.community;
  expect(members).toBeGreaterThan(3);
  const { total, people }: { readonly total: number; readonly people: readonly Person[] } = await company.data(
    "/people",
    { community, limit: "100" },
  );
  expect([total, people.length]).toEqual([members, members]);
  expect(new Set(people.map(({ community_id }) => community_id))).toEqual(new Set([community]));
  const others = people.map(({ contact_id }) => contact_id).filter((id) => id !== own);
  expect(leading.map(({ contact_id }) => contact_id)).toEqual(others.slice(0, 3));
  const second: typeof person = await company.data("/people", { community, offset: "1", limit: "1" });
  expect(second).toMatchObject({ total, people: [{ contact_id: people[1]!.contact_id }] });
  expect(await company.data("/people", { community: "community-99999" })).toMatchObject({ total: 0, people: [] });
});

describe("GET /people of a conversation", () => {
  it("counts each participant once, with any address", async () => {
    const { threads }: { readonly threads: readonly { id: string; people_count: number }[] } = await company.data(
      "/threads",
      { q: "", limit: "40" },
    );
    for (const { id, people_count: count } of threads) {
      const { total, people }: { readonly total: number; readonly people: readonly { contact_id: string }[] } =
        await company.data("/people", { thread: id });
      expect([id, total, new Set(people.map((person) => person.contact_id)).size]).toEqual([id, count, count]);
      const { body } = await company.ask(`/threads/${id}`);
      expect((body as { readonly data: object }).data).toMatchObject({ people_count: count });
    }
    const { people }: { readonly people: readonly unknown[] } = await company.data("/people", {
      thread: threads[0]!.id,
      offset: "1",
      limit: "1",
    });
    expect(people).toHaveLength(1);
    expect((await company.ask("/people", { thread: "thread-999999" })).status).toBe(404);
  });
});

describe("GET /warnings", () => {
  it("counts each condition without itself, and returns pages", async () => {
    const all: WarningPageWire = await company.data("/warnings");
    const [first] = all.codes;
    const narrowed: WarningPageWire = await company.data("/warnings", { code: first!.code, limit: "1" });
    expect(narrowed.codes).toEqual(all.codes);
    expect(narrowed.warnings).toEqual(all.warnings.filter(({ code }) => code === first!.code).slice(0, 1));
    const sum = narrowed.sources.reduce((counted, { count }) => counted + count, 0);
    expect(sum).toBe(first!.count);
    const beyond: WarningPageWire = await company.data("/warnings", { offset: "100000" });
    expect([beyond.total, beyond.warnings]).toEqual([all.total, []]);
  });

  it("finds by text, and by the run", async () => {
    const all: WarningPageWire = await company.data("/warnings");
    const { message } = all.warnings[0]!;
    const found: WarningPageWire = await company.data("/warnings", { search: message.toUpperCase() });
    expect(found.warnings).toContainEqual(all.warnings[0]);
    const none: WarningPageWire = await company.data("/warnings", { search: "no such thing ☃" });
    expect(none).toMatchObject({ total: 0, codes: [], sources: [] });
    const run: WarningPageWire = await company.data("/warnings", { source: "run" });
    expect(run.total).toBe(all.warnings.filter(({ source }) => source === null).length);
  });

  it.each([{ source: "first" }, { source: "-1" }, { limit: "1001" }])("rejects %j", async (query) => {
    expect((await company.ask("/warnings", query)).status).toBe(400);
  });
});

describe("GET /mailboxes", () => {
  it("is a tree with counts that their clauses find", async () => {
    const { total, rows }: MailboxTreeWire = await company.data("/mailboxes");
    expect(rows.filter(({ name }) => name !== null)).toHaveLength(total);
    for (const [index, { depth }] of rows.entries())
      expect(depth).toBeLessThanOrEqual((rows[index - 1]?.depth ?? -1) + 1);
    for (const { clause, messages, depth, name } of rows)
      if (depth === 0 || name !== null) expect(await totalOf(clause), clause).toBe(messages);
    const names = rows.map(({ name }) => name).filter((name) => name !== null);
    expect(new Set(names).size, "some names stand in several sources").toBeLessThan(names.length);
  });

  it("has the five counts of each mailbox, which add up to those of its source", async () => {
    const { rows }: MailboxTreeWire = await company.data("/mailboxes");
    for (const source of rows.filter(({ depth }) => depth === 0)) {
      const own = rows.filter((row) => row.source === source.source && row.name !== null);
      for (const name of ["seen", "kept", "duplicate", "skipped", "failed"] as const) {
        const sum = own.reduce((counted, { counts }) => counted + (counts?.[name] ?? 0), 0);
        expect(sum, `${source.label} ${name}`).toBe(source.counts![name]);
      }
    }
  });
});
