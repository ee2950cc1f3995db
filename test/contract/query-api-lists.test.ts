import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PaginationWire } from "../../src/http/query-api/wire.ts";
import { foldKey } from "../../src/mail/words/fold-key.ts";
import { ApiClient } from "./api-client.ts";
import { CONTACTS, MESSAGES, THREADS, TOPICS } from "./contract-archive.ts";

/** The table of query parameters, row by row. */

interface Item {
  readonly id: string;
  readonly from_email: string;
  readonly subject: string;
}
type Listed = Readonly<Record<"contacts" | "messages" | "threads", readonly Item[]>> & {
  readonly pagination: PaginationWire;
};

let api: ApiClient;
beforeAll(async () => {
  api = await ApiClient.start();
});
afterAll(() => api.stop());

const name = (kind: string, ordinal: number): string =>
  `${kind}-${String(ordinal).padStart(kind === "topic" ? 3 : 6, "0")}`;
const ordinals = (ids: readonly string[]): readonly number[] => ids.map((id) => Number(id.split("-")[1]));

/** Concatenated pages. */
async function allPages(
  kind: "contacts" | "messages" | "threads",
  query: string,
  limit: number,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let offset = 0; ; offset += limit) {
    const { data } = await api.get<Listed>(`/${kind}?${query}&limit=${limit}&offset=${offset}`);
    expect(data.pagination).toEqual({
      ...data.pagination,
      limit,
      offset,
      pages: Math.ceil(data.pagination.total / limit),
    });
    ids.push(...data[kind].map((item) => item.id));
    if (data[kind].length < limit) return ids;
  }
}

/** Descending, undated last, ties by id. */
const newestFirst = (left: { at: number | null; id: number }, right: { at: number | null; id: number }): number =>
  (right.at ?? Number.NEGATIVE_INFINITY) - (left.at ?? Number.NEGATIVE_INFINITY) || left.id - right.id || 0;
const byKey = (left: { key: string; id: number }, right: { key: string; id: number }): number =>
  Buffer.compare(Buffer.from(left.key), Buffer.from(right.key)) || left.id - right.id;

const dated = (rows: readonly { readonly ordinal: number; readonly at: number | null }[]): readonly number[] =>
  rows
    .map(({ ordinal, at }) => ({ id: ordinal, at }))
    .sort((a, b) => (a.at === b.at ? a.id - b.id : newestFirst(a, b)))
    .map(({ id }) => id);
const keyed = (rows: readonly { readonly ordinal: number; readonly key: string }[]): readonly number[] =>
  rows
    .map(({ ordinal, key }) => ({ id: ordinal, key }))
    .sort(byKey)
    .map(({ id }) => id);

const SORTS = [
  {
    kind: "contacts",
    sort: "frequency",
    expected: dated(CONTACTS.map(({ ordinal, messageCount }) => ({ ordinal, at: messageCount }))),
  },
  {
    kind: "contacts",
    sort: "name",
    expected: keyed(CONTACTS.map((row) => ({ ordinal: row.ordinal, key: foldKey(row.name) }))),
  },
  {
    kind: "contacts",
    sort: "last_seen",
    expected: dated(CONTACTS.map(({ ordinal, lastSeen }) => ({ ordinal, at: lastSeen }))),
  },
  {
    kind: "messages",
    sort: "sent_at",
    expected: dated(MESSAGES.map(({ ordinal, sentAt }) => ({ ordinal, at: sentAt }))),
  },
  {
    kind: "messages",
    sort: "subject",
    expected: keyed(MESSAGES.map((row) => ({ ordinal: row.ordinal, key: foldKey(row.subject) }))),
  },
  {
    kind: "messages",
    sort: "from",
    expected: keyed(MESSAGES.map((row) => ({ ordinal: row.ordinal, key: foldKey(row.from?.email ?? "") }))),
  },
] as const;

