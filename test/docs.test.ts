import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { Command, Option } from "commander";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { EXAMPLE_SEED, exampleCompany } from "../examples/company/company.ts";
import { createProgram } from "../src/cli/program.ts";
import { contactArc, contactNode } from "../src/document/contact-graph.ts";
import { graphPayloadSchema } from "../src/document/contact-graph-schema.ts";
import { ATTACHMENT, SOURCE as SOURCE_RECORD } from "../src/document/extraction-records.ts";
import { ELEMENT_SCHEMAS, extractionSchema } from "../src/document/extraction-schema.ts";
import { provenanceSchema } from "../src/document/provenance-schema.ts";
import { EXTRACTION_SCHEMA_VERSION } from "../src/document/published-values.ts";
import { schemaOf } from "../src/document/record-schema.ts";
import { addressSchema, countsSchema } from "../src/document/wire-values.ts";
import { ERRORS } from "../src/errors.ts";
import { PHASES } from "../src/extraction/extraction-event.ts";
import { EXPLORE_API } from "../src/http/explore-api/explore-routes.ts";
import { ORIGINAL_CHECK_PATHS } from "../src/http/explore-api/routes/original-check.ts";
import { ORIGINAL_PAGE_PATHS } from "../src/http/explore-api/routes/original-pages.ts";
import { LOCAL_ROUTES } from "../src/http/local-server/local-routes.ts";
import { QUERY_ROUTES } from "../src/http/query-api/routes.ts";
import { API_VERSION } from "../src/http/query-api/wire.ts";
import { OPTION_FIELDS } from "../src/http/upload-service/base/upload-form.ts";
import { UPLOAD_ENDINGS } from "../src/http/upload-service/base/upload-kind.ts";
import {
  serviceHealthSchema,
  uploadCountsSchema,
  uploadDetailSchema,
  uploadProvenanceSchema,
} from "../src/http/upload-service/base/wire.ts";
import { phaseEventSchema } from "../src/http/upload-service/base/wire-uploads.ts";
import { EXPLORE_ROUTES } from "../src/http/upload-service/routes/explore-routes.ts";
import { SERVICE_ROUTES } from "../src/http/upload-service/routes/service-routes.ts";
import { contactId } from "../src/mail/records/ids.ts";
import type { ContactOrdinal } from "../src/mail/records/ordinal.ts";
import { SOURCE_FORMATS } from "../src/mail/records/source-formats.ts";
import { WARNING_CODES } from "../src/mail/records/warning-codes.ts";
import { UPLOAD_STATUSES } from "../src/mail/uploads.ts";
import { TOOLS } from "../src/mcp/mail-server.ts";
import { DEFAULT_TOKENS, MAX_TOKENS } from "../src/mcp/tool-row.ts";
import { CONTACT_COLUMNS, EMAIL_COLUMNS, THREAD_COLUMNS } from "../src/outputs/csv/csv-tables.ts";
import { formatCount } from "../src/text/tokens/format-count.ts";
import { TOOL_VERSION } from "../src/version.ts";
import { KEYS } from "../src/web/shell/key-table.ts";

const ROOT = resolve(import.meta.dirname, "..");
const SOURCE = join(ROOT, "src");

const readText = (path: string): string => readFileSync(join(ROOT, path), "utf8");

/** Every page of the project, relative to the root. */
const PAGES: readonly string[] = [
  ...readdirSync(ROOT).filter((name) => name.endsWith(".md")),
  ...readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name.replaceAll("\\", "/")}`),
];

const SOURCE_FILES: readonly string[] = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
  .map((name) => `src/${name.replaceAll("\\", "/")}`);

interface Section {
  readonly title: string;
  readonly text: string;
  /** Cells of the table rows in it, without the header row. */
  readonly rows: readonly (readonly string[])[];
}

/** The sections of a page: from each heading to the next one. Lines in code blocks are not headings. */
function sectionsOf(page: string): readonly Section[] {
  const sections: { title: string; lines: string[] }[] = [{ title: "", lines: [] }];
  let isCode = false;
  for (const line of readText(page).split("\n")) {
    if (line.startsWith("```")) isCode = !isCode;
    const heading = isCode ? null : /^#+ (.+)$/.exec(line);
    if (heading === null) sections.at(-1)?.lines.push(line);
    else sections.push({ title: heading[1]!, lines: [] });
  }
  return sections.map(({ title, lines }) => ({ title, text: lines.join("\n"), rows: rowsOf(lines) }));
}

