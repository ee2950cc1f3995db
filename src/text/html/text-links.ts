/** A link in plain text: a web or mail address, or a Message-ID in angle brackets as list mail cites it. */
interface TextLink {
  readonly kind: "address" | "message";
  readonly start: number;
  readonly end: number;
  /** The address, or the Message-ID without its brackets. */
  readonly target: string;
}

/** Maximum characters of an address. Longer ones stay text: no browser shows them. */
const MAX_ADDRESS = 2048;
/** Schemes that can be opened from mail. */
const PROTOCOLS: ReadonlySet<string> = new Set(["http:", "https:", "mailto:"]);
/**
 * An address up to the next blank, bracket or quotation mark, or `<id@host>` (RFC 5322 section 3.6.4). No part can
 * match the characters after it, so each character is read a bounded number of times.
 */
const CANDIDATE = /(?<![\p{L}\p{N}])(?:https?:\/\/|mailto:)[^\s<>[\]"“”«»]+|<([^\s<>@]{1,250}@[^\s<>@]{1,250})>/giu;
/** Punctuation that ends a sentence or a quotation and is not part of an address. */
const TRAILING = ".,;:!?'’‘*_~…|}";

/** The links of a text, in order. Single pass. */
export function linksIn(text: string): readonly TextLink[] {
  const links: TextLink[] = [];
  for (const { 0: found, 1: messageId, index } of text.matchAll(CANDIDATE)) {
    if (messageId !== undefined) {
      links.push({ kind: "message", start: index + 1, end: index + 1 + messageId.length, target: messageId });
      continue;
    }
    const target = withoutTrailing(found);
    if (target.length <= MAX_ADDRESS && isAddress(target))
      links.push({ kind: "address", start: index, end: index + target.length, target });
  }
  return links;
}

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, pathname } = new URL(text);
  return PROTOCOLS.has(protocol) && (protocol === "mailto:" ? pathname.includes("@") : hostname !== "");
}

/** A closing parenthesis belongs to the address if it was opened there. */
function withoutTrailing(text: string): string {
  let surplus = 0;
  for (const character of text) surplus += character === ")" ? 1 : character === "(" ? -1 : 0;
  let end = text.length;
  for (; end > 0; end--) {
    const last = text[end - 1]!;
    if (last === ")" && surplus > 0) surplus--;
    else if (!TRAILING.includes(last)) break;
  }
  return text.slice(0, end);
}
