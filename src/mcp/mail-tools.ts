import * as z from "zod";
import { ArchiveError } from "../errors.ts";
import type { Archive, ArchivedMessage } from "../mail/archive.ts";
import { RANKED_MATCHES, TIMELINE_UNITS, WORD_MATCHES } from "../mail/exploration.ts";
import { MAX_QUERY_CHARACTERS } from "../search/query/query-syntax.ts";
import { splitBody, textOf } from "../text/quoting/split-body.ts";
import { countOf, formatCount } from "../text/tokens/format-count.ts";
import type { Block, ToolResult } from "./answer.ts";
import { attachmentLine, dateText, headerLines, peopleText, personText } from "./message-lines.ts";
import { plainLine, plainText } from "./plain-text.ts";
import { searchMessages } from "./search-messages.ts";
import { toolRow } from "./tool-row.ts";

/** Messages of a thread read at once. */
const THREAD_BATCH = 8;
/** Maximum recipients listed per message of a conversation. */
const THREAD_RECIPIENTS = 3;

const QUERY_HELP =
  'words, "phrases", -excluded, OR, parentheses, and operators such as from:, to:, person:, subject:, in: (mailbox), ' +
  "thread:, similar:msg-000012 (more like it), topic:, domain:, has:attachment, type:pdf, filename:, lang:, label:, " +
  "is:reply, larger:1M, after:2001-05, before:, on:; values with blanks in quotes, contact ids allowed: from:contact-000012";

const query = z.string().max(MAX_QUERY_CHARACTERS).describe(QUERY_HELP);
const match = z
  .enum(RANKED_MATCHES)
  .default("auto")
  .describe("match all words, any word, or any word if no message has all");

export const searchMail = toolRow({
  name: "search_mail",
  title: "Search mail",
  description:
    "Find messages by words and conditions, best match first. Returns id, date, subject, people, thread and matching text.",
  parameters: { query, match, sort: z.enum(["relevance", "newest", "oldest"]).default("relevance") },
  find: ({ archive }, wanted, start) => searchMessages(archive, { ...wanted, hasSnippets: true }, start),
});

const everyMatch = z.enum(WORD_MATCHES).default("all").describe("whether all words must be there, or any of them");

const clause = (what: string) =>
  z
    .string()
    .max(MAX_QUERY_CHARACTERS / 8)
    .optional()
    .describe(what);
const person = "contact id, address or name";
const day = "YYYY, YYYY-MM or YYYY-MM-DD (UTC)";

/** Query operator of each list parameter. */
const LIST_OPERATORS = {
  from: "from",
  to: "to",
  person: "person",
  with: "person",
  mailbox: "mailbox",
  thread: "thread",
  topic: "topic",
  after: "after",
  before: "before",
} as const;

export const listMessages = toolRow({
  name: "list_messages",
  title: "List messages",
  description:
    "List messages by date, filtered by people, mailbox, thread, topic or dates. Without filters, lists all messages.",
  parameters: {
    from: clause(`author: ${person}`),
    to: clause(`recipient in To: ${person}`),
    person: clause(`author or recipient: ${person}`),
    with: clause(`a second author or recipient of the same messages: ${person}`),
    mailbox: clause("exact name of a mailbox"),
    thread: clause("thread id"),
    topic: clause("topic id or words of its name"),
    after: clause(`first day: ${day}`),
    before: clause(`last day: ${day}`),
    sort: z.enum(["newest", "oldest"]).default("newest"),
  },
  find({ archive }, { sort, ...given }, start) {
    const clauses = Object.entries(LIST_OPERATORS).flatMap(([name, operator]) => {
      const value = given[name as keyof typeof LIST_OPERATORS]?.replaceAll('"', " ").trim() ?? "";
      return value === "" ? [] : [`${operator}:"${value}"`];
    });
    return searchMessages(archive, { query: clauses.join(" "), match: "all", sort, hasSnippets: false }, start);
  },
});

export const readMessage = toolRow({
  name: "read_message",
  title: "Read a message",
  description: "The header and full text of a message including quotations, returned in chunks.",
  parameters: { id: z.string().max(1000).describe("message id (msg-000123) or Message-ID") },
  find: async ({ archive }, { id }) => messageResult(await messageOf(archive, id)),
});

export const readAttachmentText = toolRow({
  name: "read_attachment_text",
  title: "Read an attachment",
  description:
    "The text of an attachment, read from its source and returned in chunks: office documents, spreadsheets and slides, PDF, RTF, HTML, plain text, calendars, mail, and files in zip archives.",
  parameters: {
    id: z.string().max(1000).describe("message id (msg-000123) or Message-ID"),
    number: z.number().int().min(1).describe("attachment number, from 1, as listed by read_message"),
  },
  async find({ archive, fileText }, { id, number }) {
    const message = await messageOf(archive, id);
    const attachment = message.attachments[number - 1];
    if (attachment === undefined)
      throw new ArchiveError("NOT_FOUND", `${message.id} has ${countOf(message.attachments.length, "attachment")}`);
    const text = plainText(await fileText(message, attachment));
    const size = text === "" ? "No text is read of it" : `Text: ${countOf(text.length, "character")}`;
    return { preface: [], blocks: [{ head: [`${message.id}, ${attachmentLine(attachment, number)}`, size], text }] };
  },
});

