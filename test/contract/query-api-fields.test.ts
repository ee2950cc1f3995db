import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { QUERY_ROUTES } from "../../src/http/query-api/routes.ts";
import { ApiClient } from "./api-client.ts";

/** The field tables of the specification, row by row. */

type Check = (value: unknown) => boolean;
const text: Check = (value) => typeof value === "string";
const integer: Check = (value) => Number.isInteger(value) && (value as number) >= 0;
/** At most 6 significant digits. */
const number: Check = (value) =>
  typeof value === "number" && Number.isFinite(value) && Number(value.toPrecision(6)) === value;
const date: Check = (value) => typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value);
const dateOrNull: Check = (value) => value === null || date(value);
const texts: Check = (value) => Array.isArray(value) && value.every(text);
const oneOf =
  (...words: string[]): Check =>
  (value) =>
    words.includes(value as string);
const id =
  (form: RegExp): Check =>
  (value) =>
    text(value) && form.test(value as string);
const record =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    typeof value === "object" && value !== null && faults(value, fields).length === 0;
const records =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    Array.isArray(value) && value.every(record(fields));

/** Missing, wrong and excess values. */
function faults(value: object, fields: Readonly<Record<string, Check>>): readonly string[] {
  const all = new Set([...Object.keys(value), ...Object.keys(fields)]);
  return Array.from(all).filter((name) => !(fields[name]?.((value as Record<string, unknown>)[name]) ?? false));
}

const MESSAGE_ID = id(/^msg-\d{6}$/);
const THREAD_ID = id(/^thread-\d{6}$/);
const TOPIC_ID = id(/^topic-\d{3}$/);
const CONTACT_ID = id(/^contact-\d{6}$/);

const PAGINATION = { total: integer, limit: integer, offset: integer, pages: integer };
const CONTACT = {
  id: CONTACT_ID,
  name: text,
  email: text,
  message_count: integer,
  frequency: oneOf("high", "medium", "low"),
  last_seen: dateOrNull,
  first_seen: dateOrNull,
  sentiment: oneOf("positive", "neutral", "negative"),
  community_id: id(/^community-\d{2}$/),
  authority_score: number,
  hub_score: number,
};
const MESSAGE = {
  id: MESSAGE_ID,
  thread_id: THREAD_ID,
  from_email: text,
  to_emails: texts,
  subject: text,
  body: text,
  body_tokens: integer,
  sent_at: dateOrNull,
  received_at: dateOrNull,
  topic_id: TOPIC_ID,
};
const ATTACHMENT = {
  id: text,
  filename: text,
  media_type: text,
  size_bytes: integer,
  sha256: id(/^[0-9a-f]{64}$/),
  disposition: oneOf("attachment", "inline"),
  content_id: (value: unknown) => value === null || text(value),
  path: (value: unknown) => value === null || text(value),
};
const TOPIC = {
  id: TOPIC_ID,
  name: text,
  description: text,
  message_count: integer,
  top_keywords: texts,
  created_at: date,
};
const THREAD = {
  id: THREAD_ID,
  subject: text,
  message_count: integer,
  participants: texts,
  date_range: record({ first_message: dateOrNull, last_message: dateOrNull }),
  topic_id: TOPIC_ID,
};
const DATE_RANGE = record({ earliest: dateOrNull, latest: dateOrNull });

const LIST_ROUTES = [
  { url: "/contacts", key: "contacts", fields: CONTACT, items: 6 },
  { url: "/messages", key: "messages", fields: MESSAGE, items: 24 },
  { url: "/threads", key: "threads", fields: THREAD, items: 5 },
] as const;

