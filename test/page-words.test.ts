import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAst } from "vitest/node";

/**
 * Texts of the page are in `src/web/words` (one table per lazily loaded part), in the table of keys, and in two files
 * for the graph, which `viz` also writes. Translators, and readers who look for a term, find everything there. Views
 * contain no texts.
 */

const SOURCES = resolve(import.meta.dirname, "../src");
const ROOMS = ["web", "graph-view"];
const WORDS_LIE_IN =
  /^(?:web[/\\](?:words[/\\]|shell[/\\](?:key-table|addresses)\.ts$)|graph-view[/\\](?:painting[/\\]picture-words|model[/\\]wording)\.ts$)/;
/** Attributes that are displayed or read aloud. */
const SHOWN_ATTRIBUTES =
  /^(?:aria-(?:label|description|valuetext|placeholder|roledescription)|alt|label|placeholder|summary|text|title)$/;
const LETTER = /\p{L}/u;
/** Consecutive words as in sentences: two after a capital letter, or three. */
const SENTENCE = /\p{Lu}\p{Ll}+ \p{L}|\p{Ll} \p{Ll}+ \p{Ll}/u;

const sources = ROOMS.flatMap((room) =>
  readdirSync(join(SOURCES, room), { recursive: true, encoding: "utf8" }).map((file) => join(room, file)),
)
  .filter((file) => /\.tsx?$/.test(file) && !/\.(?:test|d)\.tsx?$/.test(file) && !WORDS_LIE_IN.test(file))
  .map((file) => [file, readFileSync(join(SOURCES, file), "utf8")] as const);

/** A node of the syntax tree (ESTree with JSX), with the fields used here. */
interface Node {
  readonly type: string;
  readonly [part: string]: unknown;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

function partsOf(node: Node): readonly Node[] {
  return Object.values(node).flat().filter(isNode);
}

/** Subexpressions that can be the value of an expression: both branches of a condition, but not its test. */
const GIVING: Readonly<Record<string, readonly string[]>> = {
  JSXExpressionContainer: ["expression"],
  ParenthesizedExpression: ["expression"],
  ConditionalExpression: ["consequent", "alternate"],
  LogicalExpression: ["left", "right"],
  TemplateLiteral: ["quasis", "expressions"],
};

/** The literals that an expression can evaluate to. */
function given(node: Node): readonly string[] {
  if (node.type === "Literal") return typeof node["value"] === "string" ? [node["value"]] : [];
  if (node.type === "TemplateElement") return [(node["value"] as { readonly raw: string }).raw];
  const names = node.type === "BinaryExpression" && node["operator"] === "+" ? ["left", "right"] : GIVING[node.type];
  return (names ?? []).flatMap((name) => [node[name]].flat().filter(isNode).flatMap(given));
}

const nameOf = (node: Node): string => String((node["name"] as Node | undefined)?.["name"] ?? "");

/** The texts that a node can display. */
function shownBy(node: Node): readonly string[] {
  if (node.type === "JSXText") return [String(node["value"])];
  if (node.type === "JSXElement" || node.type === "JSXFragment")
    return (node["children"] as readonly Node[]).filter(({ type }) => type === "JSXExpressionContainer").flatMap(given);
  if (node.type === "JSXAttribute" && SHOWN_ATTRIBUTES.test(nameOf(node)) && isNode(node["value"]))
    return given(node["value"]);
  if (node.type !== "Property") return [];
  // Elements created by script have their attributes in an object.
  const { name, value } = node["key"] as Node;
  const isShown = /^(?:label|text|title)$/.test(String(name)) || SHOWN_ATTRIBUTES.test(String(value));
  return isShown ? given(node["value"] as Node) : [];
}

/** Functions with a selector as argument. */
const SELECTING = /^(?:querySelector|querySelectorAll|closest|matches|matchMedia)$/;

/** Parts of a node that may contain a sentence, without names of classes, files or elements. */
function searchedParts(node: Node): readonly Node[] {
  if (node.type === "ImportDeclaration" || node.type === "ImportExpression") return [];
  if (node.type === "JSXAttribute" && ["class", "sandbox", "rel"].includes(nameOf(node))) return [];
  const callee = node.type === "CallExpression" ? (node["callee"] as Node) : null;
  const called = String(((callee?.["property"] ?? callee) as Node | null)?.["name"] ?? "");
  return SELECTING.test(called) ? [callee!] : partsOf(node);
}

/** Displayed texts of a file that are in no table. */
function literalWords(file: string, text: string): readonly string[] {
  const found: string[] = [];
  const waiting: Node[] = [parseAst(text, { lang: file.endsWith("x") ? "tsx" : "ts" }) as unknown as Node];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    found.push(...shownBy(node).filter((words) => LETTER.test(words)));
    if (node.type === "Literal" || node.type === "TemplateElement")
      found.push(...given(node).filter((words) => SENTENCE.test(words)));
    waiting.push(...searchedParts(node));
  }
  return [...new Set(found)].map((words) => `${file}: ${words.trim()}`);
}

describe("words of the page", () => {
  it("are in their tables, and in no view", () => {
    expect(sources.length).toBeGreaterThan(100);
    expect(sources.flatMap(([file, text]) => literalWords(file, text))).toEqual([]);
  });

  it.each([
    ["text", "<p>Nothing here</p>"],
    ["text beside a value", "<p>{count} mails</p>"],
    ["a label", '<button aria-label="Close" />'],
    ["a title in braces", '<a title={isOpen ? "Fold" : words.unfold} />'],
    ["a placeholder", "<input placeholder={'Search ' + name} />"],
    ["what a condition gives", '<p>{count === 0 ? "none" : count}</p>'],
    ["what stands for nothing", '<p>{name || "nobody"}</p>'],
    ["a column", '<Table columns={[{ name: "x", label: "Sender" }]} />'],
    ["an attribute of what is made by hand", 'const made = make("input", { "aria-label": "Find" });'],
    ["a sentence anywhere", 'const hint = "Choose a file";'],
  ])("are in their tables: %s", (_, code) => {
    expect(literalWords("view.tsx", code.startsWith("<") ? `const drawn = ${code};` : code)).toHaveLength(1);
  });

  it.each([
    '<p class="two words">{words.none} · {counted(count)}</p>',
    '<details class={isOpen ? "open menu" : "menu"}>{view === "list" ? words.list : words.sheet}</details>',
    '<a href={address("search", {}, { q: "is:undated" })} title={words.all}>{name} +{count}</a>',
    'const input = document.querySelector("dialog input");',
  ])("are not found in other texts: %s", (code) => {
    expect(literalWords("view.tsx", code.startsWith("<") ? `const drawn = ${code};` : code)).toEqual([]);
  });
});
