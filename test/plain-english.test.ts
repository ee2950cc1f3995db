import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAst } from "vitest/node";

/**
 * Patterns that an editor would rewrite. Text for users has none; docs and comments have ceilings that may only fall:
 * lower them when you remove hits.
 */
const PATTERNS: readonly RegExp[] = [
  /\b(?:is|are|was|were) told\b/i,
  /\btells? (?:of|how|what|why|which|where)\b/i,
  /\b(?:lies?|lay|stands?|stood) (?:in|beside|behind|at|there|where|outside)\b/i,
  /(?<!\bthere )\b(?:is|are) none\b/i,
  /\banew\b/i,
  /\bgo(?:es|ne)? on with\b/i,
  /\bbeside\b/i,
  /\bone a (?:line|file|message)\b/i,
  /\bcut short\b/i,
  /\bhow (?:far|much) of\b/i,
  /\bmeanwhile\b/i,
  /\bany more\b/i,
  /\bmay (?:be had|ask)\b/i,
  /\bsome \d/i,
  /\bcolour|\blicence\b|\banalyse/i,
];
/** A repeated message is a duplicate: mail users read "copy" as Cc. */
const COPY_PATTERNS: readonly RegExp[] = [
  /\bcop(?:y|ies) of (?:an?|one|the|each|every|its|that|this) (?:message|mail|email)s?\b/i,
  /\b(?:other|further|several|known|kept|all|the|its|no) copies\b/i,
];
/** In titles of tests, programs return and reject, and people have names. */
const TITLE_PATTERNS: readonly RegExp[] = [
  /\b(?:told|tells?|says?|asked|asks|hears?|knows?|bears?|refuses?|refused|forgets?)\b/i,
  /\b(?:nobody|somebody|whoever|of its own|go(?:es)? on|lies|stands?)\b/i,
];
const CEILINGS = { strings: 0, docs: 0, comments: 0, titles: 0 };
/** Maximum words of a sentence in a page, and of its average sentence. */
const MAX_SENTENCE_WORDS = 40;
const MAX_MEAN_WORDS = 20;

const ROOT = resolve(import.meta.dirname, "..");
const readText = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const filesOf = (directory: string, pattern: RegExp): readonly string[] =>
  readdirSync(join(ROOT, directory), { recursive: true, encoding: "utf8" })
    .map((name) => `${directory}/${name.replaceAll("\\", "/")}`)
    .filter((name) => pattern.test(name) && !/\.(?:test|d)\.tsx?$/.test(name))
    .sort();

const sources = filesOf("src", /\.tsx?$/);
/** Text for users: the tables of words, the error table, and the command line. */
const worded = sources.filter((file) =>
  /^src\/(?:web\/words\/|web\/shell\/key-table|graph-view\/(?:painting\/picture-words|model\/wording)|errors\.ts|cli\/)/.test(
    file,
  ),
);
const tests = ["src", "test"].flatMap((directory) =>
  readdirSync(join(ROOT, directory), { recursive: true, encoding: "utf8" })
    .map((name) => `${directory}/${name.replaceAll("\\", "/")}`)
    .filter((name) => /\.test\.tsx?$/.test(name)),
);
const pages = ["README.md", "CONTRIBUTING.md", "deploy/README.md", ...filesOf("docs", /\.md$/)];

interface Node {
  readonly type: string;
  readonly [part: string]: unknown;
}

/** String and template literals of a file. */
function stringsOf(file: string): readonly string[] {
  const found: string[] = [];
  const pending: unknown[] = [parseAst(readText(file), { lang: file.endsWith("x") ? "tsx" : "ts" })];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== "object" || next === null) continue;
    const node = next as Node;
    if (node.type === "ImportDeclaration" || node.type === "ImportExpression") continue;
    if (node.type === "Literal" && typeof node["value"] === "string") found.push(node["value"]);
    else if (node.type === "TemplateElement") found.push((node["value"] as { readonly raw: string }).raw);
    else pending.push(...Object.values(node).filter((part) => part !== null && part !== undefined));
  }
  return found;
}

/** Titles of a file of tests: first arguments of `it`, `test` and `describe`, also after `each` and `skipIf`. */
function titlesOf(file: string): readonly string[] {
  const found: string[] = [];
  const pending: unknown[] = [parseAst(readText(file), { lang: "ts" })];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== "object" || next === null) continue;
    const node = next as Node;
    if (node.type === "CallExpression" && /^(?:it|test|describe)$/.test(rootOf(node))) {
      const [title] = node["arguments"] as readonly Node[];
      if (title?.type === "Literal" && typeof title["value"] === "string") found.push(title["value"]);
      if (title?.type === "TemplateLiteral")
        found.push(...(title["quasis"] as readonly Node[]).map((part) => (part["value"] as { raw: string }).raw));
    }
    pending.push(...Object.values(node).filter((part) => part !== null && part !== undefined));
  }
  return found;
}

/** The identifier that a chain of calls and members begins with. */
function rootOf(node: Node): string {
  let root = node;
  while (root.type === "CallExpression" || root.type === "MemberExpression")
    root = (root["callee"] ?? root["object"]) as Node;
  return root.type === "Identifier" ? (root["name"] as string) : "";
}

const commentsOf = (file: string): readonly string[] =>
  readText(file)
    .split("\n")
    .filter((line) => /^\s*(?:\/\*\*|\*|\/\/)/.test(line));

/** Prose of a page: no code blocks and no code spans. */
const proseOf = (page: string): readonly string[] =>
  readText(page)
    .replace(/```.*?```/gs, "")
    .replace(/`[^`]*`/g, "")
    .split("\n");

/** Sentences of paragraphs, lists and table cells, as lists of words. */
const sentencesOf = (page: string): readonly (readonly string[])[] =>
  proseOf(page)
    .filter((line) => !/^#|^\|[ |:-]+\|$/.test(line))
    .flatMap((line) => line.replace(/\]\([^)]*\)/g, "]").split(/\||(?<=[.!?])["”)*]*\s+/))
    .map((sentence) => sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)))
    .filter((words) => words.length > 0);

function hitsIn(
  files: readonly string[],
  textsOf: (file: string) => readonly string[],
  patterns = [...PATTERNS, ...COPY_PATTERNS],
): readonly string[] {
  return files.flatMap((file) =>
    textsOf(file).flatMap((text) =>
      patterns.filter((pattern) => pattern.test(text)).map((pattern) => `${file}: ${text.trim()} (${pattern.source})`),
    ),
  );
}

describe("plain English", () => {
  it.each([
    ["strings", hitsIn(worded, stringsOf)],
    ["docs", hitsIn(pages, proseOf)],
    ["comments", hitsIn(sources, commentsOf, [...PATTERNS])],
    ["titles", hitsIn(tests, titlesOf, [...PATTERNS, ...TITLE_PATTERNS])],
  ] as const)("%s: no more hits than the ceiling", (scope, hits) => {
    expect(hits.length, hits.slice(0, 400).join("\n")).toBeLessThanOrEqual(CEILINGS[scope]);
  });

  it.each(pages)("%s: sentences are short", (page) => {
    const sentences = sentencesOf(page);
    const long = sentences.filter((words) => words.length > MAX_SENTENCE_WORDS).map((words) => words.join(" "));
    expect(long).toEqual([]);
    const words = sentences.reduce((sum, sentence) => sum + sentence.length, 0);
    expect(words / sentences.length).toBeLessThanOrEqual(MAX_MEAN_WORDS);
  });
});