const OBJECT_ROUTES = [
  {
    url: "/health",
    fields: { version: oneOf("0.5.0"), uptime_ms: integer, environment: oneOf("contract") },
  },
  {
    url: "/contacts/contact-000001",
    fields: { ...CONTACT, message_ids: texts, common_topics: records({ topic_id: TOPIC_ID, frequency: integer }) },
  },
  {
    url: "/messages/msg-000012",
    fields: {
      ...MESSAGE,
      sender_email: (value: unknown) => value === null || text(value),
      kind: text,
      cc_emails: texts,
      bcc_emails: texts,
      thread_messages: texts,
      quotes: texts,
      attachments: records(ATTACHMENT),
    },
  },
  {
    url: "/topics/topic-001",
    fields: {
      ...TOPIC,
      key_contacts: records({ contact_id: CONTACT_ID, name: text, frequency: integer }),
      message_ids: texts,
      date_range: DATE_RANGE,
    },
  },
  {
    url: "/threads/thread-000002/messages",
    fields: {
      thread_id: THREAD_ID,
      subject: text,
      messages: records({
        id: MESSAGE_ID,
        from_email: text,
        to_emails: texts,
        subject: text,
        body: text,
        sent_at: dateOrNull,
      }),
    },
  },
  {
    url: "/stats",
    fields: {
      total_messages: integer,
      total_contacts: integer,
      total_topics: integer,
      total_threads: integer,
      pii_redactions: integer,
      date_range: DATE_RANGE,
      extraction_timestamp: date,
      pipeline_version: oneOf("0.5.0"),
    },
  },
] as const;

let api: ApiClient;
beforeAll(async () => {
  api = await ApiClient.start();
});
afterAll(() => api.stop());

it.each(LIST_ROUTES)(
  "$url lists records of the fields in its table, and the pagination object",
  async ({ url, key, fields, items }) => {
    const { status, data } = await api.get<Record<string, readonly object[]>>(url);
    expect(status).toBe(200);
    expect(Object.keys(data)).toEqual([key, "pagination"]);
    expect(data[key]).toHaveLength(items);
    for (const item of data[key] ?? []) expect(faults(item, fields)).toEqual([]);
    expect(faults(data["pagination"] ?? {}, PAGINATION)).toEqual([]);
  },
);

it("/topics lists topics and their total", async () => {
  const { data } = await api.get<{ readonly topics: readonly object[]; readonly total: number }>("/topics");
  expect(Object.keys(data)).toEqual(["topics", "total"]);
  expect(data.total).toBe(4);
  expect(data.topics).toHaveLength(4);
  for (const topic of data.topics) expect(faults(topic, TOPIC)).toEqual([]);
});

it.each(OBJECT_ROUTES)("$url answers with the fields of its table", async ({ url, fields }) => {
  const { status, data } = await api.get<object>(url);
  expect(status).toBe(200);
  expect(faults(data, fields)).toEqual([]);
});

it("POST /search answers with query, results, matched and query_time_ms", async () => {
  const { data } = await api.search<{ readonly results: readonly object[] }>({ query: " mooring " });
  expect(
    faults(data, {
      query: oneOf(" mooring "),
      matched: oneOf("all"),
      query_time_ms: integer,
      results: records({
        message_id: MESSAGE_ID,
        rank: integer,
        score: number,
        snippet: text,
        from_email: text,
        subject: text,
        sent_at: dateOrNull,
      }),
    }),
  ).toEqual([]);
  expect(data.results).toHaveLength(20);
});