describe("sort", () => {
  it.each(SORTS)(
    "$kind by $sort: the order of the decisions, ties by id, pages without overlap",
    async ({ kind, sort, expected }) => {
      for (const limit of [1, 5, 1000]) expect(ordinals(await allPages(kind, `sort=${sort}`, limit))).toEqual(expected);
    },
  );

  it("has ties in every order, so that the test above is meaningful", () => {
    const keys: readonly (readonly (number | string | null)[])[] = [
      CONTACTS.map(({ messageCount }) => messageCount),
      CONTACTS.map((row) => foldKey(row.name)),
      CONTACTS.map(({ lastSeen }) => lastSeen),
      MESSAGES.map(({ sentAt }) => sentAt),
      MESSAGES.map((row) => foldKey(row.subject)),
      MESSAGES.map((row) => foldKey(row.from?.email ?? "")),
      TOPICS.map(({ messageCount }) => messageCount),
      TOPICS.map((row) => foldKey(row.name)),
      THREADS.map(({ lastMessage }) => lastMessage),
    ];
    for (const values of keys) expect(new Set(values).size).toBeLessThan(values.length);
  });

  it("threads by last message, newest first, undated last", async () => {
    const expected = dated(THREADS.map(({ ordinal, lastMessage }) => ({ ordinal, at: lastMessage })));
    for (const limit of [1, 2, 1000]) expect(ordinals(await allPages("threads", "", limit))).toEqual(expected);
  });

  it.each<[string, readonly number[]]>([
    ["frequency", dated(TOPICS.map(({ ordinal, messageCount }) => ({ ordinal, at: messageCount })))],
    ["name", keyed(TOPICS.map((row) => ({ ordinal: row.ordinal, key: foldKey(row.name) })))],
  ])("topics by %s", async (sort, expected) => {
    const { data } = await api.get<{ readonly topics: readonly Item[]; readonly total: number }>(
      `/topics?sort=${sort}`,
    );
    expect(ordinals(data.topics.map(({ id }) => id))).toEqual(expected);
    const first = await api.get<{ readonly topics: readonly Item[]; readonly total: number }>(
      `/topics?sort=${sort}&limit=2`,
    );
    expect(ordinals(first.data.topics.map(({ id }) => id))).toEqual(expected.slice(0, 2));
    expect(first.data.total).toBe(4);
  });
});

describe("defaults", () => {
  it.each([
    ["/contacts", 100],
    ["/messages", 50],
    ["/threads", 50],
  ])("%s: limit %i, offset 0", async (url, limit) => {
    const { data } = await api.get<Listed>(url);
    expect(data.pagination).toMatchObject({ limit, offset: 0 });
  });

  it.each([
    ["/contacts", "frequency"],
    ["/messages", "sent_at"],
    ["/topics", "frequency"],
  ])("%s: sort %s", async (url, sort) => {
    expect((await api.get(url)).data).toEqual((await api.get(`${url}?sort=${sort}`)).data);
  });

  it("are the same in openapi.json and in the specification", () => {
    const defaults = Object.entries(api.document.paths).flatMap(([path, { get }]) =>
      (get?.parameters ?? [])
        .filter((one) => one.in === "query")
        .map(({ name: parameter, schema }) => [path, parameter, schema["default"]]),
    );
    expect(defaults).toEqual([
      ["/contacts", "limit", 100],
      ["/contacts", "offset", 0],
      ["/contacts", "sort", "frequency"],
      ["/contacts", "search", undefined],
      ["/messages", "limit", 50],
      ["/messages", "offset", 0],
      ["/messages", "sort", "sent_at"],
      ["/messages", "from", undefined],
      ["/messages", "thread_id", undefined],
      ["/messages", "topic_id", undefined],
      ["/topics", "limit", 50],
      ["/topics", "sort", "frequency"],
      ["/threads", "limit", 50],
      ["/threads", "offset", 0],
    ]);
  });
});

