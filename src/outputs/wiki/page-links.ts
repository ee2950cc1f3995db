import { posix } from "node:path";
import { formatCount } from "../../text/tokens/format-count.ts";
import { CONTROL, inline } from "./markdown.ts";

/** Style of links between pages: Obsidian, or CommonMark, which code forges and all editors support. */
export type LinkStyle = "wiki" | "markdown";

/** Writes syntax that differs between the two link styles. Paths are relative to the vault. */
export interface PageLinks {
  /**
   * A link to another page.
   * @param path without `.md`
   * @param inTable true in a table cell
   */
  page(path: string, text: string, inTable: boolean): string;
  /** A link to a saved attachment. */
  file(path: string, filename: string, inTable: boolean): string;
  /**
   * A collapsed quotation.
   * @param markdown its text, escaped
   * @param lines number shown in the title
   */
  quotation(markdown: string, lines: number): string;
}

/**
 * The links of pages in one directory.
 * @param directory of the linking page, relative to the vault
 */
export function pageLinks(style: LinkStyle, directory: string): PageLinks {
  return style === "wiki" ? wikiLinks : markdownLinks(directory);
}

const wikiLinks: PageLinks = {
  // Brackets and bars cannot be escaped inside one, so they are replaced by look-alikes; the bar must be, in a table.
  page: (path, text, inTable) => `[[${path}${inTable ? "\\|" : "|"}${linkText(text)}]]`,
  // A path of an earlier version may contain characters that end the link or begin code; then it is written as text.
  file: (path, filename, inTable) =>
    /[[\]|#^`]|%%/.test(path) ? inline(filename) : `[[${path}${inTable ? "\\|" : "|"}${linkText(filename)}]]`,
  // A collapsed callout; other readers show it as a quotation under its title.
  quotation: (markdown, lines) => `> [!quote]- ${quotedLines(lines)}\n> ${markdown.replaceAll("\n", "\n> ")}`,
};

function markdownLinks(directory: string): PageLinks {
  const link = (path: string, text: string): string =>
    `[${inline(text) || "(none)"}](${address(posix.relative(directory, path))})`;
  return {
    page: (path, text) => link(`${path}.md`, text),
    file: link,
    // A block of HTML ends at a blank line (CommonMark 4.6): the content in between is escaped markdown.
    quotation: (markdown, lines) => `<details><summary>${quotedLines(lines)}</summary>\n\n${markdown}\n\n</details>`,
  };
}

/**
 * A relative address (RFC 3986): characters other than plain letters, and those that could end the link, are
 * percent-encoded.
 */
function address(path: string): string {
  return encodeURI(path.toWellFormed()).replace(/[()'#?[\]|*]/g, escapeByte);
}

function escapeByte(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
}

function quotedLines(lines: number): string {
  return `${formatCount(lines)} quoted ${lines === 1 ? "line" : "lines"}`;
}

const LINK_TEXT: Readonly<Record<string, string>> = {
  "[": "(",
  "]": ")",
  "|": "/",
  "<": "‹",
  ">": "›",
  "`": "'",
  "\\": "/",
};

/** Characters that `linkText` may change. */
const NOT_LINK_TEXT = /[^ -~]|[[\]|<>`\\]|%%| {2}|^ | $|^$/;

function linkText(text: string): string {
  if (!NOT_LINK_TEXT.test(text)) return text;
  const line = text.replace(/\s+/g, " ").replace(CONTROL, "").trim();
  // Two percent signs begin a comment of Obsidian, which would hide the page up to the next two.
  return line.replace(/[[\]|<>`\\]/g, (char) => LINK_TEXT[char]!).replace(/%(?=%)/g, "% ") || "(none)";
}
