/**
 * Mail text as markdown text. Pages open in Obsidian and in CommonMark readers: everything that either would interpret
 * (HTML, links, tags, embeds, math, comments, highlights, tables, headings, lists) is escaped, so that no mail can
 * break a table, open a tag or forge a link.
 */

/**
 * Special characters inside a line in CommonMark, GFM or Obsidian. A backslash escapes any ASCII punctuation
 * (CommonMark 2.4). `:` is only special before `//`, where GFM makes a link.
 */
const INLINE = /[\\`*_[\]{}<>#|~=$%^&!@]|:(?=\/\/)/g;
/** Characters that `inline` may change: most names and subjects contain none. */
const NOT_PLAIN = /[^ -~]|[\\`*_[\]{}<>#|~=$%^&!@]|:\/\/| {2}|^ | $/;
/** Characters that are not text: control characters, and those that change the text direction. */
export const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Text as one line of markdown. */
export function inline(text: string): string {
  return NOT_PLAIN.test(text) ? escapeInline(text.replace(/\s+/g, " ").trim()) : text;
}

function escapeInline(text: string): string {
  return text.replace(CONTROL, "").replace(INLINE, "\\$&");
}

/**
 * Starts of a line that begin a block: headings, lists, quotes, rules, code fences, setext underlines, indented code.
 */
const BLOCK_START = /^(?:[-+](?=[\s-]|$)|\d{1,9}[.)](?=\s|$))/;

/** Text of several lines. Keeps line breaks and indentation; long runs of empty lines shrink to one. */
export function paragraphs(text: string): string {
  const lines: string[] = [];
  let empty = 0;
  for (const raw of text.split(/\r\n|\r|\n/)) {
    const line = raw.trimEnd();
    if (line === "") {
      empty++;
      continue;
    }
    if (lines.length > 0) lines.push(empty > 0 ? "\n\n" : "  \n");
    empty = 0;
    lines.push(escapeLine(line));
  }
  return lines.join("");
}

/**
 * Literal text in a fixed-width font. Replaces only what has an effect even inside code: the closing fence and control
 * characters. Splits commands of Templater with a zero-width space.
 * @param language shown to the reader, from our own table
 */
export function codeBlock(text: string, language: string): string {
  const lines = text.replace(/\r\n?/g, "\n").replace(CONTROL, (char) => (char === "\u2028" ? "\n" : ""));
  let longest = 2;
  for (const [run] of lines.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${lines.replaceAll("<%", "<\u200b%").trimEnd()}\n${fence}`;
}

function escapeLine(line: string): string {
  const indent = line.length - line.trimStart().length;
  const text = escapeInline(line.slice(indent));
  const block = BLOCK_START.exec(text);
  const sign = block === null ? -1 : block[0].length - 1;
  const safe = sign < 0 ? text : `${text.slice(0, sign)}\\${text.slice(sign)}`;
  // Leading blanks would make a code block; no-break spaces keep the look.
  return "\u00a0".repeat(Math.min(indent, MAX_INDENT)) + safe;
}

/** Maximum columns of indentation that are kept; centered banners have more. */
export const MAX_INDENT = 16;

/** A cell of a table: one line, the bar escaped. */
export function cell(text: string): string {
  return inline(text);
}

export type FrontMatterValue = string | number | null;

/**
 * Characters that JSON leaves unescaped but YAML reads as line breaks or forbids (YAML 1.2 section 5.1), and the sign
 * that begins a command of Templater, which runs commands anywhere in a new note.
 */
const NOT_YAML = /<(?=%)|[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** Direction marks, embeddings, overrides and isolates (UAX 9): editors would show the block in another order. */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * YAML front matter. Strings are written as JSON, which is YAML, so nothing in them can end the block. Direction marks
 * are removed.
 */
export function frontMatter(values: Readonly<Record<string, FrontMatterValue>>): string {
  const lines = Object.entries(values).map(
    ([key, value]) => `${key}: ${JSON.stringify(value).replace(DIRECTION, "").replace(NOT_YAML, escapeUnit)}`,
  );
  return `---\n${lines.join("\n")}\n---\n\n`;
}

function escapeUnit(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** A table; cells are markdown already. */
export function table(header: readonly string[], rows: Iterable<readonly string[]>): string {
  const lines = [`| ${header.join(" | ")} |`, `|${" --- |".repeat(header.length)}`];
  for (const row of rows) lines.push(`| ${row.join(" | ")} |`);
  return `${lines.join("\n")}\n`;
}

/** A titled table with an explanatory sentence; empty if there are no rows. */
export function section(
  title: string,
  header: readonly string[],
  rows: readonly (readonly string[])[],
  meaning = "",
): string {
  if (rows.length === 0) return "";
  return `## ${title}\n\n${meaning === "" ? "" : `${meaning}\n\n`}${table(header, rows)}\n`;
}
