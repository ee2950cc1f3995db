import { type ExecFileException, execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** Follows each recipe of CONTRIBUTING on a copy of the sources, changing only the files it names. */

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, "../..");

/** Lines to insert after a text of an existing file, or the complete text of a new file. */
interface Addition {
  readonly file: string;
  readonly after?: string;
  readonly lines: string;
}

interface Recipe {
  /** Files that it may change, except tests and docs. */
  readonly most: number;
  readonly additions: readonly Addition[];
  /** Files in which the compiler reports missing parts when only the first addition is made. */
  readonly missing: readonly string[];
}

const RECIPES: Readonly<Record<string, Recipe>> = {
  "A field of a message": {
    most: 6,
    additions: [
      {
        file: "src/mail/records/message.ts",
        after: "  readonly isAutomatic: boolean;\n",
        lines: "  readonly organization: string | null;\n",
      },
      {
        file: "src/mime/envelope/envelope.ts",
        after: "    isAutomatic: isAutomatic(fields),\n",
        lines: '    organization: decodedField(fields, "organization", charset).trim() || null,\n',
      },
      {
        file: "src/mapi/message/mapi-message.ts",
        after: "    isAutomatic: headers?.isAutomatic ?? false,\n",
        lines: "    organization: headers?.organization ?? null,\n",
      },
      {
        file: "src/olm/olm-message.ts",
        after: "    isAutomatic: false,\n",
        lines: "    organization: null,\n",
      },
      {
        file: "src/store/tables/message-tables.ts",
        after: '  findings: findings("findings"),\n',
        lines: '  organization: since(1_000, optional(text("organization"))),\n',
      },
      {
        file: "src/document/extraction-records.ts",
        after: '  inReplyTo: ["in_reply_to", list(TEXT)],\n',
        lines: '  organization: ["organization", notInEarlier(TEXT)],\n',
      },
    ],
    missing: [
      "src/mime/envelope/envelope.ts",
      "src/mapi/message/mapi-message.ts",
      "src/olm/olm-message.ts",
      "src/store/tables/message-tables.ts",
      // Without a published field there is nothing to import.
      "src/store/archive/import-document.ts",
    ],
  },
  "A query operator": {
    most: 3,
    additions: [
      { file: "src/search/query/query-operators.ts", after: '  | "smaller"\n', lines: '  | "longer"\n' },
      {
        file: "src/search/query/query-operators.ts",
        after: '  smaller: value("smaller", readSize),\n',
        lines: '  longer: value("longer", readSize),\n',
      },
      {
        file: "src/search/matching/queried-fields.ts",
        after: "  label: fact(FACT_TESTS.label),\n",
        lines: `  longer: {
    lookUp: NO_LOOKUP,
    match: ({ text }, within, { source }) =>
      where(within, (document) => source.columns.lengths[document]! > Number(text)),
  },
`,
      },
      {
        file: "src/web/words/query-words.ts",
        after: '  [["larger:1M", "smaller:20k"], "larger or smaller than this size"],\n',
        lines: '  [["longer:100"], "of more words"],\n',
      },
    ],
    missing: ["src/search/matching/queried-fields.ts"],
  },
  "A view of the page": {
    most: 3,
    additions: [
      {
        file: "src/web/shell/addresses.ts",
        after: '  { view: "warnings", path: "/a/{archive}/about/warnings", title: "Warnings", parent: "about" },\n',
        lines: '  { view: "sizes", path: "/a/{archive}/sizes", title: "Sizes", parent: "about" },\n',
      },
      {
        file: "src/web/views.ts",
        after: "  help,\n",
        lines: '  sizes: async () => (await import("./sizes/sizes-view.tsx")).SizesView,\n',
      },
      {
        file: "src/web/sizes/sizes-view.tsx",
        lines: `import { ViewHead } from "../parts/view-head.tsx";
import { WORDS } from "../words/words.ts";

export function SizesView() {
  return <ViewHead title={WORDS.views.sizes} />;
}
`,
      },
    ],
    missing: ["src/web/views.ts"],
  },
  "An error code": {
    most: 2,
    additions: [
      {
        file: "src/errors.ts",
        after: "export const ERRORS = {\n",
        lines: '  NAMES_EMPTY: { httpStatus: 400, exitCode: 3, hint: "write id or date" },\n',
      },
      {
        file: "src/outputs/export/export-names.ts",
        after: "export function emlNamesOf(format: ExportFormatName, text: string): EmlNames {\n",
        lines: '  if (text === "") throw new ArchiveError("NAMES_EMPTY", "--names is empty");\n',
      },
    ],
    missing: [],
  },
  "A redaction type": {
    most: 4,
    additions: [
      {
        file: "src/mail/records/provenance.ts",
        after: "export const NAMED_PII_TYPES = [",
        lines: '"insurance", ',
      },
      {
        file: "src/redaction/insurance.ts",
        lines: `import { isWordCharacter, type Span } from "./characters.ts";

const NUMBER = /[A-Z]{2}\\d{6}[A-D]/y;

/** The national insurance number that begins at \`start\`, or null. */
export function matchInsurance(text: string, start: number, floor: number): Span | null {
  if (start > floor && isWordCharacter(text.charCodeAt(start - 1))) return null;
  NUMBER.lastIndex = start;
  return NUMBER.test(text) ? { start, end: NUMBER.lastIndex } : null;
}
`,
      },
      {
        file: "src/redaction/pii-rows.ts",
        after: 'import { type Ipv6Match, matchIpv4, matchIpv6 } from "./ip.ts";\n',
        lines: 'import { matchInsurance } from "./insurance.ts";\n',
      },
      {
        file: "src/redaction/pii-rows.ts",
        after: '  iban: [{ trigger: "letters", match: matchIban }],\n',
        lines: '  insurance: [{ trigger: "letters", match: matchInsurance }],\n',
      },
      {
        file: "src/web/words/archives-words.ts",
        after: '    iban: "IBANs",\n',
        lines: '    insurance: "national insurance numbers",\n',
      },
    ],
    missing: ["src/redaction/pii-rows.ts"],
  },
  "An export format": {
    most: 3,
    additions: [
      { file: "src/outputs/export/export-names.ts", after: '  "jsonl",\n', lines: '  "subjects",\n' },
      {
        file: "src/outputs/export/subject-lines.ts",
        lines: `import type { ExportContent, ExportPlace } from "./export-content.ts";

export async function writeSubjects(content: ExportContent, { target, fileName }: ExportPlace): Promise<void> {
  const file = target.openFile(fileName);
  for await (const { subject } of content.messages()) file.write(\`\${subject}\\n\`);
  target.closeFile(file);
}
`,
      },
      {
        file: "src/outputs/export/export-formats.ts",
        after: "export const FORMATS: Readonly<Record<ExportFormatName, ExportFormat>> = {\n",
        lines:
          '  subjects: { gives: "subjects", shape: "file", extension: ".txt", ofMessages: true, write: writeSubjects },\n',
      },
      {
        file: "src/outputs/export/export-formats.ts",
        after: 'import type { ExportFile } from "./export-target.ts";\n',
        lines: 'import { writeSubjects } from "./subject-lines.ts";\n',
      },
    ],
    missing: ["src/outputs/export/export-formats.ts"],
  },
};

