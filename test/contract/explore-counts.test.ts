import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { reportLines } from "../../src/cli/reading/hits.ts";
import type { ClauseWire } from "../../src/http/explore-api/wire/wire.ts";
import { FACETS, type FacetName, WORD_MATCHES, type WordMatch } from "../../src/mail/exploration.ts";
import { custodianNames } from "../../src/outputs/custodians.ts";
import { exportArchive } from "../../src/outputs/export/export-archive.ts";
import { hitReport } from "../../src/outputs/hit-report/hit-report.ts";
import { hitReportCsv } from "../../src/outputs/hit-report/hit-report-csv.ts";
import { csvOf, type HitReport } from "../../src/web/hits/hit-list.ts";
import { clauseTexts, singleClauseQuery, withChoice, withoutValue, withSpan } from "../../src/web/shell/query-text.ts";
import { scratchDirectory } from "../e2e/cli.ts";
import { type ServedCompany, serveCompany } from "./company-archive.ts";

/** Every way to count gives the same number for any query. */

const scratch = scratchDirectory("explore-counts");
let company: ServedCompany;
beforeAll(async () => {
  company = await serveCompany("explore-counts-company");
});
afterAll(() => company.stop());

const QUERIES = 100;
/** Number of queries for which every value and some bars are followed. */
const CLICKED_QUERIES = 25;

const LEAF = fc.constantFrom(
  ...["mooring", "line", "budget", "harbour", "crane", "meeting", "and", "invoice", "zebra", "moor*", '"mooring line"'],
  ...["has:attachment", "-has:attachment", "is:reply", "is:forward", "-is:unread", "lang:en", "lang:de", "type:pdf"],
  ...["from:contact-000001", "to:contact-000002", "person:contact-000003", "topic:topic-001", "source:0", "-draft"],
  ...["tag:press", "-tag:press", 'tag:"to do"', "has:note", "review:relevant", "review:open", "is:redacted"],
  ...["larger:2k", "smaller:1k", "has:copies", "kind:mail", "is:undated", "domain:halvorsen-pike.example"],
  ...["-has:language", "has:label", "-has:tag", "has:recipient", "-mooring-line"],
  ...["after:2021-06-15", "before:2021-09-10", "on:2021", "in:inbox"],
);
const QUERY = fc
  .array(fc.tuple(LEAF, fc.constantFrom(" ", " ", " OR ")), { maxLength: 4 })
  .map((leaves) => leaves.map(([leaf, join], at) => (at === 0 ? leaf : join + leaf)).join(""));

it("distinguishes mailboxes with the same name in rows and facets", async () => {
  const { messages }: { readonly messages: readonly { mailbox: string; mailbox_label: string }[] } = await company.data(
    "/messages",
    { q: "", limit: "200", repeats: "listed" },
  );
  const { facets } = (await company.data("/facets", { q: "", of: "mailbox", limit: "50" })) as {
    readonly facets: readonly [{ readonly values: readonly { readonly label: string }[] }];
  };
  const labels = new Set(facets[0].values.map(({ label }) => label));
  expect(messages.filter(({ mailbox_label }) => !labels.has(mailbox_label))).toEqual([]);
  expect(messages.filter(({ mailbox, mailbox_label }) => mailbox !== mailbox_label)).not.toEqual([]);
});

/** Writes marks like a user of the notebook. */
async function write(path: string, payload: object): Promise<void> {
  const { statusCode } = await company.app.inject({
    method: "POST",
    url: `/api/explore/notebook${path}`,
    headers: { host: "127.0.0.1", origin: "http://127.0.0.1", "content-type": "application/json" },
    payload: JSON.stringify(payload),
  });
  expect(statusCode).toBe(200);
}

it("a tag, a note and a review are found at once", async () => {
  const tag = { kind: "message", tag: "press", is_set: true };
  const found = async (q: string): Promise<number> =>
    ((await company.data("/messages", { q, match: "all", limit: "1" })) as { readonly total: number }).total;
  expect(await found("tag:press")).toBe(0);
  await write("/tags", { ...tag, q: "from:contact-000001 +mooring" });
  const tagged = await found("from:contact-000001 mooring");
  const { messages }: { readonly messages: readonly { readonly tags: readonly string[] }[] } = await company.data(
    "/messages",
    { q: "tag:press", limit: "200" },
  );
  expect(messages.every(({ tags }) => tags.includes("press"))).toBe(true);
  expect([await found("tag:PRESS"), await found("tag:press -mooring"), tagged > 0]).toEqual([tagged, 0, true]);
  await write("/tags", { ...tag, q: "tag:press larger:2k", is_set: false });
  expect(await found("tag:press")).toBe(await found("from:contact-000001 mooring -larger:2k"));
  await write("/tags", { kind: "thread", ids: ["thread-000003", "thread-000004"], tag: "to do", is_set: true });
  expect(await found('tag:"to do"')).toBe(await found("thread:thread-000003 OR thread:thread-000004"));
  const decided = { note: "ask her", review: "relevant", tags: [] };
  await write("/entries", { kind: "thread", id: "thread-000005", revision: 0, value: decided });
  await write("/entries", { kind: "message", id: "msg-000001", revision: 0, value: { ...decided, note: "" } });
  expect(await found("has:note")).toBe(await found("thread:thread-000005"));
  expect((await found("review:relevant")) + (await found("review:open"))).toBe(await found(""));
});

