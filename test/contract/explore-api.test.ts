import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type * as z from "zod";
import { EXPLORE_API } from "../../src/http/explore-api/explore-routes.ts";
import { marksSchema, notebookSchema } from "../../src/http/explore-api/wire/wire-notebook.ts";
import { createLocalServer } from "../../src/http/local-server/local-server.ts";
import { errorEnvelopeSchema } from "../../src/http/query-api/wire.ts";
import { pathPattern } from "../../src/http/unknown-route.ts";
import type { Archive } from "../../src/mail/archive.ts";
import { MENTION_KINDS } from "../../src/mail/records/mention.ts";
import { openArchiveWithSearchThread } from "../../src/store/archive/open-with-search-thread.ts";
import { fileNotebook } from "../../src/store/notebook/open-notebook.ts";
import { bundlePages } from "./bundled-pages.ts";
import { CONTACTS, type ContractArchive, MESSAGES, writeContractArchive } from "./contract-archive.ts";
import { ownFiles } from "./own-files.ts";

/** The explore API as `serve` returns it. */

let file: ContractArchive;
let archive: Archive;
let app: FastifyInstance;
beforeAll(async () => {
  await bundlePages();
  file = await writeContractArchive();
  archive = await openArchiveWithSearchThread(file.location);
  app = await createLocalServer(
    archive,
    {
      source: "harbour",
      environment: "contract",
      host: "127.0.0.1",
      ...ownFiles(),
      notebook: fileNotebook(file.location),
    },
    null,
  );
});
afterAll(async () => {
  await app.close();
  await archive.close();
  file.remove();
});

async function get(path: string, query: Readonly<Record<string, string>> = {}, headers: Record<string, string> = {}) {
  const url = `/api/explore${path}?${new URLSearchParams(query)}`;
  const response = await app.inject({ method: "GET", url, headers: { host: "127.0.0.1:8080", ...headers } });
  return {
    status: response.statusCode,
    headers: response.headers,
    body: response.body === "" ? null : response.json(),
  };
}

async function dataOf(path: string, query: Readonly<Record<string, string>> = {}) {
  const { status, body } = await get(path, query);
  expect(status).toBe(200);
  const { data } = EXPLORE_API.routes.find((route) => pathPattern(route.path).test(path))!;
  // Strict: a field that is missing in the schema is an error.
  expect(() => (data as z.ZodObject).strict().parse(body.data)).not.toThrow();
  return body.data;
}

const sum = (counts: readonly { readonly count: number }[]): number =>
  counts.reduce((all, { count }) => all + count, 0);

