import { formatInstant } from "../../mail/instant.ts";
import { countOf, formatCount } from "../../text/format-count.ts";
import { TOOL_NAME, TOOL_VERSION } from "../../version.ts";
import { html, type Markup } from "./markup.ts";
import type { PageOverview, TimelineBar } from "./page-overview.ts";

/** Height of the time line in units of its drawing. */
const TIMELINE_HEIGHT = 100;
/** Height of a bar that is not empty: one message must be seen. */
const LEAST_BAR = 2;

/** The page of `GET /`. It works without script; searching and reading need it. */
export function renderPage(overview: PageOverview): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${overview.source} · ${TOOL_NAME}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/client.css">
<script src="/client.js" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
${pageHeader(overview)}
<main id="main" tabindex="-1">
<section id="answer" aria-live="polite" hidden></section>
<div id="overview">
${countTiles(overview)}
${timelineSection(overview.timeline)}
<div class="columns">
${contactSection(overview)}
${topicSection(overview)}
${mailboxSection(overview)}
</div>
${graphSection()}
</div>
</main>
<footer>${TOOL_NAME} ${TOOL_VERSION} · <a href="/api/provenance">provenance</a> · <a href="/api/stats">statistics</a> · <a href="/api/query/openapi.json">query API</a></footer>
</body>
</html>
`.text;
}

function pageHeader({ source }: PageOverview): Markup {
  return html`<header>
<a class="home" href="#/"><h1>${source}</h1></a>
<form id="search" role="search">
<label class="visually-hidden" for="query">Search mail</label>
<input id="query" type="search" autocomplete="off" spellcheck="false" maxlength="1000" placeholder="Search mail: words, &quot;a phrase&quot;, from:ann, before:2002, -word">
<button type="submit">Search</button>
</form>
<noscript><p>Searching and reading need JavaScript.</p></noscript>
</header>`;
}

function countTiles({ statistics }: PageOverview): Markup {
  const tiles: readonly (readonly [string, number])[] = [
    ["messages", statistics.totalMessages],
    ["contacts", statistics.totalContacts],
    ["threads", statistics.totalThreads],
    ["topics", statistics.totalTopics],
    ["events", statistics.totalCalendarEvents],
    ["attachments", statistics.totalAttachments],
  ];
  const { earliest, latest } = statistics.dateRange;
  const dates = earliest === null || latest === null ? "no dated mail" : `${dayOf(earliest)} to ${dayOf(latest)}`;
  return html`<section aria-label="What is in the archive">
<dl class="tiles">${tiles.map(([name, count]) => html`<div><dt>${name}</dt><dd>${formatCount(count)}</dd></div>`)}</dl>
<p class="quiet">${dates}</p>
</section>`;
}

function dayOf(instant: number): string {
  return formatInstant(instant).slice(0, -"T00:00:00Z".length);
}

function timelineSection(bars: readonly TimelineBar[]): Markup {
  const [first, last] = [bars[0], bars.at(-1)];
  if (first === undefined || last === undefined) return html``;
  const most = bars.reduce((highest, { messages }) => Math.max(highest, messages), 1);
  const drawn = bars.map(({ span, messages }, index) => {
    if (messages === 0) return html``;
    const height = Math.max(LEAST_BAR, Math.round((messages / most) * TIMELINE_HEIGHT));
    const words = `${span}: ${countOf(messages, "message")}`;
    return html`<a href="${searchLink(`after:${span} before:${span}`)}" aria-label="${words}"><title>${words}</title><rect class="hit" x="${index}" y="0" width="1" height="${TIMELINE_HEIGHT}"/><rect class="bar" x="${index + 0.1}" y="${TIMELINE_HEIGHT - height}" width="0.8" height="${height}"/></a>`;
  });
  return html`<section>
<h2>Time line</h2>
<svg class="timeline" viewBox="0 0 ${bars.length} ${TIMELINE_HEIGHT}" preserveAspectRatio="none" role="group" aria-label="Messages over time">${drawn}</svg>
<p class="ends quiet"><span>${first.span}</span><span>${last.span}</span></p>
</section>`;
}

/** A row of a list: what it names, how much, and where it leads. */
interface BarRow {
  readonly name: string;
  readonly note: string;
  readonly count: number;
  readonly link: string;
}

function barList(title: string, rows: readonly BarRow[], rest: string): Markup {
  const most = rows.reduce((highest, { count }) => Math.max(highest, count), 1);
  const items = rows.map(
    ({ name, note, count, link }) =>
      html`<li><a href="${link}"><span class="name" dir="auto">${name}</span><span class="count">${formatCount(count)}</span><span class="note" dir="auto">${note}</span></a><progress max="${most}" value="${count}" aria-hidden="true"></progress></li>`,
  );
  return html`<section><h2>${title}</h2>${rows.length === 0 ? html`<p class="quiet">none</p>` : html`<ol class="bars">${items}</ol>`}<p class="quiet">${rest}</p></section>`;
}

function contactSection({ contacts, statistics }: PageOverview): Markup {
  const rows = contacts.map(({ name, email, id, messageCount }) => ({
    name: name || email || id,
    note: name === "" || name === email ? "" : email,
    count: messageCount,
    link: email === "" ? searchLink(`from:${quoted(name)}`) : `#/messages?from=${encodeURIComponent(email)}`,
  }));
  return barList("People", rows, restOf(statistics.totalContacts - rows.length, "people"));
}

function topicSection({ topics, statistics }: PageOverview): Markup {
  const rows = topics.map(({ id, name, topKeywords, messageCount }) => ({
    name,
    note: topKeywords.slice(0, 5).join(", "),
    count: messageCount,
    link: `#/messages?topic_id=${encodeURIComponent(id)}`,
  }));
  return barList("Topics", rows, restOf(statistics.totalTopics - rows.length, "topics"));
}

function mailboxSection({ mailboxes, mailboxCount }: PageOverview): Markup {
  const rows = mailboxes.map(({ mailbox, messages }) => ({
    name: mailbox || "(no folder)",
    note: "",
    count: messages,
    link: searchLink(`in:${quoted(mailbox)}`),
  }));
  return barList("Mailboxes", rows, restOf(mailboxCount - rows.length, "mailboxes"));
}

function graphSection(): Markup {
  return html`<section>
<h2>Who writes to whom</h2>
<iframe src="/graph.html" title="Contact graph" loading="lazy"></iframe>
<p class="quiet"><a href="/graph.html">open the graph in a page of its own</a></p>
</section>`;
}

function restOf(count: number, noun: string): string {
  return count > 0 ? `and ${formatCount(count)} more ${noun}` : "";
}

function searchLink(query: string): string {
  return `#/search?q=${encodeURIComponent(query)}`;
}

/** A value of an operator of the query language; quotes end it. */
function quoted(text: string): string {
  return `"${text.replaceAll('"', " ")}"`;
}