interface Counted {
  readonly count: number;
}
interface Understood {
  readonly understood: readonly ClauseWire[];
}
interface Faceted {
  readonly facets: readonly {
    of: FacetName;
    values: (Counted & { clause: string })[];
    none: number;
    none_clause: string;
  }[];
}
interface Binned {
  readonly bins: readonly (Counted & { span: string })[];
}
interface Stacked extends Binned {
  readonly stacks: readonly (Counted & { clause: string; counts: readonly number[] })[];
}
const sum = (counted: readonly Counted[]): number => counted.reduce((all, { count }) => all + count, 0);

it("is counted again after a write to the notebook, for any form of the query", async () => {
  const ask = async (path: string, known = "") => {
    const { statusCode, headers } = await company.app.inject({
      url: `/api/explore${path}`,
      headers: { host: "127.0.0.1", "if-none-match": known },
    });
    return { statusCode, tag: String(headers["etag"]) };
  };
  for (const path of ["/facets?of=tag", "/messages?q=tag:quay", "/suggest?q=qua", "/timeline?stack=tag"]) {
    const { tag } = await ask(path);
    expect((await ask(path, tag)).statusCode, path).toBe(304);
    await write("/tags", { kind: "message", ids: ["msg-000002"], tag: "quay", is_set: true });
    const again = await ask(path, tag);
    expect([path, again.statusCode, again.tag === tag]).toEqual([path, 200, false]);
    await write("/tags", { kind: "message", ids: ["msg-000002"], tag: "quay", is_set: false });
  }
});

it("total = sum of a facet = sum of the timeline = number of exported messages", async () => {
  let asked = 0;
  await fc.assert(
    fc.asyncProperty(QUERY, async (q) => {
      for (const match of WORD_MATCHES) {
        const query = { q, match };
        const { total }: { readonly total: number } = await company.data("/messages", {
          ...query,
          limit: "1",
        });
        await expectFacets(query, total);
        const timeline: { readonly bins: Counted[]; readonly stray: number; readonly undated: number } =
          await company.data("/timeline", query);
        expect(sum(timeline.bins) + timeline.stray + timeline.undated, `${match} ${q}`).toBe(total);
        expect(await company.archive.search.matching(q, {}, match), q).toHaveLength(total);
        expect(await exportedRows(query, asked++), q).toBe(total);
      }
    }),
    { numRuns: QUERIES },
  );
});

/** Single-value facets count each message of a query once, and each value finds as many messages as it shows. */
async function expectFacets(query: { readonly q: string; readonly match: WordMatch }, total: number): Promise<void> {
  const { q, match } = query;
  const own = {
    from: /from:|person:/,
    domain: /domain:/,
    year: /undated|after:|before:|on:/,
    topic: /topic:/,
    lang: /lang:/,
  };
  const {
    facets,
  }: { readonly facets: readonly { of: string; total: number; values: Counted[]; other: number; none: number }[] } =
    await company.data("/facets", { ...query, of: Object.keys(own).join(","), limit: "3" });
  for (const { of, total: counted, values, other, none } of facets) {
    expect(sum(values) + other + none, `${of} of ${match} ${q}`).toBe(counted);
    // A facet ignores its own conditions.
    if (!own[of as keyof typeof own].test(q)) expect(counted, `${of} of ${match} ${q}`).toBe(total);
  }
  if (q.includes("tag:")) return;
  const { facets: tags }: Faceted = await company.data("/facets", { ...query, of: "tag" });
  for (const { clause, count } of tags[0]!.values)
    expect(await company.data("/messages", { q: `${q} ${clause}`, match, limit: "1" }), q).toMatchObject({
      total: count,
    });
}