describe("GET /messages", () => {
  it("returns a page with names, counts, snippets and the parsed query", async () => {
    const found = await dataOf("/messages", { q: "mooring chain", limit: "3" });
    expect(found).toMatchObject({ understood: [{ kind: "words" }, { kind: "words" }] });
    expect(found.messages).toHaveLength(3);
    expect(found.total).toBeGreaterThan(3);
    const [row] = found.messages;
    expect(row.snippet).toContainEqual(["chain", true]);
    expect(row.from.contact_id).toMatch(/^contact-\d{6}$/);
    expect(row).not.toHaveProperty("body");
  });

  it("returns everything for an empty query, on any page and in any order", async () => {
    for (const sort of ["relevance", "newest", "oldest", "sender", "size"]) {
      const ids: string[] = [];
      for (let offset = 0; offset < MESSAGES.length; offset += 7) {
        const page = await dataOf("/messages", { sort, limit: "7", offset: String(offset) });
        expect(page.total).toBe(MESSAGES.length);
        ids.push(...page.messages.map(({ id }: { readonly id: string }) => id));
      }
      expect(new Set(ids).size).toBe(MESSAGES.length);
    }
    expect((await dataOf("/messages", { offset: "2147483647" })).messages).toEqual([]);
  });

  it("lists the words that stems match", async () => {
    const found = await dataOf("/messages", { q: "stem:chains -stem:ropes mooring" });
    expect(found.understood.map(({ forms }: { readonly forms: readonly string[] }) => forms)).toEqual([
      ["chain"],
      [],
      [],
    ]);
    expect(found.messages[0].snippet).toContainEqual(["chain", true]);
  });

  it("combines words with AND, or as requested", async () => {
    const both = await dataOf("/messages", { q: "chain rope" });
    const any = await dataOf("/messages", { q: "chain rope", match: "any" });
    expect([both.total, any.total > both.total]).toEqual([0, true]);
    expect(any.conversations).toBeLessThanOrEqual(any.total);
  });

  it.each([
    ["/messages", { limit: "201" }],
    ["/messages", { limit: "0" }],
    ["/messages", { offset: "-1" }],
    ["/messages", { sort: "colour" }],
    ["/messages", { match: "some" }],
    ["/messages", { q: "a".repeat(4097) }],
    ["/facets", { of: "from,colour" }],
    ["/facets", { of: "" }],
    ["/timeline", { by: "week" }],
  ])("%s rejects %j", async (path, query) => {
    const { status, body } = await get(path, query);
    expect(status).toBe(400);
    expect(() => errorEnvelopeSchema.parse(body)).not.toThrow();
    expect(body.error.code).toBe("INVALID_QUERY");
  });

  it("answers hostile queries", async () => {
    for (const q of ["(".repeat(4096), "-(".repeat(2000), '"', "a OR ".repeat(800), "\0", "from:(".repeat(600)])
      await dataOf("/messages", { q });
  });

  it("answers queries of 4,096 characters that an address writes as nine each", async () => {
    const origin = await app.listen({ host: "127.0.0.1", port: 0 });
    for (const path of ["/api/explore/messages", "/api/explore/suggest", "/a/local/search"]) {
      const response = await fetch(`${origin}${path}?q=${encodeURIComponent("郵".repeat(4096))}`);
      expect([response.status, path]).toEqual([200, path]);
    }
  });

  it("is not sent again while the archive is the same", async () => {
    const { headers } = await get("/messages", { q: "rope" });
    expect(headers["cache-control"]).toBe("private, no-cache");
    const again = await get("/messages", { q: "rope" }, { "if-none-match": String(headers["etag"]) });
    expect([again.status, again.body]).toEqual([304, null]);
  });
});

describe("GET /messages/{message_id}", () => {
  it("returns the header with names and contacts, locations, files and the parts of the text", async () => {
    const detail = await dataOf("/messages/msg-000012");
    const message = MESSAGES[11]!;
    expect(detail).toMatchObject({
      message_id: message.messageId,
      sha256: message.sha256,
      quotes: ["msg-000008", "msg-000004"],
      is_withheld: true,
      occurrences: [{ mailbox: "INBOX", location: "offset:12", message_id: message.messageId, sha256: message.sha256 }],
      attachments: [{ number: 1, type: "pdf", filename: "berth plan.pdf", availability: "withheld" }],
      text: message.body.toString(),
      text_pieces: 1,
    });
    expect(detail.to.map((to: { readonly contact_id: string | null }) => to.contact_id)).toEqual([
      expect.stringMatching(/^contact-/),
      null,
    ]);
    expect(detail.parts.at(-1).end).toBe(detail.text_length);
  });

  it("returns the pieces of its text, and an error after the last", async () => {
    const { text } = await dataOf("/messages/msg-000012/text", { part: "0" });
    expect(text).toBe(MESSAGES[11]!.body.toString());
    expect((await get("/messages/msg-000012/text", { part: "1" })).body.error.code).toBe("NOT_FOUND");
    expect((await get("/messages/msg-000099/text")).body.error.code).toBe("NOT_FOUND");
    expect((await get("/messages/msg-000012/text", { part: "x" })).status).toBe(400);
  });
});

describe("GET /threads/{thread_id}", () => {
  it("returns a conversation in order, with the parent of each message", async () => {
    const thread = await dataOf("/threads/thread-000001");
    const all = await archive.threads.messages("thread-000001");
    expect(thread.messages.map(({ id }: { readonly id: string }) => id)).toEqual(all.map(({ id }) => id));
    const quoting = thread.messages.find(({ id }: { readonly id: string }) => id === "msg-000012");
    expect(quoting.parent).toBe("msg-000008");
    for (const [at, { text_length, parts }] of thread.messages.entries()) {
      expect(text_length).toBe(all[at]!.body.length);
      expect(parts.map(({ text }: { readonly text: string }) => text).join("")).toBe(all[at]!.body);
    }
    const rest = await dataOf("/threads/thread-000001", { offset: "2" });
    expect(rest.messages).toEqual(thread.messages.slice(2));
    expect((await get("/threads/thread-000099")).status).toBe(404);
  });
});

