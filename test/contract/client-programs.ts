/** Programs that a user of the query API could write with a client generated from openapi.json. */

/**
 * Uses every route with correct types and checks the data of the contract archive; its argument is the address of the
 * server.
 */
export const RIGHT_PROGRAM = `import assert from "node:assert/strict";
import type { Api, Contact, Pagination } from "./api.ts";
import { Client } from "./client.ts";

const client = new Client(process.argv[2] ?? "");

/** A missing or an additional route is a type error. */
const answers: { readonly [K in keyof Api]: Api[K]["answer"] } = {
  getHealth: await client.getHealth(),
  getContacts: await client.getContacts({ query: { limit: 2, offset: 1, sort: "name", search: "harbour" } }),
  getContactsByContactId: await client.getContactsByContactId({ path: { contact_id: "contact-000001" } }),
  getMessages: await client.getMessages({ query: { limit: 3, sort: "subject", thread_id: "thread-000001", topic_id: "topic-001" } }),
  getMessagesByMessageId: await client.getMessagesByMessageId({ path: { message_id: "msg-000012" } }),
  postSearch: await client.postSearch({ body: { query: "pilot hawser", limit: 5, filters: { date_from: "2001-05-01", topic_id: "topic-000" } } }),
  getTopics: await client.getTopics({ query: { sort: "name", limit: 10 } }),
  getTopicsByTopicId: await client.getTopicsByTopicId({ path: { topic_id: "topic-001" } }),
  getThreads: await client.getThreads(),
  getThreadsByThreadIdMessages: await client.getThreadsByThreadIdMessages({ path: { thread_id: "thread-000001" } }),
  getStats: await client.getStats(),
};

type Data<K extends keyof Api> = Extract<Api[K]["answer"], { status: "ok" }>["data"];
function dataOf<K extends keyof Api>(operation: K): Data<K> {
  const answer: Api[keyof Api]["answer"] = answers[operation];
  assert.ok(answer.status === "ok", operation + ": " + JSON.stringify(answer));
  assert.ok(Math.abs(Date.parse(answer.timestamp) - Date.now()) < 3_600_000);
  return answer.data as Data<K>;
}

assert.equal(dataOf("getHealth").environment, "contract");

const { contacts, pagination } = dataOf("getContacts");
const page: Pagination = pagination;
assert.deepEqual({ limit: page.limit, offset: page.offset, pages: page.pages }, { limit: 2, offset: 1, pages: Math.ceil(page.total / 2) });
const names: readonly string[] = contacts.map(({ name }: Contact) => name);
assert.equal(names.length, 2);
assert.ok(contacts.every(({ email, name }) => (email + name).toLowerCase().includes("harbour")));

const contact = dataOf("getContactsByContactId");
const frequency: "high" | "medium" | "low" = contact.frequency;
assert.deepEqual([contact.name, contact.email, frequency], ["Ann Quay", "ann@harbour.example", "high"]);
assert.ok(contact.common_topics.every(({ frequency }) => frequency.toFixed(0) !== "0"));

const { messages } = dataOf("getMessages");
assert.ok(messages.length > 0);
assert.ok(messages.every((message) => message.thread_id === "thread-000001" && message.topic_id === "topic-001"));

const message = dataOf("getMessagesByMessageId");
const sentAt: string | null = message.sent_at;
assert.equal(sentAt, "2001-05-20T16:39:00Z");
assert.deepEqual(message.attachments.map(({ filename, size_bytes }) => [filename, size_bytes + 1]), [["berth plan.pdf", 1235]]);
assert.ok(message.thread_messages.includes(message.id));

const found = dataOf("postSearch");
assert.equal(found.query, "pilot hawser");
assert.deepEqual(found.results.map(({ message_id, rank }) => [message_id, rank]), [["msg-000012", 1]]);
assert.ok(found.results[0]?.snippet.includes("**pilot**"));

const { topics, total } = dataOf("getTopics");
assert.equal(topics.length, total);
const descriptions: readonly (string | undefined)[] = topics.map(({ description }) => description);
assert.ok(descriptions.includes("About Ropes"));

const topic = dataOf("getTopicsByTopicId");
assert.equal(topic.name, "Ropes");
assert.equal(topic.message_ids.length, topic.message_count);

const { threads } = dataOf("getThreads");
assert.equal(threads.length, 5);
const last: string | null | undefined = threads.find(({ id }) => id === "thread-000005")?.date_range.last_message;
assert.equal(last, null);

const thread = dataOf("getThreadsByThreadIdMessages");
assert.equal(thread.messages.length, threads.find(({ id }) => id === thread.thread_id)?.message_count);

assert.equal(dataOf("getStats").total_messages, 24);

const refused = await client.getMessagesByMessageId({ path: { message_id: "msg/999 999" } });
assert.ok(refused.status === "error");
const code: "INVALID_QUERY" | "QUERY_TOO_EXPENSIVE" | "NOT_FOUND" | "INTERNAL_ERROR" | "STORE_UNREACHABLE" | "UNIMPLEMENTED" =
  refused.error.code;
assert.deepEqual([code, refused.error.message], ["NOT_FOUND", "Message msg/999 999 not found"]);

console.log(Object.keys(answers).length + " routes used");
`;

interface WrongProgram {
  readonly file: string;
  readonly mistake: string;
  /** The one incorrect statement; `client` is a client. */
  readonly statement: string;
  /** Error number of the compiler, and a word of its message that names the mistake. */
  readonly error: readonly [code: string, word: string];
}

export const WRONG_PROGRAMS: readonly WrongProgram[] = [
  {
    file: "wrong-parameter.ts",
    mistake: "a query parameter with a value that is not allowed",
    statement: `await client.getContacts({ query: { sort: "size" } });`,
    error: ["TS2322", `"size"`],
  },
  {
    file: "wrong-body.ts",
    mistake: "a search filter that does not exist",
    statement: `await client.postSearch({ body: { query: "rope", filters: { sender: "ann@harbour.example" } } });`,
    error: ["TS2353", "'sender'"],
  },
  {
    file: "wrong-answer.ts",
    mistake: "a date that may be null taken for text",
    statement: `await client.getMessages().then((answer) => answer.status === "ok" && answer.data.messages[0]?.sent_at.slice(0, 4));`,
    error: ["TS2531", "possibly 'null'"],
  },
];

export function wrongProgram({ statement }: WrongProgram): string {
  return `import { Client } from "./client.ts";

const client = new Client(process.argv[2] ?? "");
${statement}
`;
}