describe("pagination", () => {
  it.each([
    ["limit=5", { total: 24, limit: 5, offset: 0, pages: 5 }],
    ["limit=24", { total: 24, limit: 24, offset: 0, pages: 1 }],
    ["limit=1000&offset=2147483647", { total: 24, limit: 1000, offset: 2147483647, pages: 1 }],
    ["from=nobody@example.org", { total: 0, limit: 50, offset: 0, pages: 0 }],
  ])("of /messages?%s", async (query, expected) => {
    expect((await api.get<Listed>(`/messages?${query}`)).data.pagination).toEqual(expected);
  });

  it("returns an empty page beyond the end", async () => {
    for (const kind of ["contacts", "messages", "threads"] as const) {
      expect((await api.get<Listed>(`/${kind}?offset=1000`)).data[kind]).toEqual([]);
    }
  });
});

describe("filters of /messages", () => {
  const sentBy = (contact: number): readonly string[] =>
    MESSAGES.filter(({ fromContact }) => fromContact === contact).map(({ ordinal }) => name("msg", ordinal));

  it.each([
    ["from=eloi@harbour.example", sentBy(2)],
    ["from=ELOI@Harbour.EXAMPLE", sentBy(2)],
    ["from=ann.quay%40harbour.example", sentBy(1)],
    ["from=ann@harbour.example", sentBy(1)],
    ["from=ann@harbour", []],
    ["from=Ann+Quay", []],
    [
      "thread_id=thread-000002",
      MESSAGES.filter(({ thread }) => thread === 2).map(({ ordinal }) => name("msg", ordinal)),
    ],
    ["thread_id=thread-999999", []],
    ["thread_id=2", []],
    ["topic_id=topic-001", MESSAGES.filter(({ topic }) => topic === 1).map(({ ordinal }) => name("msg", ordinal))],
    ["topic_id=topic-000", MESSAGES.filter(({ topic }) => topic === 0).map(({ ordinal }) => name("msg", ordinal))],
    ["topic_id=nothing", []],
    [
      "from=ann@harbour.example&topic_id=topic-000&thread_id=thread-000001",
      MESSAGES.filter((row) => row.fromContact === 1 && row.topic === 0 && row.thread === 1).map(({ ordinal }) =>
        name("msg", ordinal),
      ),
    ],
  ])("%s", async (query, expected) => {
    for (const sort of ["sent_at", "subject", "from"]) {
      const { status, data } = await api.get<Listed>(`/messages?${query}&sort=${sort}`);
      expect(status).toBe(200);
      expect(data.messages.map(({ id }) => id).toSorted()).toEqual(expected);
      expect(data.pagination.total).toBe(expected.length);
    }
  });

  it("that are empty are ignored", async () => {
    const { data } = await api.get<Listed>("/messages?from=&thread_id=&topic_id=");
    expect(data.pagination.total).toBe(24);
    expect((await api.get<Listed>("/contacts?search=")).data.pagination.total).toBe(6);
  });
});

describe("search of /contacts", () => {
  it.each([
    ["tide", [3, 4]],
    ["TIDE", [3, 4]],
    ["eloi", [2]],
    ["%C3%89LOI", [2]],
    ["zoe", [6]],
    ["pilots.example", [5]],
    ["harbour.example", [1, 2, 3, 6]],
    ["%25", []],
    ["_", []],
    ["%00", null],
    ["nobody", []],
  ])("search=%s", async (search, expected) => {
    const { status, data } = await api.get<Listed>(`/contacts?search=${search}`);
    expect(status).toBe(200);
    if (expected === null) return;
    expect(ordinals(data.contacts.map(({ id }) => id)).toSorted()).toEqual(expected);
    expect(data.pagination.total).toBe(expected.length);
  });
});

it("ignores unknown parameters, also repeated ones", async () => {
  const { status, data } = await api.get<Listed>("/messages?color=red&color=blue&__proto__=1&constructor=2&limit=1");
  expect(status).toBe(200);
  expect(data.messages).toHaveLength(1);
});
