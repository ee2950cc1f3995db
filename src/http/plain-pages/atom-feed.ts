import { publishedDate } from "../../document/published-values.ts";
import type { ArchivedMessage } from "../../mail/archive.ts";
import { formatInstant } from "../../mail/dates/instant.ts";
import type { WordMatch } from "../../mail/exploration.ts";
import { TOOL_VERSION } from "../../version.ts";
import { partsOf } from "../explore-api/routes/message-routes.ts";
import { type Markup, markup } from "./markup.ts";
import { type PlainArchive, permalinks } from "./plain-parts.ts";

/** Maximum entries of a feed. */
const ENTRIES = 50;
/** Maximum UTF-16 units of the author's own text in an entry. */
const MAX_TEXT = 4000;

/** The newest messages that a query finds, as an Atom feed (RFC 4287). @param origin scheme and host of the server */
export async function atomFeed(
  shown: PlainArchive,
  { q, match }: { readonly q: string; readonly match: WordMatch },
  origin: string,
): Promise<Markup> {
  const { archive, name, addresses } = shown;
  const request = { query: q, match, sort: "newest", offset: 0, limit: ENTRIES, repeats: "listed" } as const;
  const { messages: rows } = await archive.explore.page(request);
  const messages = await archive.messages.getMany(rows.map(({ id }) => id));
  const links = await permalinks(shown, messages);
  const { extractedAt } = await archive.provenance();
  // An undated message has the date of the archive.
  const dates = messages.map(({ sentAt }) => (publishedDate(sentAt) === null ? extractedAt : sentAt!));
  const updated = dates.length === 0 ? extractedAt : Math.max(...dates);
  const parameters = { q, match: match === "all" ? null : match };
  const self = origin + addresses.page("feed", parameters);
  return markup`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${self}</id>
<title>${q === "" ? name : `${q} · ${name}`}</title>
<updated>${formatInstant(updated)}</updated>
<generator version="${TOOL_VERSION}">archivetool</generator>
<link rel="self" type="application/atom+xml" href="${self}"/>
<link rel="alternate" type="text/html" href="${origin + addresses.page("search", { ...parameters, sort: "newest" })}"/>
${messages.map((message, at) => entry(message, { link: origin + links[at]!, date: formatInstant(dates[at]!) }))}</feed>
`;
}

function entry(message: ArchivedMessage, { link, date }: { readonly link: string; readonly date: string }): Markup {
  const { from, subject, body, sha256 } = message;
  const own = partsOf(message)
    .filter(({ kind }) => kind === "own")
    .map(({ start, end }) => body.slice(start, end))
    .join("");
  const name = from === null ? "unknown" : from.name === "" ? from.email : from.name;
  return markup`<entry>
<id>ni:///sha-256;${Buffer.from(sha256, "hex").toString("base64url")}</id>
<title>${subject}</title>
<updated>${date}</updated>
<published>${date}</published>
<author><name>${name}</name>${
    from !== null && /^[^@\s]+@[^@\s]+$/.test(from.email) ? markup`<email>${from.email}</email>` : null
  }</author>
<link rel="alternate" type="text/html" href="${link}"/>
<content type="text">${own.trim().slice(0, MAX_TEXT)}</content>
</entry>
`;
}