function rowsOf(lines: readonly string[]): readonly (readonly string[])[] {
  const rows: string[][] = [];
  for (const [at, line] of lines.entries()) {
    const isHead = /^\|[ |:-]+\|$/.test(lines[at + 1] ?? "");
    if (!line.startsWith("|") || isHead || /^\|[ |:-]+\|$/.test(line)) continue;
    rows.push(
      line
        .slice(1, -1)
        .split("|")
        .map((text) => text.trim()),
    );
  }
  return rows;
}

function sectionOf(page: string, title: string): Section {
  const found = sectionsOf(page).filter((section) => section.title === title);
  expect(
    found.map((section) => section.title),
    `${page}: one section "${title}"`,
  ).toEqual([title]);
  return found[0]!;
}

const plain = (cell: string | undefined): string => (cell ?? "").replaceAll("`", "");
const sorted = (words: Iterable<string>): string[] => [...new Set(words)].sort();
const firstCells = (section: Section): string[] => section.rows.map((row) => plain(row[0]));
/** Fields of a table; one row may list several. */
const fieldCells = (section: Section): string[] => firstCells(section).flatMap((cell) => cell.split(", "));

/** Subcommands with their parent, such as `service add`. */
function nameOf(command: Command): string {
  return command.parent?.parent ? `${command.parent.name()} ${command.name()}` : command.name();
}

const { command: program } = await createProgram({
  signal: new AbortController().signal,
  print: () => undefined,
  writeError: () => undefined,
});

describe("docs/reference/cli.md", () => {
  const own = (command: Command): readonly Command[] => command.commands.filter((sub) => sub.name() !== "help");
  const commands = own(program).flatMap((command) => [command, ...own(command)]);
  const PAGE = "docs/reference/cli.md";
  const COMMON: readonly string[] = ["-v, --verbose", "-q, --quiet"];

  it("has a section for each command", () => {
    const documented = sectionsOf(PAGE).flatMap(({ title }) => (/^archivetool (.+)$/.exec(title) ?? []).slice(1));
    expect(sorted(documented)).toEqual(sorted(commands.map(nameOf)));
  });

  it.each(commands.map((command) => [nameOf(command), command] as const))(
    "documents arguments, flags and defaults of %s",
    (name, command) => {
      const section = sectionOf(PAGE, `archivetool ${name}`);
      expect(section.text).toContain(usageOf(command));
      const options = command.options.filter((option) => !option.hidden && !COMMON.includes(option.flags));
      expect(sorted(firstCells(section))).toEqual(sorted(options.map((option) => option.flags)));
      for (const option of options) {
        const row = section.rows.find((cells) => plain(cells[0]) === option.flags) ?? [];
        expect(plain(row[1]), `default of ${option.flags}`).toMatch(defaultOf(option));
      }
    },
  );

  it("documents the global flags", () => {
    const documented = sectionsOf(PAGE).find(({ title }) => title === "Command line");
    expect(sorted(firstCells(documented!))).toEqual(sorted([...COMMON, "-h, --help"]));
    expect(readText(PAGE)).toContain("archivetool --version");
    for (const flags of COMMON) {
      expect(program.options.map((option) => option.flags)).toContain(flags);
      for (const command of own(program)) expect(command.options.map((option) => option.flags)).toContain(flags);
    }
  });

  it("documents every environment variable that the source reads", () => {
    // The AWS SDK reads the other variables of this prefix.
    const ofSdk = (name: string): boolean => name.startsWith("AWS_");
    const read = SOURCE_FILES.flatMap((file) =>
      Array.from(readText(file).matchAll(/process\.env\["(\w+)"\]/g), (match) => match[1]!),
    );
    const documented = firstCells(sectionOf("docs/reference/configuration.md", "Environment")).flatMap((cell) =>
      cell.split(", "),
    );
    expect(sorted(documented.filter((name) => !ofSdk(name)))).toEqual(sorted(read.filter((name) => !ofSdk(name))));
    expect(documented).toEqual(expect.arrayContaining(["AWS_PROFILE", "AWS_REGION", "AWS_ENDPOINT_URL_S3"]));
  });

  it("lists exactly the error codes with their HTTP status", () => {
    const rows = sectionOf("docs/reference/errors.md", "Errors").rows.map((row) => `${plain(row[0])} ${row[1]}`);
    const codes = Object.entries(ERRORS).map(([code, { httpStatus }]) => `${code} ${httpStatus}`);
    expect(sorted(rows)).toEqual(sorted(codes));
  });

  function usageOf(command: Command): string {
    const names = command.registeredArguments.map((argument) => {
      const name = argument.name() + (argument.variadic ? "..." : "");
      return argument.required ? `<${name}>` : `[${name}]`;
    });
    return ["archivetool", nameOf(command), ...names].join(" ");
  }

  /** A value appears unchanged; a switch is `on` or `off`; an option without a default has a word. */
  function defaultOf(option: Option): RegExp {
    if (typeof option.defaultValue === "string" || typeof option.defaultValue === "number") {
      return new RegExp(`^${String(option.defaultValue).replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`);
    }
    if (option.negate) return /^off$/;
    if (option.isBoolean() || option.optional) return option.defaultValue === true ? /^on$/ : /^off$/;
    return /^(none|unlimited|one per core)$/;
  }
});