describe("GET /overview", () => {
  it("returns counts that add up, and a clause for each count", async () => {
    const overview = await dataOf("/overview");
    const { timeline, facets } = overview;
    expect(overview).toMatchObject({ name: "harbour", messages: MESSAGES.length, notebook: { revision: 0 } });
    expect(sum(timeline.bins) + timeline.stray + timeline.undated).toBe(MESSAGES.length);
    expect(timeline.first < timeline.last).toBe(true);
    const { seen, kept, duplicate, skipped, failed } = overview.counts;
    expect(seen).toBe(kept + duplicate + skipped + failed);
    expect(overview.sources).toHaveLength(overview.source_count);
    for (const { clause, count } of facets.flatMap(({ values }: { readonly values: unknown[] }) => values))
      expect((await dataOf("/messages", { q: clause })).total).toBe(count);
  });
});

describe("people and topics", () => {
  interface Counted {
    readonly clause: string;
    readonly messages: number;
  }
  const found = async (q: string): Promise<number> => (await dataOf("/messages", { q })).total;

  it("lists people with counts that their clauses find", async () => {
    const { total, people } = await dataOf("/people", { limit: "4" });
    expect(people).toHaveLength(4);
    expect(total).toBe(CONTACTS.length);
    for (const { sent, received, all } of people as Record<string, Counted>[])
      for (const { clause, messages } of [sent!, received!, all!]) expect(await found(clause)).toBe(messages);
    expect((await dataOf("/people", { search: "eloi" })).people).toMatchObject([{ name: "Éloi Brun" }]);
  });

  it("returns a person with periods, correspondents, topics and namesakes", async () => {
    const person = await dataOf("/people/contact-000003");
    expect(person.namesakes).toMatchObject([{ contact_id: "contact-000004", email: "bob@tide.example" }]);
    expect(person.namesakes[0].explanation).not.toBe("");
    expect(person.addresses).toEqual([{ address: "bob@harbour.example", reason: null }]);
    expect(person.counterparts.length).toBeGreaterThan(0);
    for (const { there, there_clause, back, back_clause } of person.counterparts)
      expect([await found(there_clause), await found(back_clause)]).toEqual([there, back]);
    for (const { clause, count } of person.facets.flatMap(({ values }: { readonly values: unknown[] }) => values))
      expect(await found(`${person.all.clause} ${clause}`)).toBe(count);
    const { sent_timeline: timeline, sent } = person;
    expect(sum(timeline.bins) + timeline.stray + timeline.undated).toBe(sent.messages);
    expect((await get("/people/contact-000099")).status).toBe(404);
  });

  it("disambiguates people with the same name by their addresses", async () => {
    const [from] = (await dataOf("/facets", { of: "from", limit: "50" })).facets;
    const labels = from.values.map(({ label }: { readonly label: string }) => label);
    expect(labels).toContainEqual(expect.stringMatching(/ <bob@harbour\.example>$/));
    expect(labels).toContainEqual(expect.stringMatching(/ <bob@tide\.example>$/));
    expect(labels).toContain("Éloi Brun");
    expect(new Set(labels).size).toBe(labels.length);
  });

  it("returns topics, and the largest conversations of a topic", async () => {
    const { topics } = await dataOf("/topics");
    for (const { clause, messages } of topics as Counted[]) expect(await found(clause)).toBe(messages);
    const topic = await dataOf("/topics/topic-001");
    expect(topic.threads.map(({ hits }: { readonly hits: number }) => hits)).toEqual(
      topic.threads.map(({ hits }: { readonly hits: number }) => hits).sort((a: number, b: number) => b - a),
    );
    expect(sum(topic.threads.map(({ hits }: { readonly hits: number }) => ({ count: hits })))).toBe(topic.messages);
  });

  it("lists mentions, and counts the results of their clauses", async () => {
    for (const kind of MENTION_KINDS) {
      const { total, mentions } = await dataOf("/mentions", { kind });
      expect([total, mentions.length]).toEqual([1, 1]);
      for (const { clause, messages } of mentions as Counted[]) expect(await found(clause)).toBe(messages);
    }
    expect(await dataOf("/mentions", { kind: "org", search: "KAI", q: "nowhere" })).toMatchObject({ total: 0 });
    expect(await dataOf("/mentions", { kind: "org", offset: "1" })).toEqual({ total: 1, mentions: [] });
    expect((await get("/mentions", { kind: "people" })).status).toBe(400);
    const { mentioned_by: by } = await dataOf("/people/contact-000006");
    expect(by.of).toBe("from");
    for (const { clause, count } of by.values) expect(await found(`mentions:contact-000006 ${clause}`)).toBe(count);
    expect(by.values.length).toBeGreaterThan(1);
  });

  it("lists the conversations of a query in any order, page by page", async () => {
    const { conversations } = await dataOf("/messages", { q: "rope" });
    for (const sort of ["newest", "oldest", "largest"]) {
      const pages = [
        await dataOf("/threads", { q: "rope", sort, limit: "2" }),
        await dataOf("/threads", { q: "rope", sort, offset: "2" }),
      ];
      const threads = pages.flatMap((page) => page.threads);
      expect(threads).toHaveLength(conversations);
      for (const { id, hits } of threads) expect(await found(`rope thread:${id}`)).toBe(hits);
      const dates = threads.map(({ first, last }) => (sort === "oldest" ? first : last));
      if (sort !== "largest")
        expect(dates).toEqual(sort === "newest" ? dates.toSorted().toReversed() : dates.toSorted());
    }
  });
});