describe("values", () => {
  it("of a message: the list collapses white space, the detail keeps line breaks", async () => {
    const list = await api.get<{ readonly messages: readonly { readonly id: string; readonly body: string }[] }>(
      "/messages",
    );
    const detail = await api.get<Record<string, unknown>>("/messages/msg-000012");
    expect(list.data.messages.find((message) => message.id === "msg-000012")?.body).toBe(
      "The pilot boat waits at <b>berth</b> twelve. Bring the hawser.",
    );
    expect(detail.data).toMatchObject({
      body: "The pilot boat\n\n  waits\tat <b>berth</b> twelve.\nBring the hawser.",
      from_email: "ann@harbour.example",
      to_emails: ["eloi@harbour.example"],
      cc_emails: ["bob@harbour.example"],
      bcc_emails: ["bob@harbour.example"],
      body_tokens: 12,
      sent_at: "2001-05-20T16:39:00Z",
      received_at: "2001-05-20T16:40:30Z",
      attachments: [{ filename: "berth plan.pdf", media_type: "application/pdf", size_bytes: 1234 }],
    });
  });

  it("of a message: quotes are the ids of the messages that it quotes", async () => {
    const { data } = await api.get<{ readonly quotes: readonly string[] }>("/messages/msg-000012");
    expect(data.quotes).toEqual(["msg-000008", "msg-000004"]);
  });

  it("of a message: thread_messages are the ids of the thread, oldest first, undated last", async () => {
    const { data } = await api.get<{ readonly thread_messages: readonly string[] }>("/messages/msg-000012");
    expect(data.thread_messages).toEqual([
      "msg-000004",
      "msg-000008",
      "msg-000012",
      "msg-000016",
      "msg-000024",
      "msg-000020",
    ]);
  });

  it("that are unknown: no author is an empty address, no date is null", async () => {
    expect((await api.get("/messages/msg-000007")).data).toMatchObject({ from_email: "" });
    expect((await api.get("/messages/msg-000010")).data).toMatchObject({ sent_at: null, received_at: null });
  });

  it("of a contact: its messages and how often it writes of each topic", async () => {
    const { data } = await api.get<Record<string, readonly unknown[]>>("/contacts/contact-000001");
    expect(data["message_ids"]?.toSorted()).toEqual(
      ["05", "06", "11", "12", "17", "18", "23", "24"].map((number) => `msg-0000${number}`),
    );
    expect(data["common_topics"]).toEqual([
      { topic_id: "topic-000", frequency: 4 },
      { topic_id: "topic-002", frequency: 4 },
    ]);
    expect(data).toMatchObject({ authority_score: 0.123457, hub_score: 0.987654 });
  });

  it("of a topic: dates of its first and last message, newest message first", async () => {
    const { data } = await api.get<{ readonly message_ids: readonly string[]; readonly date_range: unknown }>(
      "/topics/topic-001",
    );
    expect(data.date_range).toEqual({ earliest: "2001-05-14T16:39:00Z", latest: "2001-05-25T16:39:00Z" });
    expect(data.message_ids).toEqual(
      ["22", "19", "16", "13", "07", "04", "01", "10"].map((number) => `msg-0000${number}`),
    );
  });

  it("of the statistics", async () => {
    expect((await api.get("/stats")).data).toEqual({
      total_messages: 24,
      total_contacts: 6,
      total_topics: 4,
      total_threads: 5,
      pii_redactions: 4,
      date_range: { earliest: "2001-05-14T16:39:00Z", latest: "2001-05-26T16:39:00Z" },
      extraction_timestamp: "2004-11-09T11:33:20Z",
      pipeline_version: "0.5.0",
    });
  });
});

describe("openapi.json", () => {
  it("describes exactly the eleven routes", () => {
    const described = Object.entries(api.document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(api.document.openapi).toBe("3.1.0");
    expect(described).toHaveLength(11);
    expect(described).toEqual(QUERY_ROUTES.map(({ method, path }) => `${method} ${path}`));
  });

  it("has no envelope, and contains every schema it references", async () => {
    const text = (await api.app.inject("/openapi.json")).body;
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      expect(api.document.components.schemas[name!], name).toBeDefined();
    }
    expect(JSON.parse(text).status).toBeUndefined();
  });

  it("has a unique operationId for each route", () => {
    const names = Object.values(api.document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(new Set(names).size).toBe(11);
  });
});

describe("guarantees for clients", () => {
  it("gets 304 for an archive it has seen, after the request was checked", async () => {
    const { headers } = await api.get("/messages");
    const tag = String(headers["etag"]);
    expect(tag).toMatch(/^W\/".+"$/);
    const again = await api.app.inject({ url: "/messages", headers: { "if-none-match": `"other", ${tag}` } });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
    expect((await api.get("/messages/none", { "if-none-match": tag })).status).toBe(404);
    expect((await api.get("/messages?limit=0", { "if-none-match": tag })).status).toBe(400);
    expect((await api.get("/health")).headers["etag"]).toBeUndefined();
  });

  it("compresses large responses on request", async () => {
    const plain = await api.app.inject({ url: "/messages" });
    const packed = await api.app.inject({ url: "/messages", headers: { "accept-encoding": "gzip" } });
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(packed.headers["content-encoding"]).toBe("gzip");
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
  });

  it("supports HEAD for every GET route", async () => {
    const head = await api.app.inject({ method: "HEAD", url: "/stats" });
    expect([head.statusCode, head.body]).toEqual([200, ""]);
  });
});