describe("docs/reference/outputs.md", () => {
  const PAGE = "docs/reference/outputs.md";

  /** Field names of a schema with their paths, without the fields of shapes that have a separate section. */
  function fieldsOf(schema: z.ZodType, known: readonly z.ZodType[]): string[] {
    const stops = known.map((shape) => keysOf(z.toJSONSchema(shape) as JsonSchema));
    const fields: string[] = [];
    const pending: { readonly path: string; readonly schema: JsonSchema }[] = [
      { path: "", schema: z.toJSONSchema(schema) as JsonSchema },
    ];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      for (const [name, value] of Object.entries(next.schema.properties ?? {})) {
        const path = next.path === "" ? name : `${next.path}.${name}`;
        fields.push(path);
        const whole = (value.anyOf ?? []).find((branch) => branch.type !== "null") ?? value;
        const inner = whole.items ?? whole;
        if (inner.properties === undefined || stops.includes(keysOf(inner))) continue;
        pending.push({ path: whole.items === undefined ? path : `${path}[]`, schema: inner });
      }
    }
    return fields;
  }

  interface JsonSchema {
    readonly type?: string;
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly items?: JsonSchema;
    readonly anyOf?: readonly JsonSchema[];
  }

  const keysOf = (schema: JsonSchema): string => Object.keys(schema.properties ?? {}).join();
  const elements = Object.values(ELEMENT_SCHEMAS);
  const { statistics } = extractionSchema.shape;
  const attachmentSchema = schemaOf(ATTACHMENT);
  const parts = [addressSchema, countsSchema, attachmentSchema];

  it.each([
    ["Document", extractionSchema, [...elements, statistics]],
    ["Source", ELEMENT_SCHEMAS.sources, parts],
    ["Counts", countsSchema, []],
    ["Statistics", statistics, []],
    ["Contact", ELEMENT_SCHEMAS.contacts, parts],
    ["Thread", ELEMENT_SCHEMAS.threads, parts],
    ["Topic", ELEMENT_SCHEMAS.topics, parts],
    ["Calendar event", ELEMENT_SCHEMAS.calendar_events, parts],
    ["Item", ELEMENT_SCHEMAS.items, parts],
    ["Message", ELEMENT_SCHEMAS.messages, parts],
    ["Address", addressSchema, []],
    ["Attachment", attachmentSchema, []],
  ] as const)("documents exactly the fields of %s", (title, schema, known) => {
    const fields = fieldsOf(schema, known).filter((field) => title !== "Thread" || field !== "date_range");
    const leaves = fields.filter((field) => field !== "date_range");
    expect(sorted(fieldCells(sectionOf(PAGE, title)))).toEqual(sorted(leaves));
  });

  it("documents exactly the fields of provenance.json", () => {
    const own = sorted(Object.values(SOURCE_RECORD.fields).map(([name]) => `sources[].${name}`));
    const fields = fieldsOf(provenanceSchema, [countsSchema, statistics]).filter((field) => !own.includes(field));
    expect(sorted(fieldCells(sectionOf(PAGE, "Provenance")))).toEqual(sorted(fields));
  });

  it("documents exactly the fields of contacts.json", () => {
    const node = contactNode({
      id: contactId(1 as ContactOrdinal),
      name: "",
      email: "",
      messageCount: 0,
      sentCount: 0,
      receivedCount: 0,
      frequency: "low",
      firstSeen: null,
      lastSeen: null,
      sentiment: "neutral",
      communityId: "community-01",
      authorityScore: 0,
      hubScore: 0,
      pagerank: 0,
      degree: 0,
      inDegree: 0,
      outDegree: 0,
      aliases: [],
      domains: [],
    });
    expect(sorted(fieldCells(sectionOf(PAGE, "Node")))).toEqual(sorted(Object.keys(node)));
    const edge = contactArc({
      from: contactId(1 as ContactOrdinal),
      to: contactId(2 as ContactOrdinal),
      count: 1,
      weight: 1,
    });
    expect(sorted(fieldCells(sectionOf(PAGE, "Edge")))).toEqual(sorted(Object.keys(edge)));
  });

  it.each([
    ["emails.csv", EMAIL_COLUMNS.map((column) => column.name)],
    ["contacts.csv", CONTACT_COLUMNS.map((column) => column.name)],
    ["threads.csv", THREAD_COLUMNS.map((column) => column.name)],
  ] as const)("lists the columns of %s in order", (title, columns) => {
    expect(Array.from(sectionOf(PAGE, title).text.matchAll(/`([a-z_]+)`/g), (match) => match[1])).toEqual(columns);
  });

  it("contains the version of the schema", () => {
    expect(sectionOf(PAGE, "extraction.json").text).toContain(`schema version \`${EXTRACTION_SCHEMA_VERSION}\``);
  });
});