const PARTS = Object.values(RECIPES);
const additions = PARTS.flatMap((recipe) => recipe.additions);

const scratch = mkdtempSync(join(tmpdir(), "archivetool-recipes-"));
/** With every recipe, and with the first addition of each alone. */
const [whole, begun] = [join(scratch, "whole"), join(scratch, "begun")];
const mailDirectory = join(scratch, "mail");
const inside = (...path: string[]): string => join(scratch, ...path);

function copySources(directory: string, parts: readonly Addition[]): void {
  cpSync(join(ROOT, "src"), join(directory, "src"), { recursive: true });
  for (const name of ["package.json", "tsconfig.base.json"]) cpSync(join(ROOT, name), join(directory, name));
  symlinkSync(join(ROOT, "node_modules"), join(directory, "node_modules"));
  writeFileSync(
    join(directory, "tsconfig.json"),
    JSON.stringify({
      extends: "./src/web/tsconfig.json",
      compilerOptions: { types: ["node"] },
      include: ["src"],
      exclude: ["src/**/*.test.ts", "src/graph-view", "src/outputs/graph-page/client"],
    }),
  );
  for (const { file, after, lines } of parts) {
    const path = join(directory, file);
    if (after === undefined) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, lines);
      continue;
    }
    const before = readFileSync(path, "utf8");
    expect(before.split(after), `${file}: ${after}`).toHaveLength(2);
    writeFileSync(
      path,
      before.replace(after, () => after + lines),
    );
  }
}

/**
 * Output of the compiler. It checks page and program together, which takes half the time of separate checks. With one
 * checker and less garbage collection, it takes half of the CPU time.
 */