it("clicking a facet value, its rest, a chip or a bar of the timeline finds the displayed number", async () => {
  const asked = new Set<string>();
  await fc.assert(
    fc.asyncProperty(QUERY, async (q) => {
      const understood: Understood = await company.data("/messages", { q, match: "all", limit: "1" });
      const clauses = clauseTexts(q, understood.understood);
      const { facets }: Faceted = await company.data("/facets", { q, match: "all", limit: "3" });
      const { bins }: Binned = await company.data("/timeline", { q, match: "all" });
      const values = facets
        .flatMap(({ of, values }) => values.map(({ clause, count }) => ({ of, clause, count })))
        // With another value of the facet, the two are alternatives: both are found.
        .filter(({ clause }) => clause !== "" && !q.includes(`${clause.split(":", 1)[0]}:`))
        .map(({ of, clause, count }) => ({ of, count, link: withChoice(q, clauses, clause, of) }));
      const rests = facets
        .filter(({ none, none_clause: clause }) => none > 0 && !clauses.some(({ text }) => text === clause))
        .map(({ of, none, none_clause: clause }) => {
          return { of: `no ${of}`, count: none, link: withoutValue(q, clauses, clause, of) };
        });
      const chips = clauses.map((clause) => ({ of: "chip", count: clause.count, link: singleClauseQuery(clause) }));
      const bars = bins.map(({ span, count }) => ({ of: "time", count, link: withSpan(q, clauses, span, span) }));
      // A condition on dates may cut the first and the last bar.
      const some = bars.filter((_, at) => at % 5 === 0 || at === bars.length - 1);
      for (const { of, count, link } of [...values, ...rests, ...chips, ...some]) {
        asked.add(of);
        const found = await company.data("/messages", { q: link, match: "all", limit: "1" });
        expect(found, `${of}: ${link}`).toMatchObject({ total: count });
      }
    }),
    { numRuns: CLICKED_QUERIES },
  );
  expect(asked).toContain("chip");
  expect([...asked].filter((of) => of.startsWith("no "))).toContain("no type");
  expect(asked.size).toBeGreaterThan(10);
});

it("values of a timeline find as many messages as their counts, in total and per bar", async () => {
  let followed = 0;
  for (const q of ["", "moor* OR budget", "-has:attachment after:2021-06-15", "line zebra OR lang:de"])
    for (const stack of FACETS) {
      const { bins, stacks }: Stacked = await company.data("/timeline", { q, match: "all", stack });
      for (const { clause, count, counts } of stacks) {
        expect(counts).toHaveLength(bins.length);
        const totalOf = async (link: string): Promise<number> =>
          ((await company.data("/messages", { q: link, match: "all", limit: "1" })) as { readonly total: number })
            .total;
        expect(await totalOf(`${q} ${clause}`), `${q} ${clause}`).toBe(count);
        for (const [at, { span }] of bins.entries()) {
          expect(counts[at]!).toBeLessThanOrEqual(bins[at]!.count);
          if (at % 7 !== followed % 7) continue;
          expect(await totalOf(`${q} ${clause} on:${span}`), `${q} ${clause} on:${span}`).toBe(counts[at]);
        }
        followed++;
      }
    }
  expect(followed).toBeGreaterThan(60);
  const single: Stacked = await company.data("/timeline", { stack: "lang" });
  expect(single.stacks.map(({ count }) => count)).toEqual(
    single.stacks.map(({ count }) => count).toSorted((a, b) => b - a),
  );
  expect(await company.data("/timeline", { q: "moor*" })).toMatchObject({ stacks: [] });
});

/** Rows of the CSV export of a query, without the header. */
async function exportedRows(
  { q, match }: { readonly q: string; readonly match: WordMatch },
  number: number,
): Promise<number> {
  const path = join(scratch, `${number}.csv`);
  await exportArchive(company.archive, {
    format: "csv",
    path,
    selection: {
      query: q || null,
      match,
      withheld: null,
      filter: {},
      threadId: null,
      contactId: null,
      messageIds: null,
      mailbox: null,
    },
    query: q,
    production: null,
    names: "id",
    bag: null,
    exportedAt: 0,
    signal: new AbortController().signal,
    readOriginal: null,
    onSelected: async () => undefined,
    onProgress: () => undefined,
  });
  let [rows, isQuoted] = [0, false];
  for (const sign of readFileSync(path, "utf8")) {
    if (sign === '"') isQuoted = !isQuoted;
    else if (sign === "\n" && !isQuoted) rows++;
  }
  return rows - 1;
}

interface Counterparts {
  readonly contact_id: string;
  readonly counterparts: readonly { contact_id: string; there: number; back: number }[];
}