describe("docs/reference/formats", () => {
  const formats = PAGES.filter((page) => page.startsWith("docs/reference/formats/"));
  const KEBAB = /^[a-z][a-z0-9]*(?:-[a-z]+)+$/;
  const codes = Object.keys(WARNING_CODES).filter((code) => KEBAB.test(code));

  /** Codes in the first cells of tables; one cell may contain several. */
  const documented = sorted(
    formats.flatMap((page) =>
      sectionsOf(page).flatMap((section) =>
        firstCells(section).flatMap((cell) => cell.split(", ").filter((word) => KEBAB.test(word))),
      ),
    ),
  );

  it.each(SOURCE_FORMATS)(
    "has a page for $name, and lists its extensions for source arguments",
    ({ name, extensions }) => {
      expect(formats).toContain(`docs/reference/formats/${name}.md`);
      expect(readText("README.md")).toContain(`(docs/reference/formats/${name}.md)`);
      for (const extension of extensions)
        expect(sectionOf("docs/reference/cli.md", "archivetool extract").text).toContain(`\`${extension}\``);
    },
  );

  it("lists every code of a finding or warning", () => {
    expect(codes.filter((code) => !documented.includes(code))).toEqual([]);
  });

  it("lists only known codes", () => {
    expect(documented.filter((code) => !codes.includes(code))).toEqual([]);
  });

  it("lists limits with their values in the source", () => {
    const tables = PAGES.flatMap((page) =>
      Array.from(
        readText(page).matchAll(/^\| (?:Constant|Limit) \| Value.*\n.*\n((?:\|.*\n)+)/gm),
        (match) => match[1]!,
      ),
    );
    const limits = Array.from(tables.join("").matchAll(/^\| `([A-Z0-9_]+)` \| `?([^|`]+?)`? \|/gm));
    expect(limits.length).toBeGreaterThan(40);
    const sources = SOURCE_FILES.map(readText).join("\n");
    const wrong = limits.filter(([, name, value]) => !sources.includes(`const ${name} = ${value};`));
    expect(wrong.map(([, name, value]) => `${name} ${value}`)).toEqual([]);
  });

  it.each([
    ["access-control", "after 12 hours without a request, and after 7 days", "SESSION_IDLE_MS = 12 * 60 * 60 * 1000"],
    ["access-control", "after 7 days", "SESSION_LIFE_MS = 7 * 24 * 60 * 60 * 1000"],
    ["access-control", "After 10 wrong tokens", "FREE_ATTEMPTS = 10"],
    ["access-control", "one second, doubled each time", "FIRST_WAIT_MS = 1000"],
    ["access-control", "each time up to a minute", "LONGEST_WAIT_MS = 60 * 1000"],
    ["access-control", "A token name has at most 64 characters", "MAX_TOKEN_NAME_CHARACTERS = 64"],
    ["access-control", "at most once an hour for each name and upload", "OPENED_ONCE_MS = 60 * 60 * 1000"],
    ["access-control", "at most once a minute for the same words", "SEARCHED_ONCE_MS = 60 * 1000"],
    ["access-control", "Entries are deleted after 400 days", "AUDIT_DAYS = 400"],
    ["query-language", "Only the first 64 bytes of a word count", "MAX_TOKEN_BYTES = 64"],
    ["service", "Incomplete uploads are deleted after three days", "RESUMABLE_MAX_AGE_MS = 3 * 24 * 60 * 60 * 1000"],
    ["service", "or misses 1,000 events", "MAX_MISSED_EVENTS = 1000"],
    ["service", "three kills of the extraction itself", "MAX_INTERRUPTIONS = 3"],
  ])("states a limit of the source in %s: %s", (page, sentence, limit) => {
    expect(readText(`docs/reference/${page}.md`)).toContain(sentence);
    expect(SOURCE_FILES.map(readText).join("\n")).toContain(`const ${limit};`);
  });
});

describe("docs/development/architecture.md", () => {
  it("names existing files, and every room of the pipeline", () => {
    const page = readText("docs/development/architecture.md");
    const named = [...page.matchAll(/`((?:[\w-]+\/)*[\w.-]+\.ts)`/g)].map(([, path]) => path!);
    expect(named.length).toBeGreaterThan(90);
    const files = ["src", "test", "scripts"].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map(
        (name) => `/${folder}/${name.replaceAll("\\", "/")}`,
      ),
    );
    expect(named.filter((path) => !files.some((file) => file.endsWith(`/${path}`)))).toEqual([]);
    const rooms = readdirSync(resolve(ROOT, "src/extraction"), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    expect(rooms.filter(({ name }) => !page.includes(`| \`${name}/\` |`))).toEqual([]);
  });

  it("draws calls of functions that exist, in at most 40 lines", () => {
    const page = readText("docs/development/architecture.md");
    const diagrams = ["Opening an archive", "From a message to its original bytes"].map((title) => {
      const lines = page.split(`### ${title}\n`)[1]!.split("```")[1]!.trim().split("\n");
      return lines.map((line) => /^[│├└ ]*(\w+) +([\w/-]+\.ts)/.exec(line) ?? line);
    });
    expect(diagrams.map(({ length }) => length > 10 && length <= 40)).toEqual([true, true]);
    const wrong = diagrams.flat().filter((call) => {
      if (typeof call === "string") return true;
      const declared = new RegExp(`(?:function\\*? |const |^  (?:private |async )*)${call[1]}\\b`, "m");
      return !declared.test(readText(`src/${call[2]}`));
    });
    expect(wrong.map(String)).toEqual([]);
  });
});