async function typeErrors(project: string): Promise<string> {
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  const env = { ...process.env, GOGC: "400" };
  return run(process.execPath, [compiler, "-p", project, "--checkers", "1"], { env }).then(
    ({ stdout }) => stdout,
    ({ stdout }: ExecFileException) => stdout ?? "",
  );
}

const mail = (number: number, ...fields: readonly string[]): string =>
  [
    `Message-ID: <${number}@ridge.example>`,
    "From: ann@ridge.example",
    `Subject: Report ${number}`,
    ...fields,
    "",
    `Text ${number} of QQ123456C`,
    "",
  ].join("\n");

beforeAll(() => {
  copySources(whole, additions);
  cpSync(join(ROOT, "scripts"), join(whole, "scripts"), { recursive: true });
  cpSync(join(ROOT, "dist", "data"), join(whole, "dist", "data"), { recursive: true });
  mkdirSync(mailDirectory);
});
afterAll(() => {
  rmSync(scratch, { recursive: true, force: true });
});

async function archivetool(root: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [join(root, "dist", "cli", "main.js"), ...args], { cwd: scratch });
  return stdout;
}

async function extract(root: string, output: string, ...options: readonly string[]): Promise<void> {
  await archivetool(root, "-q", "extract", mailDirectory, "-o", output, "--json", "--no-wiki", ...options);
}

function messagesIn(output: string): readonly Readonly<Record<string, unknown>>[] {
  return JSON.parse(readFileSync(inside(output, "extraction.json"), "utf8")).messages;
}

const organizations = (output: string): readonly unknown[] =>
  messagesIn(output).map((message) => ("organization" in message ? message["organization"] : "no field"));

describe.each(Object.entries(RECIPES))("%s", (name, recipe) => {
  const files = [...new Set(recipe.additions.map(({ file }) => file))];

  it("touches few files", () => {
    expect(files.length).toBeLessThanOrEqual(recipe.most);
  });

  it("is a recipe of CONTRIBUTING that lists its files", () => {
    const contributing = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8");
    const text = contributing.split(`**${name}.**`)[1]?.split("\n**")[0] ?? "";
    const existing = recipe.additions.filter(({ after }) => after !== undefined).map(({ file }) => file);
    expect(existing.filter((file) => !text.includes(file))).toEqual([]);
  });
});

it("does not compile while a part of a recipe is missing", async () => {
  copySources(
    begun,
    PARTS.map((recipe) => recipe.additions[0]!),
  );
  const errors = await typeErrors(begun);

  const missing = PARTS.flatMap((recipe) => recipe.missing);
  expect(missing.filter((file) => !errors.includes(`${file}(`))).toEqual([]);
});

it("compiles with all recipes, the page too", async () => {
  expect(await typeErrors(whole)).toBe("");
});

it("uses the additions of the recipes", async () => {
  const bundling = 'import("./scripts/bundle-program.mjs").then(({ bundleProgram }) => bundleProgram("dist"))';
  await run(process.execPath, ["-e", bundling], { cwd: whole });
  writeFileSync(join(mailDirectory, "1.eml"), mail(1, "Organization: Harbour office"));
  await extract(ROOT, "grown");
  expect(organizations("grown")).toEqual(["no field"]);
  writeFileSync(join(mailDirectory, "2.eml"), mail(2, "Organization: Pilots, ask bob.lee@ridge.example"));
  await extract(whole, "grown", "--incremental");
  expect(organizations("grown")).toEqual([null, "Pilots, ask bob.lee@ridge.example"]);
  await extract(whole, "redacted", "--redact", "email,insurance");
  expect(organizations("redacted")).toEqual(["Harbour office", "Pilots, ask [REDACTED:email]"]);
  expect(messagesIn("redacted")[0]!["body"]).toContain("of [REDACTED:insurance]");

  expect(JSON.parse(await archivetool(whole, "search", "grown", "longer:1", "--json")).results).toHaveLength(2);
  expect(JSON.parse(await archivetool(whole, "search", "grown", "longer:99", "--json")).results).toEqual([]);
  await archivetool(whole, "export", "grown", "--format", "subjects", "-o", "subjects.txt");
  expect(readFileSync(inside("subjects.txt"), "utf8").trim().split("\n").sort()).toEqual(["Report 1", "Report 2"]);
  await expect(
    archivetool(whole, "export", "grown", "--format", "eml", "-o", "eml", "--names", ""),
  ).rejects.toMatchObject({ code: 3, stderr: expect.stringContaining("--names is empty") });
});