describe("tables", () => {
  it("lists files of all mail, of a query, by name and type", async () => {
    const { total, attachments, types, files } = await dataOf("/files");
    const [message] = (await dataOf("/messages", { q: `id:${files[0].message_id}` })).messages;
    expect(files[0].subject).toBe(message.subject);
    expect([total, attachments, types]).toEqual([1, 1, [{ type: "pdf", count: 1 }]]);
    expect(files).toMatchObject([{ filename: "berth plan.pdf", messages: 1, message_id: "msg-000012", number: 1 }]);
    for (const query of [{ search: "BERTH" }, { type: "pdf" }, { q: "hawser" }])
      expect((await dataOf("/files", query)).total).toBe(1);
    for (const query of [{ search: "rope" }, { type: "image" }, { q: "rope" }])
      expect((await dataOf("/files", query)).files).toEqual([]);
  });

  it("returns no events and items from an archive without any", async () => {
    expect((await dataOf("/events", { sort: "newest", after: "2001" })).total).toBe(0);
    expect((await dataOf("/items", { kind: "task" })).total).toBe(0);
  });

  it("returns the graph, complete or around one person", async () => {
    const whole = await dataOf("/graph");
    expect(whole.nodes.id).toHaveLength(CONTACTS.length);
    expect(whole.nodes.x).toHaveLength(CONTACTS.length);
    const around = await dataOf("/graph", { person: "contact-000003", limit: "3" });
    expect(around.nodes.id).toContain("contact-000003");
    expect(around.nodes.id.length).toBe(Math.min(3, around.totals.contacts));
    expect((await get("/graph", { person: "contact-000099" })).status).toBe(404);
  });

  it("returns the graph of people seen in a period", async () => {
    const { nodes } = await dataOf("/graph");
    const days: string[] = nodes.first_seen.flatMap((at: number | null) =>
      at === null ? [] : [new Date(at * 1000).toISOString().slice(0, 10)],
    );
    const [after, before] = [days.toSorted().at(-1)!, days.toSorted()[0]!];
    const seen = (first: number, last: number): string[] =>
      nodes.id.filter(
        (_: string, at: number) =>
          nodes.first_seen[at] !== null && nodes.first_seen[at] <= last && nodes.last_seen[at] >= first,
      );
    const later = seen(Date.parse(after) / 1000, Number.POSITIVE_INFINITY);
    const earlier = seen(0, Date.parse(before) / 1000 + 86_399);
    expect(later.length + earlier.length).toBeLessThan(2 * nodes.id.length);
    expect((await dataOf("/graph", { after })).nodes.id).toEqual(later);
    expect((await dataOf("/graph", { before })).nodes.id).toEqual(earlier);
    expect((await dataOf("/graph", { before, limit: "1" })).nodes.id).toEqual(earlier.slice(0, 1));
    const around = await dataOf("/graph", { person: "contact-000003", before: "1971" });
    expect([around.nodes.id, around.ties.a]).toEqual([["contact-000003"], []]);
  });

  it.each([
    ["/graph", { after: "yesterday" }],
    ["/files", { type: "sculpture" }],
    ["/files", { sort: "colour" }],
    ["/events", { after: "yesterday" }],
    ["/items", { kind: "dream" }],
    ["/graph", { limit: "5001" }],
  ])("%s rejects %j", async (path, query) => {
    expect((await get(path, query)).body.error.code).toBe("INVALID_QUERY");
  });
});