describe("CONTRIBUTING.md", () => {
  /** Expands `{a,b}.ts` to two files. */
  const spelledOut = (path: string): readonly string[] => {
    const [, before, list, behind] = /^(.*?)\{([^}]*)\}(.*)$/.exec(path) ?? [];
    return list === undefined ? [path] : list.split(",").flatMap((name) => spelledOut(`${before}${name}${behind}`));
  };

  it("names existing files", () => {
    const named = [...readText("CONTRIBUTING.md").matchAll(/`([\w.,{}-]+\/[\w.,{}/-]+\.ts)`/g)].flatMap(([, path]) =>
      spelledOut(path!),
    );
    expect(named.length).toBeGreaterThan(40);
    const roots = ["", "src", "src/http", "src/store/tables"];
    expect(named.filter((path) => !roots.some((root) => existsSync(join(ROOT, root, path))))).toEqual([]);
  });
});

describe("docs/explanation/standards.md", () => {
  const page = readText("docs/explanation/standards.md");

  it("lists every RFC and Microsoft document in the code", () => {
    const named = SOURCE_FILES.flatMap((file) => readText(file).match(/\bRFC \d{3,5}\b|\[MS-[A-Z]+\]/g) ?? []);
    expect(named.length).toBeGreaterThan(100);
    expect(sorted(named).filter((name) => !page.includes(`| ${name} |`))).toEqual([]);
  });
});

describe("docs/reference/query-api.md and docs/reference/local-server.md", () => {
  const queryApi = PAGES.includes("docs/reference/query-api.md") ? readText("docs/reference/query-api.md") : null;
  const localServer = PAGES.includes("docs/reference/local-server.md")
    ? readText("docs/reference/local-server.md")
    : null;
  const known = QUERY_ROUTES.map(({ method, path }) => `${method} ${path}`);

  it.skipIf(queryApi === null)("documents the version, every route and every parameter of the query API", () => {
    expect(known.filter((route) => !queryApi?.includes(route))).toEqual([]);
    for (const { path, parameters } of QUERY_ROUTES) {
      for (const name of Object.keys(parameters.shape)) expect(queryApi, `${path}?${name}`).toContain(`\`${name}\``);
    }
    expect(queryApi).toContain(API_VERSION);
    for (const code of ["INVALID_QUERY", "NOT_FOUND", "INTERNAL_ERROR", "UNIMPLEMENTED"])
      expect(queryApi).toContain(code);
  });

  it.skipIf(localServer === null)("documents exactly the routes of the local server", () => {
    const rows = sectionsOf("docs/reference/local-server.md").flatMap((section) => firstCells(section));
    const documented = sorted(rows.filter((cell) => /^GET \/api\/[a-z]+$/.test(cell)));
    expect(documented).toEqual(sorted(LOCAL_ROUTES.map(({ path }) => `GET ${path}`)));
    for (const { parameters } of LOCAL_ROUTES)
      for (const name of Object.keys(parameters.shape)) expect(localServer).toContain(`\`${name}\``);
  });
});

