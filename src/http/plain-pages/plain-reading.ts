import type { ArchivedMessage } from "../../mail/archive.ts";
import type { MessageId } from "../../mail/records/ids.ts";
import { hasShortLines } from "../../outputs/export/message-page.ts";
import type { BodyPart } from "../../text/quoting/split-body.ts";
import type { HighlightedWords } from "../../web/conversation/text-matches.ts";
import { sizeOf } from "../../web/parts/formats.ts";
import { number } from "../../web/words/nouns.ts";
import { partsOf } from "../explore-api/routes/message-routes.ts";
import { lineCount, mentionedIn, parentsOf } from "../explore-api/routes/thread-routes.ts";
import { pieceCount, textPiece } from "../explore-api/setting/text-pieces.ts";
import { orNotFound } from "../query-api/query-route.ts";
import { type Markup, markup } from "./markup.ts";
import type { PlainPage } from "./plain-layout.ts";
import {
  brokenText,
  linkedText,
  type PlainArchive,
  pageLinks,
  permalink,
  permalinks,
  plainPeople,
  plainSubject,
  plainTime,
  type TextMarks,
  wordsOfQuery,
} from "./plain-parts.ts";
import { searchForm } from "./plain-search.ts";

/** Maximum messages per page of a conversation. */
const MESSAGES = 50;
/** Maximum UTF-16 units of the text of a message in a conversation. */
const MAX_TEXT = 100_000;
/** Maximum references shown: long threads have hundreds. */
const MAX_REFERENCES = 20;

/** An archive, and the query whose words are highlighted. */
interface Reading extends PlainArchive {
  readonly q: string;
  readonly sought: HighlightedWords;
}

/** Adds the words of a query, which may be empty. */
export async function readingOf(shown: PlainArchive, q: string): Promise<Reading> {
  if (q === "") return { ...shown, q, sought: wordsOfQuery(q, []) };
  const page = { query: q, match: "all", sort: "relevance", offset: 0, limit: 1, repeats: "listed" } as const;
  const { understood } = await shown.archive.explore.page(page);
  return { ...shown, q, sought: wordsOfQuery(q, understood) };
}

/** Everything about one message. @param part the piece of its text, from 0 */
export async function messagePage(shown: Reading, message: ArchivedMessage, part: number): Promise<PlainPage> {
  const { archive, name, addresses, q, sought } = shown;
  const [link] = await permalinks(shown, [message]);
  const { start, text } = textPiece(message.body, part);
  const range = { start, end: start + text.length };
  const known = await knownMessageIds(shown, [message]);
  const references = [...new Set([...message.references, ...message.inReplyTo])].slice(-MAX_REFERENCES);
  const found = await archive.messages.ofMessageIds(references);
  return {
    title: `${message.subject} · ${name}`,
    body: markup`${head(shown)}
<article id="${message.id}">
<h1>${plainSubject(message.subject, sought)}</h1>
<dl>
${row("From", plainPeople(message.from === null ? [] : [message.from], addresses))}
${row("Date", plainTime(message.sentAt))}
${row("To", plainPeople(message.to, addresses))}
${message.cc.length === 0 ? null : row("Cc", plainPeople(message.cc, addresses))}
${message.bcc.length === 0 ? null : row("Bcc", plainPeople(message.bcc, addresses))}
${row("Message-ID", markup`<a rel="bookmark" href="${link!}">${message.messageId}</a>`)}
${
  references.length === 0
    ? null
    : row(
        "References",
        markup`${references.map(
          (id, at) =>
            markup`${at === 0 ? "" : ", "}${
              found[at] === null ? id : markup`<a href="${permalink(addresses, id)}">${id}</a>`
            }`,
        )}`,
      )
}
${row("SHA-256", markup`${message.sha256}`)}
</dl>
<p><a href="${addresses.page(`thread/${message.threadId}`, { message: message.id, q: q || null })}#${message.id}">Conversation</a></p>
${await files(shown, message)}
${textOf(message, range, { known, sought, addresses })}
${pageLinks({ offset: part, shown: 1, size: 1, total: pieceCount(message.body) }, (at) =>
  addresses.page(`message/${message.id}`, { part: at, q: q || null }),
)}
</article>`,
  };
}