describe("GET /suggest", () => {
  it.each([
    ["bro", { kind: "person", text: "person:eloi@harbour.example" }, false],
    ["brun", { kind: "person", text: "person:eloi@harbour.example" }, true],
    ["rope -from:eloi", { kind: "person", text: "-from:eloi@harbour.example" }, true],
    ["inb", { kind: "mailbox", text: 'mailbox:"INBOX"' }, true],
    ["lang", { kind: "operator", text: "lang:" }, true],
    ["type:pd", { kind: "value", text: "type:pdf" }, true],
    ["kind:ev", { kind: "value", text: "kind:event" }, true],
    ["-kind:out", { kind: "value", text: "-kind:out_of_office" }, true],
  ])("for %j", async (q, expected, isThere) => {
    const { start, end, suggestions } = await dataOf("/suggest", { q });
    expect(q.slice(start, end)).toBe(q.split(" ").at(-1));
    const matching = expect.objectContaining(expected);
    if (isThere) expect(suggestions).toContainEqual(matching);
    else expect(suggestions).not.toContainEqual(matching);
    for (const { text, count } of suggestions)
      if (count !== null) expect((await dataOf("/messages", { q: text })).total).toBeGreaterThan(0);
  });

  it("returns any page of hostile queries", async () => {
    for (const q of ['"'.repeat(4096), "(".repeat(4096), "constructor:", "a:".repeat(2000), ""])
      for (const at of ["0", "7", "4096"]) await dataOf("/suggest", { q, at });
  });
});

describe("POST /hits", () => {
  const post = (payload: unknown) =>
    app.inject({
      method: "POST",
      url: "/api/explore/hits",
      headers: { host: "127.0.0.1:8080", "content-type": "application/json" },
      payload: JSON.stringify(payload),
    });

  it("counts every query of a list", async () => {
    const queries = ["rope", "chain OR rope", "zebra", "", "is:undated"];
    const { data } = (await post({ queries })).json();
    for (const [at, { query, messages, conversations, first, last }] of data.hits.entries()) {
      expect(query).toBe(queries[at]);
      const page = await dataOf("/messages", { q: query });
      expect([messages, conversations]).toEqual([page.total, page.conversations]);
      expect(first === null).toBe(messages === 0 || query === "is:undated");
      expect(first === null || first <= last).toBe(true);
    }
  });

  it.each([
    { queries: [] },
    { queries: ["a"], match: "some" },
    { queries: Array.from({ length: 501 }, () => "a") },
    { queries: ["a".repeat(4097)] },
    {},
  ])("rejects a wrong body", async (body) => {
    expect((await post(body)).json().error.code).toBe("INVALID_QUERY");
  });

  it("counts the queries of a list that is too long", async () => {
    const body = { queries: Array.from({ length: 501 }, () => "a") };
    expect((await post(body)).json().error.message).toBe("queries must be 1 to 500 queries, not 501");
  });
});

describe("counts agree with messages", () => {
  it.each(["", "mooring", "chain OR rope", "from:ann@harbour.example", "-is:undated rope", "topic:topic-001", "zebra"])(
    "of %j",
    async (q) => {
      const { total } = await dataOf("/messages", { q });
      const { facets } = await dataOf("/facets", { q, limit: "2" });
      for (const facet of facets) {
        const counted = sum(facet.values) + facet.other + facet.none;
        if (!facet.is_multiple) expect(counted).toBe(facet.total);
        const known = q.includes(`${facet.of}:`);
        if (!known) expect(facet.total).toBe(total);
        for (const { clause, count } of facet.values) {
          const clicked = known ? clause : `${q === "" ? "" : `(${q})`} ${clause}`;
          expect((await dataOf("/messages", { q: clicked })).total, clause).toBe(count);
        }
      }
      const timeline = await dataOf("/timeline", { q });
      expect(sum(timeline.bins) + timeline.stray + timeline.undated).toBe(total);
      const exported = await archive.search.matching(q);
      if (q !== "zebra") expect(exported).toHaveLength(total);
    },
  );
});