describe("docs/reference/explore-api.md", () => {
  it("documents every route and parameter", () => {
    const documented = firstCells(sectionOf("docs/reference/explore-api.md", "Routes"));
    expect(sorted(documented)).toEqual(sorted(EXPLORE_API.routes.map(({ method, path }) => `${method} ${path}`)));
    const page = readText("docs/reference/explore-api.md");
    for (const path of [...ORIGINAL_CHECK_PATHS, ...ORIGINAL_PAGE_PATHS]) expect(page).toContain(`\`GET ${path}\``);
    for (const { parameters } of EXPLORE_API.routes)
      for (const name of Object.keys(parameters.shape)) expect(page).toContain(`\`${name}\``);
  });
});

describe("docs/reference/mcp.md", () => {
  it("documents exactly the tools, with their parameters", () => {
    const section = sectionOf("docs/reference/mcp.md", "Tools");
    expect(firstCells(section)).toEqual(TOOLS.map(({ name }) => name));
    for (const { name, parameters } of TOOLS) {
      const description = section.rows.find((cells) => plain(cells[0]) === name)?.[1] ?? "";
      const own = Object.keys(parameters.shape).filter((parameter) => !["cursor", "max_tokens"].includes(parameter));
      for (const parameter of own) expect(description).toContain(`\`${parameter}\``);
    }
    expect(section.text).toContain(`${formatCount(DEFAULT_TOKENS)} tokens`);
    expect(section.text).toContain(`to ${formatCount(MAX_TOKENS)};`);
  });
});

describe("docs/reference/service.md", () => {
  const PAGE = "docs/reference/service.md";
  const page = readText(PAGE);
  const isApiRoute = ({ path }: { readonly path: string }): boolean =>
    /^\/uploads\/\{upload_id\}\/(?:query|explore)\//.test(path);

  it("documents exactly the routes of the upload service", () => {
    const documented = firstCells(sectionOf(PAGE, "Routes")).flatMap((cell) => cell.split(", "));
    const routes = SERVICE_ROUTES.filter((route) => !isApiRoute(route)).map(({ method, path }) => `${method} ${path}`);
    expect(sorted(documented)).toEqual(sorted(routes));
    expect(SERVICE_ROUTES.filter(isApiRoute)).toHaveLength(
      QUERY_ROUTES.length + EXPLORE_API.routes.length + [...ORIGINAL_CHECK_PATHS, ...ORIGINAL_PAGE_PATHS].length + 2,
    );
  });

  it("documents every parameter of the explore routes, with its default", () => {
    const rows = sectionOf(PAGE, "Exploring").rows.map((row) => row.map(plain));
    for (const { path, parameters } of EXPLORE_ROUTES) {
      const schema = z.toJSONSchema(parameters, { io: "input" }).properties as Record<
        string,
        { readonly default?: unknown }
      >;
      for (const [name, { default: usual }] of Object.entries(schema)) {
        const row = rows.find(([route, parameter]) => parameter === name && (route === path || route === "all"));
        expect(row, `${path}?${name}`).toBeDefined();
        if (usual !== undefined) expect(row?.[2], `${path}?${name}`).toBe(String(usual));
      }
    }
    expect(rows).toHaveLength(
      new Set(
        EXPLORE_ROUTES.flatMap(({ path, parameters }) =>
          Object.keys(parameters.shape).map((name) => (name === "upload_id" ? name : path + name)),
        ),
      ).size,
    );
  });

  it("documents every field of the records, and every phase, state and status", () => {
    const fields = firstCells(sectionOf(PAGE, "Upload record")).flatMap((cell) => cell.split(", "));
    expect(sorted(fields)).toEqual(sorted(Object.keys(uploadDetailSchema.shape)));
    const nested = [
      uploadCountsSchema,
      uploadProvenanceSchema,
      phaseEventSchema,
      serviceHealthSchema,
      graphPayloadSchema,
    ];
    const words = [
      ...nested.flatMap(({ shape }) => Object.keys(shape)),
      ...PHASES,
      ...UPLOAD_STATUSES,
      ...phaseEventSchema.shape.state.options,
    ];
    for (const word of words) expect(page, word).toContain(`\`${word}\``);
  });

  it("documents the form fields of an upload", () => {
    const fields = firstCells(sectionOf(PAGE, "Uploading")).filter((cell) => /^[a-z_]+$/.test(cell));
    expect(sorted(fields)).toEqual(sorted(["file", ...OPTION_FIELDS]));
    for (const ending of UPLOAD_ENDINGS.split(" ")) expect(page).toContain(`\`${ending}\``);
  });
});

