import { publishedDate } from "../../document/published-values.ts";
import type { Archive } from "../../mail/archive.ts";
import type { Instant } from "../../mail/dates/instant.ts";
import type { LinkedAddress, UnderstoodClause } from "../../mail/exploration.ts";
import type { Address } from "../../mail/records/address.ts";
import type { MessageId } from "../../mail/records/ids.ts";
import { markRunPieces } from "../../text/html/mark-runs.ts";
import { linksIn } from "../../text/html/text-links.ts";
import { type HighlightedWords, highlightedWords, matchedPieces } from "../../web/conversation/text-matches.ts";
import type { Parameters } from "../../web/shell/addresses.ts";
import { operatorClause } from "../../web/shell/query-text.ts";
import { inUtc } from "../../web/words/units.ts";
import { type Markup, markup } from "./markup.ts";
import type { PlainAddresses } from "./plain-layout.ts";

/** Parts of plain pages. */

/** An archive that plain pages show. */
export interface PlainArchive {
  readonly archive: Archive;
  readonly name: string;
  readonly addresses: PlainAddresses;
}

/** The fields of a message that its URL needs. */
interface Identified {
  readonly id: MessageId;
  readonly messageId: string;
}

/**
 * Finds the address of each message: by its Message-ID, or by its id if the Message-ID belongs to another message.
 * @param parameters of the address, such as the query whose words it highlights
 */
export async function permalinks(
  { archive, addresses }: PlainArchive,
  messages: readonly Identified[],
  parameters: Parameters = {},
): Promise<readonly string[]> {
  const first = await archive.messages.ofMessageIds(messages.map(({ messageId }) => messageId));
  return messages.map(({ id, messageId }, at) =>
    first[at] === id ? permalink(addresses, messageId, parameters) : addresses.page(`message/${id}`, parameters),
  );
}

/** The address of a Message-ID. */
export function permalink(addresses: PlainAddresses, messageId: string, parameters: Parameters = {}): string {
  return addresses.page(`id/${encodeURIComponent(messageId.toWellFormed())}`, parameters);
}

export function plainTime(instant: Instant | null): Markup {
  const date = publishedDate(instant);
  if (date === null) return markup`no date`;
  return markup`<time datetime="${date}">${inUtc(date.slice(0, 16).replace("T", " "))}</time>`;
}

export function plainSubject(subject: string, sought: HighlightedWords): Markup {
  return markup`<bdi>${subject === "" ? "(no subject)" : markedText(subject, sought)}</bdi>`;
}

/** A text with line breaks allowed in long runs of combining marks, which can stop a browser for minutes. */
export function brokenText(text: string): Markup {
  return markup`${markRunPieces(text).map((piece, at) => (at === 0 ? piece : markup`<wbr>${piece}`))}`;
}

/** A person, as a link to the messages from the address. */
export function plainPerson(
  { name, email }: Pick<Address | LinkedAddress, "name" | "email">,
  to: PlainAddresses,
): Markup {
  const label = markup`<bdi>${brokenText(name === "" ? email : email === "" ? name : `${name} <${email}>`)}</bdi>`;
  if (email === "") return label;
  return markup`<a href="${to.page("search", { q: operatorClause("from", email) })}">${label}</a>`;
}

export function plainPeople(people: readonly Address[], to: PlainAddresses): Markup {
  return markup`${people.map((person, at) => markup`${at === 0 ? "" : ", "}${plainPerson(person, to)}`)}`;
}

/** Context for showing a text. */
export interface TextMarks {
  /** Message-IDs in the archive: they become links. */
  readonly known: ReadonlySet<string>;
  readonly sought: HighlightedWords;
  readonly addresses: PlainAddresses;
}

/** The words of a query, as the search understood it. */
export function wordsOfQuery(q: string, understood: readonly UnderstoodClause[]): HighlightedWords {
  return highlightedWords(
    understood.map(({ start, end, kind, isExcluded, forms }) => ({
      ...{ kind, forms, text: q.slice(start, end) },
      is_excluded: isExcluded,
    })),
  );
}

/** A text with highlighted words. */
function markedText(text: string, sought: HighlightedWords): Markup {
  return markup`${matchedPieces(text, sought).map(([piece, isMatch]) =>
    isMatch ? markup`<mark>${brokenText(piece)}</mark>` : brokenText(piece),
  )}`;
}

/** A text with highlighted words, and links for URLs and known Message-IDs. */
export function linkedText(text: string, { known, sought, addresses }: TextMarks): Markup {
  const pieces: Markup[] = [];
  let end = 0;
  for (const link of linksIn(text)) {
    if (link.kind === "message" && !known.has(link.target)) continue;
    pieces.push(markedText(text.slice(end, link.start), sought));
    const label = markedText(text.slice(link.start, link.end), sought);
    pieces.push(
      link.kind === "message"
        ? markup`<a href="${permalink(addresses, link.target)}">${label}</a>`
        : markup`<a href="${link.target}" rel="noreferrer noopener nofollow">${label}</a>`,
    );
    end = link.end;
  }
  return markup`${[...pieces, markedText(text.slice(end), sought)]}`;
}

/** Links to the previous and next page of `shown` rows. */
export function pageLinks(
  page: { readonly offset: number; readonly shown: number; readonly size: number; readonly total: number },
  addressAt: (offset: number | null) => string,
): Markup | null {
  const { offset, shown, size, total } = page;
  const next = offset + shown;
  if (offset === 0 && next >= total) return null;
  return markup`<nav aria-label="Pages">${
    offset === 0
      ? null
      : markup`<a rel="prev" href="${addressAt(offset <= size ? null : offset - size)}">Previous page</a>`
  }${shown === 0 || next >= total ? null : markup`<a rel="next" href="${addressAt(next)}">Next page</a>`}</nav>`;
}