/** A message as an answer. */
export function messageResult(message: ArchivedMessage): ToolResult {
  const text = plainText(message.body);
  const size = `Text: ${countOf(text.length, "character")}`;
  return { preface: [], blocks: [{ head: [...headerLines(message), size], text }] };
}

/** By id or Message-ID. Throws NOT_FOUND. */
export async function messageOf(archive: Archive, id: string): Promise<ArchivedMessage> {
  const bare = id.trim().replace(/^<(.*)>$/, "$1");
  const isOwnId = /^msg-\d+$/.test(bare);
  const [found] = isOwnId || bare === "" ? [bare] : await archive.search.matching(`id:"${bare.replaceAll('"', "")}"`);
  const message = found === undefined ? null : await archive.messages.get(found);
  if (message === null) throw new ArchiveError("NOT_FOUND", `message ${plainLine(id)} not found`);
  return message;
}

export const readThread = toolRow({
  name: "read_thread",
  title: "Read a conversation",
  description:
    "A conversation, oldest message first, with authors, dates and new text. Quotations and signatures are omitted.",
  parameters: { id: z.string().max(1000).describe("thread id (thread-000012), or the id of a message in it") },
  async find({ archive }, { id }, start) {
    const wanted = /^thread-\d+$/.test(id) ? id : (await messageOf(archive, id)).threadId;
    return threadResult(archive, wanted, start.block);
  },
});

/** A thread, starting at one of its messages, as an answer. Throws NOT_FOUND. */
export async function threadResult(archive: Archive, id: string, first: number): Promise<ToolResult> {
  const thread = await archive.threads.get(id);
  if (thread === null) throw new ArchiveError("NOT_FOUND", `thread ${plainLine(id)} not found`);
  const { messageIds, participants } = thread;
  async function* blocks(): AsyncGenerator<Block> {
    for (let at = first; at < messageIds.length; at += THREAD_BATCH) {
      const messages = await archive.messages.getMany(messageIds.slice(at, at + THREAD_BATCH));
      for (const [index, message] of messages.entries()) yield threadBlock(message, at + index + 1);
    }
  }
  const preface = [
    `${thread.id}: ${plainLine(thread.subject) || "(no subject)"}`,
    `${countOf(messageIds.length, "message")}, ${dateText(thread.firstMessage)} to ${dateText(thread.lastMessage)} UTC`,
    `People: ${peopleText(participants.map((email) => ({ name: "", email })))}`,
  ];
  return { preface, blocks: blocks() };
}

function threadBlock(message: ArchivedMessage, number: number): Block {
  const { id, from, body, attachments } = message;
  const parts = splitBody(body, from === null ? "" : `${from.name} <${from.email}>`);
  const older = parts.reduce((sum, { kind, start, end }) => sum + (kind === "own" ? 0 : end - start), 0);
  const facts = [
    ...(attachments.length === 0 ? [] : [countOf(attachments.length, "attachment")]),
    ...(older === 0 ? [] : [`${countOf(older, "character")} quoted or signed, not shown`]),
  ];
  return {
    head: [
      `--- ${number}. ${id}, ${dateText(message.sentAt ?? message.receivedAt)} UTC`,
      `${personText(from)} to ${peopleText(message.to.slice(0, THREAD_RECIPIENTS), message.to.length + message.cc.length)}`,
      ...(facts.length === 0 ? [] : [`(${facts.join("; ")})`]),
    ],
    text: plainText(textOf(body, parts, "own")),
  };
}

export const timeline = toolRow({
  name: "timeline",
  title: "Messages over time",
  description: "Number of matching messages per year, month or day. An empty query counts all mail.",
  parameters: { query: query.default(""), match: everyMatch, by: z.enum(["auto", ...TIMELINE_UNITS]).default("auto") },
  async find({ archive }, wanted, start) {
    const { by, total, bins, stray, undated } = await archive.explore.timeline(wanted);
    const preface = [
      `${countOf(total, "message")} by ${by}; ${formatCount(stray)} far from the others in time, ${formatCount(undated)} undated`,
    ];
    const filled = bins.filter(({ count }) => count > 0).slice(start.block);
    return { preface, blocks: filled.map(({ span, count }) => ({ head: [`${span}: ${formatCount(count)}`] })) };
  },
});