it("has its own openapi.json, and returns errors for unknown paths", async () => {
  const response = await app.inject({ url: "/api/explore/openapi.json", headers: { host: "127.0.0.1:8080" } });
  expect(Object.keys(response.json().paths)).toEqual(EXPLORE_API.routes.map(({ path }) => path));
  expect((await get("/nothing")).body.error.code).toBe("NOT_FOUND");
});

describe("the notebook", () => {
  const ORIGIN = { origin: "http://127.0.0.1:8080" };
  async function post(path: string, payload: unknown, headers: Record<string, string> = ORIGIN) {
    const response = await app.inject({
      method: "POST",
      url: `/api/explore/notebook${path}`,
      headers: { host: "127.0.0.1:8080", "content-type": "application/json", ...headers },
      payload: JSON.stringify(payload),
    });
    return { status: response.statusCode, body: response.json() };
  }
  const listed = async (query: Record<string, string> = {}) =>
    notebookSchema.strict().parse((await get("/notebook", query)).body.data);
  const mark = (...tags: string[]) => ({ tags, note: "see «this»", review: "relevant" });

  it("stores marks, searches and tags, and finds tagged messages", async () => {
    const things = [
      { kind: "message", id: "msg-000012", value: mark("press") },
      { kind: "thread", id: "thread-000002", value: mark("press", "later") },
      { kind: "person", id: "contact-000002", value: mark() },
      { kind: "topic", id: "topic-001", value: mark() },
      { kind: "search", id: "ropes", value: { q: "rope", match: "all", sort: "newest" } },
      { kind: "tag", id: "press", value: { color: "#aa3300", digit: 1 } },
    ];
    for (const thing of things) {
      const { status, body } = await post("/entries", { ...thing, revision: 0 });
      expect([status, body.data.entry.id]).toEqual([200, thing.id]);
    }
    const { entries, tags } = await listed();
    expect(entries.map(({ kind, id, value }) => ({ kind, id, value }))).toEqual(expect.arrayContaining(things));
    expect(tags).toEqual([
      { name: "press", count: 2 },
      { name: "later", count: 1 },
    ]);
    expect((await listed({ tag: "later" })).entries.map(({ id }) => id)).toEqual(["thread-000002"]);
    expect((await listed({ kind: "search" })).total).toBe(1);
  });

  it("rejects a write based on an outdated revision, and deletes an entry", async () => {
    const [entry] = (await listed({ kind: "message" })).entries;
    const written = { kind: "message", id: "msg-000012", value: mark("mine") };
    const first = await post("/entries", { ...written, revision: entry!.revision });
    expect(first.status).toBe(200);
    const second = await post("/entries", { ...written, revision: entry!.revision });
    expect([second.status, second.body.error.code]).toEqual([409, "NOTEBOOK_CHANGED"]);
    const { revision } = first.body.data.entry;
    expect((await post("/entries", { ...written, value: null, revision })).body.data).toEqual({ entry: null });
    expect((await listed({ kind: "message" })).entries).toEqual([]);
  });

  it("returns the marks of entities on a page", async () => {
    const marks = async (kind: string, ids: string) =>
      marksSchema.strict().parse((await get("/notebook/marks", { kind, ids })).body.data).marks;
    const { revision } = (await listed({ kind: "thread" })).entries[0]!;
    expect(await marks("thread", "thread-000001,thread-000002,thread-999999")).toEqual([
      { id: "thread-000002", revision, value: mark("press", "later") },
    ]);
    expect((await marks("person", "contact-000002,contact-000001")).map(({ id }) => id)).toEqual(["contact-000002"]);
    const many = Array.from({ length: 201 }, (_, at) => `msg-${at}`).join(",");
    for (const query of [{ kind: "tag", ids: "press" }, { kind: "message" }, { kind: "message", ids: many }])
      expect((await get("/notebook/marks", query as Record<string, string>)).body.error.code).toBe("INVALID_QUERY");
  });

  it("tags many messages at once, by id or by query, and changes nothing the second time", async () => {
    const tag = (change: object) => post("/tags", { kind: "message", tag: "many", is_set: true, ...change });
    expect((await tag({ ids: ["msg-000001", "msg-000002", "msg-999999"] })).body.data).toEqual({ changed: 2 });
    expect((await tag({ q: "thread:thread-000001" })).body.data).toEqual({ changed: 6 - (await alreadyTagged()) });
    expect((await tag({ q: "thread:thread-000001" })).body.data).toEqual({ changed: 0 });
    const all = (await listed({ tag: "many" })).total;
    expect((await tag({ q: "", is_set: false })).body.data).toEqual({ changed: all });
    expect((await listed({ tag: "many" })).total).toBe(0);
    for (const wrong of [{}, { ids: [], q: "" }, { q: "", kind: "person" }, { ids: ["msg-000001"], tag: " " }])
      expect((await tag(wrong)).body.error.code).toBe("INVALID_QUERY");

    async function alreadyTagged(): Promise<number> {
      const found = (await get("/messages", { q: "thread:thread-000001" })).body.data.messages as { id: string }[];
      return found.filter(({ id }) => id === "msg-000001" || id === "msg-000002").length;
    }
  });

  it("treats spellings of a tag as one", async () => {
    const tag = (name: string, change: object) =>
      post("/tags", { kind: "message", tag: name, is_set: true, ...change }).then(({ body }) => body.data.changed);
    expect(await tag("Évian", { ids: ["msg-000001", "msg-000002"] })).toBe(2);
    expect(await tag("EVIAN", { ids: ["msg-000002", "msg-000003"] })).toBe(1);
    const counted = async () =>
      (await listed({})).tags.filter(({ name }: { readonly name: string }) => /^[ée]vian$/i.test(name));
    expect(await counted()).toEqual([{ name: "Évian", count: 3 }]);
    expect((await listed({ tag: "evian" })).total).toBe(3);
    // A tag in another spelling, from an earlier or another notebook, is the same tag.
    const other = { kind: "message", key: "carried@harbour.example\n00", updated_at: "2001-01-01T00:00:00Z" };
    const value = { tags: ["EVIAN", "Évian"], note: "", review: "open" };
    await post("/import", { format: "archivetool-notebook", version: 1, entries: [{ ...other, value }] });
    expect(await counted()).toEqual([{ name: "Évian", count: 4 }]);
    const [facet] = (await dataOf("/facets", { of: "tag" })).facets;
    expect(facet.values).toContainEqual({ clause: 'tag:"Évian"', label: "Évian", count: 3 });
    expect(await tag("évian", { q: "", is_set: false })).toBe(3);
  });

  it("exports and imports JSON", async () => {
    const exported = (await get("/notebook/export")).body;
    expect(exported.format).toBe("archivetool-notebook");
    const again = await post("/import", exported);
    expect(again.body.data).toEqual({ taken: 0, kept: exported.entries.length });
    const newer = exported.entries.map((entry: object) => ({ ...entry, updated_at: "2999-01-01T00:00:00Z" }));
    expect((await post("/import", { ...exported, entries: newer })).body.data.taken).toBe(newer.length);
  });

  it("can be written only from the page's origin", async () => {
    const thing = { kind: "tag", id: "x", revision: 0, value: { color: "#000000", digit: null } };
    for (const headers of [{}, { origin: "http://evil.example" }, { origin: "null" }] as Record<string, string>[]) {
      const { status, body } = await post("/entries", thing, headers);
      expect([status, body.error.code]).toEqual([400, "INVALID_QUERY"]);
    }
  });

  it.each([
    [{ kind: "message", id: "msg-000099", revision: 0, value: mark() }, "NOT_FOUND"],
    [{ kind: "message", id: "msg-000001", revision: 0, value: { tags: [] } }, "INVALID_QUERY"],
    [{ kind: "message", id: "msg-000001", revision: -1, value: mark() }, "INVALID_QUERY"],
    [{ kind: "dream", id: "a", revision: 0, value: null }, "INVALID_QUERY"],
    [{ kind: "tag", id: "a", revision: 0, value: { color: "red", digit: null } }, "INVALID_QUERY"],
    [[], "INVALID_QUERY"],
  ])("rejects %j", async (body, code) => {
    expect((await post("/entries", body)).body.error.code).toBe(code);
  });
});