it("the correspondents of a person include all recipients and senders, also those of duplicates", async () => {
  const { people }: { readonly people: readonly { contact_id: string }[] } = await company.data("/people");
  const ids = people.map(({ contact_id: id }) => id);
  const wrote = (from: string, to: string): string => `from:${from} (to:${to} OR cc:${to})`;
  let withCopies = 0;
  for (const id of ids.slice(0, 8)) {
    const { body } = await company.ask(`/people/${id}`);
    const { counterparts } = (body as { readonly data: Counterparts }).data;
    const others = ids.filter((other) => other !== id);
    const there = await counted(others.map((other) => wrote(id, other)));
    const back = await counted(others.map((other) => wrote(other, id)));
    const direct = await counted(others.flatMap((other) => [`from:${id} to:${other}`, `from:${other} to:${id}`]));
    const exchanged = others
      .map((other, at) => ({ contact_id: other, there: there[at]!, back: back[at]!, weight: there[at]! + back[at]! }))
      .filter(({ weight }) => weight > 0)
      .toSorted((left, right) => right.weight - left.weight);
    expect(counterparts).toHaveLength(Math.min(25, exchanged.length));
    expect(counterparts.map((one) => one.there + one.back)).toEqual(exchanged.slice(0, 25).map(({ weight }) => weight));
    for (const one of counterparts)
      expect(exchanged).toContainEqual(expect.objectContaining({ contact_id: one.contact_id, there: one.there }));
    withCopies += exchanged.filter((one) => {
      const at = others.indexOf(one.contact_id);
      return one.weight > direct[2 * at]! + direct[2 * at + 1]!;
    }).length;
  }
  expect(withCopies).toBeGreaterThan(0);
});

it("a hit report counts families, custodians, unique hits, and all queries combined", async () => {
  const queries = ["mooring", "mooring OR hawser", "has:attachment", "zebraxyz", "fro:x OR budget", "source:0"];
  const { body } = await company.ask("/hits", {}, { queries, details: true });
  const { hits, union } = (body as { readonly data: HitReport }).data;
  const { archive } = company;
  const { sources } = await archive.provenance();
  const found = await Promise.all(queries.map((query) => archive.search.matching(query)));
  const expected = async (ids: readonly string[]) => {
    const messages = await archive.messages.getMany(ids);
    const threads = new Set(messages.map(({ threadId }) => threadId));
    const whole = await Promise.all([...threads].map((thread) => archive.threads.get(thread)));
    const having = (source: number) =>
      messages.filter(({ occurrences }) => occurrences.some((place) => place.source === source)).length;
    const dates = messages.flatMap(({ sentAt }) => (sentAt === null ? [] : [sentAt])).sort((a, b) => a - b);
    return {
      messages: ids.length,
      attachments: messages.reduce((sum, { attachments }) => sum + attachments.length, 0),
      conversations: threads.size,
      conversation_messages: whole.reduce((sum, thread) => sum + thread!.messageIds.length, 0),
      counts: sources.map((_, source) => having(source)).filter((count) => count > 0),
      first: dates[0] ?? null,
      last: dates.at(-1) ?? null,
    };
  };
  const seen = ({ messages, attachments, conversations, conversation_messages, ...rest }: HitReport["union"]) => ({
    messages,
    attachments,
    conversations,
    conversation_messages,
    counts: rest.custodians.map((custodian) => custodian.messages),
    first: rest.first === null ? null : Date.parse(rest.first),
    last: rest.last === null ? null : Date.parse(rest.last),
  });
  for (const [at, hit] of hits.entries()) {
    expect(seen(hit as unknown as HitReport["union"]), queries[at]).toEqual(await expected(found[at]!));
    const others = new Set(found.flatMap((ids, other) => (other === at ? [] : ids)));
    expect(hit.unique, queries[at]).toBe(found[at]!.filter((id) => !others.has(id)).length);
    expect(hit.problems.length, queries[at]).toBe(at === 4 ? 1 : 0);
  }
  expect(seen(union)).toEqual(await expected([...new Set(found.flat())]));
  const names = custodianNames(
    sources.map(({ path }) => path),
    [],
  );
  for (const { name } of union!.custodians) expect(names.includes(name) && !/[/\\]/.test(name)).toBe(true);
  const report = await hitReport(archive, { queries, match: "all", custodians: names });
  expect(hitReportCsv(report)).toBe(csvOf((body as { readonly data: HitReport }).data));
  const lines = reportLines(report).map(String);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  expect(lines).toContain(`    ! "fro:x" is not an operator: searched as text`);
});

/** Messages of each of several queries. */
async function counted(queries: readonly string[]): Promise<readonly number[]> {
  const { body } = await company.ask("/hits", {}, { queries });
  const { hits } = (body as { readonly data: { readonly hits: readonly { messages: number }[] } }).data;
  return hits.map(({ messages }) => messages);
}
