// Generates the man page from three pages of docs/reference, which tests compare with the program.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Titles of sections with standard names in man pages (man-pages(7)). */
const SECTIONS = { "Command line": "DESCRIPTION", Environment: "ENVIRONMENT", Errors: "DIAGNOSTICS" };
/** Defaults that are obvious and omitted. */
const NO_DEFAULT = new Set(["off", "none"]);

/** Writes `man/archivetool.1` below a directory. */
export function writeManPage(directory) {
  const { name, version, description } = JSON.parse(readFileSync("package.json", "utf8"));
  mkdirSync(join(directory, "man"), { recursive: true });
  writeFileSync(
    join(directory, "man", `${name}.1`),
    manPage([pageText("cli"), sectionsOf("configuration"), sectionsOf("errors")].join("\n"), {
      name,
      version,
      description,
    }),
  );
}

const pageText = (name) => readFileSync(`docs/reference/${name}.md`, "utf8");

/** A page without its title and introduction. */
function sectionsOf(name) {
  const page = pageText(name);
  return page.slice(page.indexOf("\n## ") + 1);
}

/** Converts a markdown page (headings, paragraphs, lists, tables, code blocks) to man(7). */
function manPage(markdown, { name, version, description }) {
  const lines = [
    `.\\" Made from docs/reference by npm run build.`,
    `.TH ${name.toUpperCase()} 1 "" "${name} ${version}" "User Commands"`,
    ".SH NAME",
    `${name} \\- ${text(description.replace(/\.$/, ""))}`,
  ];
  let hasCommands = false;
  let isFirstBlock = true;
  const blocks = blocksOf(markdown);
  for (const block of blocks) {
    if (block.kind === "heading") {
      const section = SECTIONS[block.text];
      const isCommand = block.text.startsWith(`${name} `);
      if (isCommand && !hasCommands) lines.push(".SH COMMANDS");
      hasCommands ||= isCommand;
      // The page begins with the synopsis.
      if (section === "DESCRIPTION") lines.push(".SH SYNOPSIS");
      else lines.push(section === undefined ? `.SS "${text(block.text)}"` : `.SH ${section}`);
    } else if (block.kind === "code") {
      lines.push(...(isFirstBlock ? [] : [".PP"]), ".nf", ...block.lines.map((line) => bold(line)), ".fi");
      if (isFirstBlock) lines.push(".SH DESCRIPTION");
      isFirstBlock = false;
    } else if (block.kind === "table") lines.push(...block.rows.flatMap(tableRow));
    else if (block.kind === "item") lines.push(".IP \\(bu 2", text(block.text));
    else lines.push(".PP", text(block.text));
  }
  // A paragraph after a heading needs no macro.
  return `${lines.join("\n").replace(/^(\.S[HS] .*)\n\.PP$/gm, "$1")}\n`;
}

function blocksOf(markdown) {
  const blocks = [];
  const lines = markdown.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at];
    if (line === "" || /^\|[ |:-]+\|$/.test(line) || /^\|[ |:-]+\|$/.test(lines[at + 1] ?? "")) continue;
    if (line.startsWith("#")) blocks.push({ kind: "heading", text: line.replace(/^#+ /, "") });
    else if (line.startsWith("```")) {
      const end = lines.indexOf("```", at + 1);
      blocks.push({ kind: "code", lines: lines.slice(at + 1, end) });
      at = end;
    } else if (line.startsWith("|")) {
      const cells = line.slice(1, -1).split("|");
      const row = cells.map((cell) => cell.trim());
      if (blocks.at(-1)?.kind === "table") blocks.at(-1).rows.push(row);
      else blocks.push({ kind: "table", rows: [row] });
    } else if (line.startsWith("- ")) blocks.push({ kind: "item", text: line.slice(2) });
    else blocks.push({ kind: "paragraph", text: line });
  }
  return blocks;
}

/** A term and its description: the last cell, with the default of a flag, or the cause and solution of an error. */
function tableRow([term, ...cells]) {
  const [first, last] = cells.slice(-2);
  if (last === undefined) return [".TP", bold(plain(term)), text(first)];
  if (!plain(term).startsWith("-")) return [".TP", bold(plain(term)), text(`${first}: ${last}`)];
  return [".TP", bold(plain(term)), text(NO_DEFAULT.has(first) ? last : `${last} (default: ${plain(first)})`)];
}

function plain(cell) {
  return cell.replaceAll("`", "");
}

function bold(line) {
  return line === "" ? "" : `\\fB${literal(line)}\\fR`;
}

/** Formats text: code and emphasis in bold, links as their text. */
function text(markdown) {
  const pieces = markdown.replace(/\[([^\]]+)\]\([^)]*\)/g, "$1").split(/(`[^`]+`|\*\*[^*]+\*\*)/);
  const line = pieces
    .map((piece) =>
      /^[`*]/.test(piece) && piece.length > 2 ? bold(piece.replace(/^[`*]+|[`*]+$/g, "")) : escaped(piece),
    )
    .join("");
  return guarded(line);
}

/** Text to type: the ASCII hyphen, so that it can be copied. */
function literal(line) {
  return escaped(line).replaceAll("-", "\\-");
}

function escaped(line) {
  return line.replaceAll("\\", "\\e");
}

/** Escapes a leading dot or apostrophe, which would be a request. */
function guarded(line) {
  return /^[.']/.test(line) ? `\\&${line}` : line;
}