describe("deploy/", () => {
  const service = program.commands.find((candidate) => candidate.name() === "service");
  const unit = readText("deploy/archivetool.service");
  const dockerfile = readText("deploy/Dockerfile");

  /** Checks the words of a command line after the name of the program. */
  function expectKnownFlags(words: readonly string[]): void {
    expect(words[0]).toBe("service");
    const flags = words.filter((word) => word.startsWith("--"));
    expect(flags.length).toBeGreaterThan(0);
    for (const flag of flags) expect(service?.options.map((option) => option.long)).toContain(flag);
  }

  it("has a unit that starts the service with flags that exist", () => {
    const [, line = ""] = /^ExecStart=\/usr\/bin\/env archivetool (.+)$/m.exec(unit) ?? [];
    expectKnownFlags(line.split(" "));
    for (const line of unit.split("\n")) expect(line).toMatch(/^(?:#.*|\[\w+\]|[A-Z][A-Za-z]+=.*|)$/);
    expect(unit).toContain("EnvironmentFile=-/etc/archivetool.env");
    for (const hardening of [
      "NoNewPrivileges=yes",
      "ProtectSystem=strict",
      "DynamicUser=yes",
      "CapabilityBoundingSet=",
      "UMask=0077",
    ])
      expect(unit).toContain(`\n${hardening}\n`);
  });

  it("has a Dockerfile that builds from the checkout, and starts the service as an unprivileged user", () => {
    const entry = JSON.parse(/^ENTRYPOINT (\[.+\])$/m.exec(dockerfile)?.[1] ?? "[]") as string[];
    const { bin, scripts } = JSON.parse(readText("package.json")) as {
      readonly bin: Readonly<Record<string, string>>;
      readonly scripts: Readonly<Record<string, string>>;
    };
    expect(entry.slice(0, 2)).toEqual(["node", bin["archivetool"]]);
    expectKnownFlags(entry.slice(2));
    for (const [, script] of dockerfile.matchAll(/npm run (\w+)/g)) expect(Object.keys(scripts)).toContain(script);
    for (const [, files] of dockerfile.matchAll(/^COPY ((?!--from).+) \S+$/gm))
      for (const file of files!.split(" ")) expect(existsSync(join(ROOT, file)), file).toBe(true);
    const port = service?.options.find((option) => option.long === "--port")?.defaultValue;
    expect(dockerfile).toContain(`\nEXPOSE ${port}\n`);
    expect(dockerfile).toContain(`127.0.0.1:${port}/health`);
    expect(dockerfile).toMatch(/\nUSER node\n/);
  });
});

describe("README and versions", () => {
  const readme = readText("README.md");
  const { scripts, version } = JSON.parse(readText("package.json")) as {
    scripts: Record<string, string>;
    version: string;
  };

  it("has the two commands on top, and package.json has them", () => {
    const firstBlock = /```\w*\n([^`]*)```/.exec(readme)?.[1] ?? "";
    expect(Array.from(firstBlock.matchAll(/^npm (?:run )?(\w+)/gm), (match) => match[1])).toEqual(["demo", "test"]);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(["demo", "test"]));
    for (const match of PAGES.map(readText)
      .join("\n")
      .matchAll(/\bnpm run (\w+)/g))
      expect(Object.keys(scripts)).toContain(match[1]);
  });

  it("uses commands and flags that exist", () => {
    const blocks = PAGES.flatMap((page) =>
      Array.from(readText(page).matchAll(/^```\w*\n(.*?)^```/gms), (match) => match[1]!),
    );
    const lines = blocks.join("\n").matchAll(/^\$? ?(?:archivetool|node dist\/cli\/main\.js) ([a-z]+)(.*)$/gm);
    let count = 0;
    for (const [line, name, rest] of lines) {
      const used = program.commands.find((candidate) => candidate.name() === name);
      expect(used, line).toBeDefined();
      const below = used?.commands.find((candidate) => rest!.trim().split(" ")[0] === candidate.name());
      const flags = rest!.replace(/ # .*$/, "").match(/(?<= )--[a-z][a-z-]*/g) ?? [];
      for (const flag of flags)
        expect(
          [used, below].flatMap((level) => level?.options.map((option) => option.long) ?? []),
          line,
        ).toContain(flag);
      count++;
    }
    expect(count).toBeGreaterThan(10);
  });

  it("describes the example company correctly", () => {
    const { messages } = exampleCompany(EXAMPLE_SEED);
    const filedBy = (owner: string): number =>
      messages.filter(({ filings }) => filings.some((filing) => filing.owner === owner)).length;
    expect(readme).toContain(`${messages.length} messages spanning two years`);
    expect(readme).toContain(`Emails: ${messages.length}`);
    expect(readme).toContain(`[mbox]: ${filedBy("greta")} messages`);
  });

  it("lists the man page in an array, the only form that npm 11 installs", () => {
    const { man } = JSON.parse(readText("package.json")) as { readonly man: unknown };
    expect(man).toEqual(["dist/man/archivetool.1"]);
  });

  it("agrees on the version", () => {
    expect(version).toBe(TOOL_VERSION);
    expect(/^## (\S+)/m.exec(readText("CHANGELOG.md"))?.[1]).toBe(TOOL_VERSION);
  });
});

describe("every page", () => {
  /** The anchor GitHub gives a heading. */
  const anchorOf = (title: string): string =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-");

  it.each(PAGES)("%s has no broken link", (page) => {
    const broken: string[] = [];
    for (const [, target] of readText(page).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target!)) continue;
      const [path, anchor] = target!.split("#") as [string, string | undefined];
      const file = path === "" ? page : relative(ROOT, resolve(ROOT, dirname(page), path)).replaceAll("\\", "/");
      const isThere = !file.startsWith("..") && existsSync(join(ROOT, file));
      const isAnchored =
        anchor === undefined || (isThere && sectionsOf(file).some(({ title }) => anchorOf(title) === anchor));
      if (!isThere || !isAnchored) broken.push(target!);
    }
    expect(broken).toEqual([]);
  });

  it.each(PAGES)("%s stays within the project", (page) => {
    expect(
      readText(page).match(/(?:^|[\s`"'(])\/(?:work|root|home|tmp|shared|Users)\/[^\s`]*|\.\.\/shared\b|\bTODO\b/gm) ??
        [],
    ).toEqual([]);
  });

  it("is linked from the README or from a page that is", () => {
    const reached = new Set(["README.md"]);
    for (const page of reached) {
      for (const [, path] of readText(page).matchAll(/\]\(([^)#\s:]+\.md)(?:#[^)]*)?\)/g)) {
        const file = relative(ROOT, resolve(ROOT, dirname(page), path!)).replaceAll("\\", "/");
        if (PAGES.includes(file)) reached.add(file);
      }
    }
    expect(PAGES.filter((page) => !reached.has(page))).toEqual([]);
  });

  it("explains words that the code or the pages use", () => {
    const letters = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, "");
    const used = letters(
      [...SOURCE_FILES, ...PAGES.filter((page) => page !== "docs/reference/glossary.md")].map(readText).join("\n"),
    );
    const words = sectionsOf("docs/reference/glossary.md").flatMap((section) =>
      section.rows.flatMap((row) => (row[0] ?? "").split(", ")),
    );
    expect(words.length).toBeGreaterThan(30);
    expect(words.filter((word) => !used.includes(letters(word)))).toEqual([]);
  });
});

it("lists the supported browsers", () => {
  const [, targets] = /target: \["es2022", (.*)\]/.exec(readText("scripts/bundle-clients.mjs"))!;
  const [, versions] = /\((Chrome [\d.]+, Firefox [\d.]+, Safari [\d.]+)\)/.exec(
    readText("docs/reference/web-page.md"),
  )!;
  expect(versions!.toLowerCase().replaceAll(" ", "")).toBe(targets!.replace(/[" ]/g, ""));
});

it("documents every key of the page", () => {
  const keys = [
    ...readText("docs/reference/web-page.md")
      .split("\n## Keys\n")[1]!
      .matchAll(/^\| (`.+`) \| (.+) \|$/gm),
  ].map(([, keys, does]) => ({ keys: keys!.split(", ").map((key) => key.replaceAll("`", "")), does }));
  expect(keys).toEqual(KEYS.map(({ keys, does }) => ({ keys: [...keys], does })));
});
