import { EXPLORED_SORTS, type ExploredMessage, type ExploredSort, type WordMatch } from "../../mail/exploration.ts";
import type { HighlightedWords } from "../../web/conversation/text-matches.ts";
import { number } from "../../web/words/nouns.ts";
import { SORT_WORDS } from "../../web/words/sort-words.ts";
import { type Markup, markup } from "./markup.ts";
import type { PlainAddresses, PlainPage } from "./plain-layout.ts";
import {
  brokenText,
  type PlainArchive,
  pageLinks,
  permalinks,
  plainPerson,
  plainSubject,
  plainTime,
  wordsOfQuery,
} from "./plain-parts.ts";

/** Rows per page of results. */
const ROWS = 50;
/** Maximum linked messages with the text of a row. */
const MAX_SAME_TEXT = 10;

/** Parameters of a search. */
interface PlainQuery {
  readonly q: string;
  readonly match: WordMatch;
  readonly sort: ExploredSort;
  readonly offset: number;
}

/** A page of results. */
export async function searchPage(shown: PlainArchive, query: PlainQuery): Promise<PlainPage> {
  const { archive, name, addresses } = shown;
  const { q, match, sort, offset } = query;
  const page = await archive.explore.page({ query: q, match, sort, offset, limit: ROWS, repeats: "folded" });
  const queryOfLinks = { q: q === "" ? null : q };
  const links = await permalinks(shown, page.messages, queryOfLinks);
  const sought = wordsOfQuery(q, page.understood);
  const threadLink = (id: string): string => addresses.page(`thread/${id}`, queryOfLinks);
  const feed = addresses.page("feed", { q, match: match === "all" ? null : match });
  const found = `${number(page.total, "message")} in ${number(page.conversations, "conversation")}`;
  return {
    title: [q, found, name].filter((part) => part !== "").join(" · "),
    feed,
    body: markup`<h1><bdi>${name}</bdi></h1>
${searchForm(addresses, query)}
${page.problems.map((problem) => markup`<p role="status">${problem}</p>\n`)}<p>${found} · <a href="${feed}">Atom feed</a></p>
<ol>
${page.messages.map((message, at) => resultRow(message, { sought, addresses, link: links[at]!, threadLink }))}</ol>
${pageLinks({ offset, shown: page.messages.length, size: ROWS, total: page.rows }, (at) =>
  addresses.page("search", { q, match, sort, offset: at }),
)}`,
  };
}

export function searchForm(addresses: PlainAddresses, { q, match, sort }: Omit<PlainQuery, "offset">): Markup {
  const option = (value: string, chosen: string, label: string): Markup =>
    value === chosen
      ? markup`<option value="${value}" selected>${label}</option>`
      : markup`<option value="${value}">${label}</option>`;
  return markup`<form action="${addresses.page("search")}" role="search">
<input type="search" name="q" value="${q}" aria-label="Search">
<select name="match" aria-label="Match">${option("all", match, "All words")}${option("any", match, "Any word")}</select>
<select name="sort" aria-label="Sort">${EXPLORED_SORTS.map((value) => option(value, sort, SORT_WORDS[value]))}</select>
<button>Search</button>
</form>`;
}

interface RowLinks {
  readonly sought: HighlightedWords;
  readonly addresses: PlainAddresses;
  readonly link: string;
  threadLink(id: string): string;
}

function resultRow(message: ExploredMessage, { sought, addresses, link, threadLink }: RowLinks): Markup {
  const { threadId, threadMessages, sameText, from } = message;
  return markup`<li><h2><a href="${link}">${plainSubject(message.subject, sought)}</a></h2>
<p>${from === null ? "no sender" : plainPerson(from, addresses)} · ${plainTime(message.sentAt)}${message.attachments.map(
    (file) => markup` · <bdi>${brokenText(file)}</bdi>`,
  )}</p>
<p>${message.snippet.map(([text, isMatch]) => (isMatch ? markup`<mark>${brokenText(text)}</mark>` : brokenText(text)))}</p>
<p><a href="${threadLink(threadId)}">Conversation of ${number(threadMessages, "message")}</a>${
    sameText.length === 0
      ? null
      : markup` · the same text in ${sameText
          .slice(0, MAX_SAME_TEXT)
          .map((id, at) => markup`${at === 0 ? "" : ", "}<a href="${addresses.page(`message/${id}`)}">${id}</a>`)}${
          sameText.length > MAX_SAME_TEXT ? ` and ${number(sameText.length - MAX_SAME_TEXT, "other message")}` : null
        }`
  }</p></li>
`;
}