/** Fifty messages of a conversation. */
export async function threadPage(
  shown: Reading,
  { id, offset, message }: { readonly id: string; readonly offset: number; readonly message?: string | undefined },
): Promise<PlainPage> {
  const { archive, name, addresses, q, sought } = shown;
  const thread = orNotFound(await archive.threads.get(id), "Thread", id);
  const place = thread.messageIds.indexOf(message as MessageId);
  const from = place < 0 ? offset : place - (place % MESSAGES);
  const messages = await archive.messages.getMany(thread.messageIds.slice(from, from + MESSAGES));
  const [links, parents, known] = await Promise.all([
    permalinks(shown, messages),
    parentsOf(archive, messages, thread.messageIds),
    knownMessageIds(shown, messages),
  ]);
  const articles: Markup[] = [];
  for (const [at, one] of messages.entries()) {
    const parent = parents[at]!;
    const isHere = messages.some((other) => other.id === parent);
    const parentLink = isHere ? `#${parent}` : addresses.page(`message/${parent}`);
    articles.push(markup`<article id="${one.id}">
<h2><a rel="bookmark" href="${links[at]!}">${plainSubject(one.subject, sought)}</a></h2>
<p>${one.from === null ? "no sender" : plainPeople([one.from], addresses)} · ${plainTime(one.sentAt)}${
      parent === null ? null : markup` · <a href="${parentLink}">in reply to</a>`
    }</p>
${await files(shown, one)}
${textOf(one, { start: 0, end: MAX_TEXT }, { known, sought, addresses })}
${one.body.length > MAX_TEXT ? markup`<p><a href="${links[at]!}">Whole text</a></p>` : null}
</article>
`);
  }
  return {
    title: `${thread.subject} · ${name}`,
    body: markup`${head(shown)}
<h1>${plainSubject(thread.subject, sought)}</h1>
<p>${number(thread.messageCount, "message")}</p>
${articles}
${pageLinks({ offset: from, shown: messages.length, size: MESSAGES, total: thread.messageIds.length }, (at) =>
  addresses.page(`thread/${id}`, { offset: at, q: q || null }),
)}`,
  };
}

function head({ addresses, q }: Reading): Markup {
  return markup`<header>${searchForm(addresses, { q, match: "all", sort: "relevance" })}</header>`;
}

function row(name: string, value: Markup): Markup {
  return markup`<dt>${name}</dt><dd>${value}</dd>`;
}

/** Attachments and the original, as links unless the archive is redacted. */
async function files({ archive, addresses }: PlainArchive, message: ArchivedMessage): Promise<Markup> {
  const { originals, explore } = addresses;
  const isWithheld = (await archive.provenance()).options.redact.length > 0;
  const label = ({ filename, sizeBytes }: ArchivedMessage["attachments"][number]): Markup =>
    markup`<bdi>${brokenText(filename === "" ? "attachment" : filename)}</bdi> (${sizeOf(sizeBytes)})`;
  const attachments = message.attachments.map((file, at) =>
    isWithheld || file.linkTarget !== null
      ? markup`<li>${label(file)}</li>\n`
      : markup`<li><a href="${originals}/messages/${message.id}/attachments/${at + 1}">${label(file)}</a></li>\n`,
  );
  return markup`${attachments.length === 0 ? null : markup`<ul aria-label="Attachments">\n${attachments}</ul>`}${
    isWithheld
      ? null
      : markup`<p><a href="${explore}/messages/${message.id}/html">Formatted</a> · <a href="${originals}/messages/${message.id}/original">Original</a></p>`
  }`;
}

/** The Message-IDs in texts that belong to messages of the archive. */
async function knownMessageIds(
  { archive }: PlainArchive,
  messages: readonly ArchivedMessage[],
): Promise<ReadonlySet<string>> {
  return new Set((await mentionedIn(archive, messages)).map(({ message_id }) => message_id));
}

/** A range of a text; quotations and signatures are collapsed unless there is nothing else. */
function textOf(message: ArchivedMessage, range: Pick<BodyPart, "start" | "end">, marks: TextMarks): Markup {
  const { body } = message;
  const parts = partsOf(message).filter(({ start, end }) => start < range.end && end > range.start);
  const hasOwn = parts.some(({ kind, start, end }) => kind === "own" && body.slice(start, end).trim() !== "");
  return markup`${parts.map((part) => {
    const text = body.slice(Math.max(part.start, range.start), Math.min(part.end, range.end));
    if (text.trim() === "") return null;
    const direction = hasShortLines(text) ? "auto" : "ltr";
    const pre = markup`<pre dir="${direction}">${linkedText(text, marks)}</pre>`;
    if (part.kind === "own" || !hasOwn) return markup`${pre}\n`;
    return markup`<details><summary>${SUMMARIES[part.kind]} (${number(lineCount(body, part), "line")})</summary>${pre}</details>\n`;
  })}`;
}

const SUMMARIES = { quoted: "Quoted text", forwarded: "Forwarded message", signature: "Signature" } as const;
