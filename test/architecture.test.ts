import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { SOURCE_FORMATS } from "../src/mail/records/source-formats.ts";

const SOURCE = resolve(import.meta.dirname, "../src");

/** The floors of docs/development/architecture.md: a file imports from its own folder and from lower floors only. */
const FLOOR: Readonly<Record<string, number>> = {
  "built-files.ts": 0,
  "errors.ts": 0,
  "v8-flags.ts": 0,
  "program-thread.ts": 0,
  "version.ts": 0,
  columns: 0,
  mail: 0,
  charset: 0,
  properties: 0,
  compound: 1,
  mime: 1,
  pst: 1,
  text: 1,
  document: 1,
  files: 1,
  "graph-view": 1,
  mapi: 2,
  olm: 2,
  threading: 2,
  contacts: 2,
  calendar: 2,
  redaction: 2,
  topics: 2,
  sentiment: 2,
  network: 2,
  search: 2,
  unpacking: 2,
  mentions: 3,
  sources: 4,
  "file-text": 4,
  store: 4,
  extraction: 5,
  originals: 5,
  outputs: 5,
  mcp: 5,
  web: 5,
  http: 6,
  cli: 7,
  "library.ts": 8,
};

interface Import {
  readonly file: string;
  readonly target: string;
}

const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));
const sources = files.filter((file) => !file.endsWith(".test.ts"));

function textOf(file: string): string {
  return readFileSync(join(SOURCE, file), "utf8");
}

/** Imports, and packages from which a file is read. */
const IMPORTS =
  /^(?:import|export)\b[^"';]*?\bfrom\s+"([^"]+)"|^import\s+"([^"]+)"|\bimport\("([^"]+)"\)|\bimport\.meta\.resolve\("([^"]+)"\)/gm;

function importsOf(file: string): Import[] {
  return [...textOf(file).matchAll(IMPORTS)].map((match) => ({
    file,
    target: (match[1] ?? match[2] ?? match[3] ?? match[4]) as string,
  }));
}

/** Strings, templates and regular expressions of a file with their delimiters; comments are skipped. */
function literalsOf(text: string): readonly string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  return [...code.matchAll(/"[^"\n]*"|`[^`]*`|\/(?![/*])[^/\n]+\/[a-z]*/g)].map(([literal]) => literal);
}

function roomOf(path: string): string {
  return path.split(/[\\/]/)[0]!;
}

/** True for a file in the room or in a room within it, and for the room's own file. */
function isIn(path: string, room: string): boolean {
  const portable = path.replaceAll("\\", "/");
  return portable === room || portable.startsWith(`${room}/`);
}

/** True if the application imports types of server responses, which add nothing to a bundle. */
function isWireType(file: string, target: string, imported: string): boolean {
  if (!isIn(imported, "http") || !/[\\/]wire[\w-]*\.ts$/.test(imported)) return false;
  const clauses = [...textOf(file).matchAll(/^import\b([^"';]*?)\bfrom\s+"([^"]+)"/gm)].filter(
    ([, , from]) => from === target,
  );
  return clauses.every(([, clause]) => /^\s*type\b/.test(clause!));
}

describe("floors", () => {
  it("finds source files", () => expect(sources.length).toBeGreaterThan(50));

  it("defines the floor of every room", () => {
    expect([...new Set(sources.map(roomOf))].filter((room) => FLOOR[room] === undefined)).toEqual([]);
  });

  it("imports from its own room and lower floors only", () => {
    const breaches = sources.flatMap(importsOf).filter(({ file, target }) => {
      if (!target.startsWith(".")) return false;
      const from = roomOf(file);
      const imported = relative(SOURCE, resolve(SOURCE, dirname(file), target));
      const to = roomOf(imported);
      return (
        from !== to &&
        !(from === "web" && isWireType(file, target, imported)) &&
        !((FLOOR[to] ?? Number.POSITIVE_INFINITY) < FLOOR[from]!) &&
        !(FLOOR[to] === 0 && FLOOR[from] === 0)
      );
    });
    expect(breaches).toEqual([]);
  });
});

it("keeps the application to pure functions of floors 0 and 1, because it runs in browsers", () => {
  const breaches = sources.flatMap(importsOf).filter(({ file, target }) => {
    if (roomOf(file) !== "web" || !target.startsWith(".") || file.endsWith(".test.ts")) return false;
    const imported = relative(SOURCE, resolve(SOURCE, dirname(file), target));
    return roomOf(imported) !== "web" && FLOOR[roomOf(imported)]! > 1 && !isWireType(file, target, imported);
  });
  expect(breaches).toEqual([]);
});

/** Files loaded with a file: its imports, except type imports and lazy imports. */
function loadedWith(file: string): ReadonlySet<string> {
  const loaded = new Set([file]);
  for (const importer of loaded) {
    for (const [, target] of textOf(importer).matchAll(/^(?:import|export)\s(?!type\b)[^"';]*?\bfrom\s+"(\.[^"]+)"/gm))
      loaded.add(relative(SOURCE, resolve(SOURCE, dirname(importer), target!)));
  }
  return loaded;
}

it("loads the Outlook readers on demand", () => {
  const starts = [
    "extraction/run/run-extraction.ts",
    "extraction/reading/parse-unit.ts",
    "originals/original-worker.ts",
    "outputs/part-worker.ts",
  ];
  const reading = ["sources/pst/pst-source.ts", "sources/msg/msg-items.ts"];
  expect(starts.flatMap((start) => [...loadedWith(start)]).filter((file) => isIn(file, "pst"))).toEqual([]);
  expect(starts.flatMap((start) => [...loadedWith(start)]).filter((file) => reading.includes(file))).toEqual([]);
  expect([...loadedWith("sources/pst/pst-source.ts")].filter((file) => isIn(file, "pst"))).not.toEqual([]);
});

/**
 * The inner rooms of a room, from users to used. Files next to them in `extraction` are open to all; elsewhere they may
 * use every inner room, and no room uses them.
 */
const INNER_ROOMS: Readonly<Record<string, readonly string[]>> = {
  contacts: ["addresses", "names", "corrections"],
  cli: ["terminal", "completion", "extracting", "people", "reading", "service"],
  extraction: [
    ...["publishing", "staging", "workers", "ledger", "earlier", "reading", "preparing", "knowledge", "run"],
  ],
  "graph-view": ["model", "painting", "controls"],
  "http/explore-api": ["wire", "setting", "routes"],
  "http/upload-service": ["base", "storage", "jobs", "service", "receiving", "routes"],
  mail: ["words", "dates", "records"],
  mapi: ["objects", "rtf", "appointments", "message", "tnef"],
  mime: ["syntax", "body", "envelope"],
  pst: ["ndb", "ltp", "messaging"],
  search: ["indexing", "query", "ranking", "matching", "ranges"],
  sources: [...["reading", "calendar", "emlx", "mbox", "olm", "pst", "msg", "maildir", "formats", "finding"]],
  store: ["contract", "tables", "threads", "reading", "lists", "sqlite", "notebook", "postgres", "archive"],
  "store/postgres": ["client", "service", "collections", "reading"],
  "store/sqlite": ["driver", "database", "files", "reading", "service", "search", "writing"],
  text: ["quoting", "html", "tokens", "language"],
  "web/search": ["state", "query", "facets", "results"],
};
/** Maximum files in a folder, without tests: more are hard to overview. */
const MAX_FILES = 25;

describe.each(Object.entries(INNER_ROOMS))("the rooms of %s/", (room, inner) => {
  const own = sources.filter((file) => isIn(file, room));
  const innerOf = (path: string): string | null => {
    const [name, file] = path
      .replaceAll("\\", "/")
      .slice(room.length + 1)
      .split("/");
    return file === undefined ? null : name!;
  };
  const placeOf = (path: string): number => {
    const name = innerOf(path);
    if (name === null) return room === "extraction" ? -1 : inner.length;
    return inner.indexOf(name);
  };

  it("are all in their order", () => {
    const found = new Set(own.map(innerOf).filter((name) => name !== null));
    expect([...found].sort()).toEqual([...inner].sort());
  });

  it("import from rooms before them only", () => {
    const breaches = own.flatMap(importsOf).filter(({ file, target }) => {
      if (!target.startsWith(".")) return false;
      const imported = relative(SOURCE, resolve(SOURCE, dirname(file), target));
      return isIn(imported, room) && placeOf(imported) > placeOf(file);
    });
    expect(breaches).toEqual([]);
  });
});

it(`has at most ${MAX_FILES} files in a folder`, () => {
  const counts = new Map<string, number>();
  for (const file of sources) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > MAX_FILES)).toEqual([]);
});

/** Imports that are loaded before a file runs; type imports leave no trace. */
const LOADED = /^(?:import|export)\s(?!type\b)[^"';]*?\bfrom\s+"([^"]+)"|^import\s+"([^"]+)"/gm;

/** Packages that a file and all its imports load immediately. */
function packagesLoadedBy(entry: string): ReadonlySet<string> {
  const reached = new Set([entry]);
  const packages = new Set<string>();
  for (const file of reached) {
    for (const [, named, bare] of textOf(file).matchAll(LOADED)) {
      const target = (named ?? bare) as string;
      if (target.startsWith(".")) reached.add(relative(SOURCE, resolve(SOURCE, dirname(file), target)));
      else packages.add(target);
    }
  }
  return packages;
}

describe("modules loaded at startup", () => {
  it.each([
    ["cli/main.ts", ["commander"]],
    ["library.ts", []],
    ["cli/reading/search.ts", []],
    ["cli/reading/info.ts", []],
    ["store/archive/locate-archive.ts", []],
    ["store/archive/open-search.ts", []],
    ["store/archive/open-archive.ts", []],
    ["extraction/run/run-extraction.ts", ["entities", "stopwords-iso/stopwords-iso.json"]],
    ["outputs/write-outputs.ts", []],
    ["extraction/run/worker.ts", []],
  ])("%s", (entry, packages) => {
    expect([...packagesLoadedBy(entry)].filter((name) => !name.startsWith("node:")).sort()).toEqual(packages);
  });
});

it("uses the default export of a lazily loaded package: a bundled CommonJS package has no other name", () => {
  const late = sources.flatMap((file) =>
    [...textOf(file).matchAll(/^.*\bimport\("[^."][^"]*"\).*$/gm)].map(([line]) => `${file}: ${line}`),
  );
  expect(late.length).toBeGreaterThan(0);
  expect(
    late.filter((line) => !/import\("node:/.test(line) && !/const \{ default: \w+ \} = await import\(/.test(line)),
  ).toEqual([]);
});

describe("where terms may appear", () => {
  /** A word that belongs to some rooms only. */
  const RULES: readonly { readonly what: string; readonly pattern: RegExp; readonly rooms: readonly string[] }[] = [
    {
      what: "SQL",
      pattern: /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE TABLE)\b [\w*(]/,
      rooms: ["store/sqlite", "store/postgres", "store/lists", "store/tables"],
    },
    // Names that mail programs give their databases belong to the sources.
    { what: "files of the store", pattern: /["'`/][\w-]+\.db["'`]/, rooms: ["store", "sources"] },
    { what: "fastify", pattern: /from "fastify"/, rooms: ["http"] },
    { what: "commander", pattern: /from "commander"/, rooms: ["cli"] },
    {
      what: "process.argv, process.env and standard streams",
      pattern: /\bprocess\.(argv|env|stdout|stderr|stdin|exit)\b/,
      rooms: ["cli"],
    },
    {
      what: "the clock",
      pattern: /\bDate\.now\(\)|new Date\(\)|performance\.now\(\)/,
      // Query time is bounded; results depend on it only through ages.
      rooms: [
        "library.ts",
        "cli",
        "http",
        "outputs",
        "extraction",
        "graph-view",
        "web",
        "store/archive/bounded-search.ts",
        "search/query/present.ts",
      ],
    },
    { what: "randomness", pattern: /\bMath\.random\(|\brandomBytes\(|\brandomUUID\(/, rooms: ["http", "cli"] },
    {
      what: "files",
      pattern: /from "node:fs(\/promises)?"/,
      rooms: [
        "built-files.ts",
        "library.ts",
        "files",
        "sources",
        "unpacking",
        "store",
        "extraction",
        "outputs",
        "http",
        "cli",
      ],
    },
    {
      what: "syncing files",
      pattern: /\bf(?:data)?sync(?:Sync)?\b|\.(?:data)?sync\(\)|\bflush: true\b/,
      rooms: ["files"],
    },
    { what: "the network", pattern: /from "node:(http|https|net|tls|dgram|dns)"/, rooms: ["http", "redaction"] },
  ];

  it.each(RULES)("$what", ({ pattern, rooms }) => {
    const elsewhere = sources.filter((file) => !rooms.some((room) => isIn(file, room)) && pattern.test(textOf(file)));
    expect(elsewhere).toEqual([]);
  });

  /** Other uses of SQLite that are not archives: locks of this machine, and the catalog of uploads. */
  const SQLITE_ENTRIES: readonly string[] = ["file-lock.ts", "service-lock.ts", "upload-catalog.ts"];

  it("accesses archives only through the store: few files import from store/sqlite/", () => {
    const entered = sources
      .filter((file) => !isIn(file, "store"))
      .flatMap(importsOf)
      .filter(
        ({ file, target }) =>
          target.startsWith(".") && isIn(relative(SOURCE, resolve(SOURCE, dirname(file), target)), "store/sqlite"),
      )
      .map(({ target }) => basename(target));
    expect([...new Set(entered)].sort()).toEqual(SQLITE_ENTRIES);
  });

  it("accesses SQLite through one interface: one file imports each driver", () => {
    const naming = sources.filter((file) => /"(?:better-sqlite3|node:sqlite)"/.test(textOf(file)));
    expect(naming.sort()).toEqual([
      join("store", "sqlite", "driver", "better-sqlite.ts"),
      join("store", "sqlite", "driver", "node-sqlite.ts"),
    ]);
  });

  it("names formats and their extensions only in the table of formats", () => {
    const words = SOURCE_FORMATS.flatMap(({ name, extensions }) => [
      name,
      ...extensions.map((extension) => extension.slice(1)),
    ]);
    // A complete string, or a word in a list or pattern: prose about a format may use its name.
    const names = new RegExp(`(?:["'\`|(]|\\\\|(?<= )(?=\\.))\\.?(${words.join("|")})(?=["'\`|)$?]| \\.)`, "g");
    const formatOf = (word: string): string =>
      SOURCE_FORMATS.find(
        ({ name, extensions }) => name === word || (extensions as readonly string[]).includes(`.${word}`),
      )!.name;
    // Message ids and attachment types use the same words; with a dot they are extensions.
    const isFormat = ([match, word]: readonly string[]): boolean =>
      !["msg", "ics", "vcs", "vcf"].includes(word!) || match!.includes(".");
    const formatsIn = (file: string) =>
      new Set(
        literalsOf(textOf(file)).flatMap((text) =>
          [...text.matchAll(names)].filter(isFormat).map(([, word]) => formatOf(word!)),
        ),
      );
    // Export formats are separate; some have the same names.
    const naming = sources.filter((file) => {
      if (file.startsWith(join("outputs", "export")) || file === join("web", "search", "results", "export-menu.tsx"))
        return false;
      const count = formatsIn(file).size;
      // The code of a format knows its own name.
      return roomOf(file) === "sources" ? count > 1 : count > 0;
    });
    // The kinds of work units have the same words.
    const ofUnits = ["read-original.ts", join("reading", "source.ts")].map((file) => join("sources", file));
    expect(naming.sort()).toEqual([join("mail", "records", "source-formats.ts"), ...ofUnits]);
  });

  it("has no rooms for odds and ends, and no barrels", () => {
    expect(files.filter((file) => /(^|[\\/])(utils?|helpers?|common|misc|index)([\\/]|\.ts$)/.test(file))).toEqual([]);
  });
});

/** Packages that only some installations need: for Node.js without a usable SQLite, for a database, for a bucket. */
const OPTIONAL: readonly string[] = [
  "better-sqlite3",
  "pg",
  "pg-copy-streams",
  "@aws-sdk/client-s3",
  "@aws-sdk/lib-storage",
];

it("declares imports in package.json, and installs nothing that can be bundled", () => {
  const declared = JSON.parse(readFileSync(resolve(SOURCE, "../package.json"), "utf8")) as Record<
    string,
    Record<string, string>
  >;
  const imported = new Set(
    sources
      .filter((file) => !file.includes("client"))
      .flatMap(importsOf)
      .map(({ target }) => target)
      .filter((target) => !target.startsWith(".") && !target.startsWith("node:"))
      .map((target) => (target.startsWith("@") ? target.split("/").slice(0, 2).join("/") : target.split("/")[0]!)),
  );
  expect(declared).not.toHaveProperty("dependencies");
  expect(declared).not.toHaveProperty("optionalDependencies");
  expect(declared).toMatchObject({
    peerDependencies: Object.fromEntries(OPTIONAL.map((name) => [name, expect.any(String)])),
    peerDependenciesMeta: Object.fromEntries(OPTIONAL.map((name) => [name, { optional: true }])),
  });
  const undeclared = [...imported].filter((name) => declared["devDependencies"]?.[name] === undefined);
  expect(undeclared).toEqual([]);
});

/**
 * True if an npm version range includes the oldest Node.js that package.json promises. Supports the forms that packages
 * use: `>=18`, `^20.19.0 || >=22`, `20.x`.
 */
function allowsOldestNode(range: string): boolean {
  const [oldestMajor, oldestMinor] = [20, 19];
  return range.split("||").some((alternative) => {
    const [, comparison, major, minor] = /^\s*(>=|\^|)\s*(\d+|\*)(?:\.(\d+))?/.exec(alternative) ?? [];
    if (major === "*") return true;
    const isMinorKnown = Number(minor ?? 0) <= oldestMinor;
    return Number(major) === oldestMajor ? isMinorKnown : comparison === ">=" && Number(major) < oldestMajor;
  });
}

it("has no package that requires a newer Node.js", () => {
  const readJson = (path: string): unknown => JSON.parse(readFileSync(resolve(SOURCE, path), "utf8"));
  expect(readJson("../package.json")).toMatchObject({ engines: { node: ">=20.19" } });
  expect([">=18", "^20.19.0 || >=22", "20.x", "*"].filter((range) => !allowsOldestNode(range))).toEqual([]);
  expect([">=22", "^18 || >=20.20", "^19.1.0"].filter(allowsOldestNode)).toEqual([]);
  const { packages } = readJson("../package-lock.json") as {
    packages: Record<string, { engines?: { node?: string } }>;
  };
  const tooNew = Object.entries(packages).filter(([, { engines }]) => !allowsOldestNode(engines?.node ?? "*"));
  expect(tooNew.map(([name]) => name)).toEqual([]);
});

describe("printed text", () => {
  it("is filtered by the session: only the session writes to the standard streams", () => {
    const writers = sources.filter((file) => /\bprocess\.std(?:out|err)\b|\bconsole\./.test(textOf(file)));
    expect(writers).toEqual([join("cli", "main.ts"), join("cli", "start.ts")]);
  });
});

describe("the rules that the linter is taught", () => {
  const root = resolve(SOURCE, "..");
  const directory = mkdtempSync(join(tmpdir(), "linter-rules-"));
  const config = { root: true, plugins: [join(root, "linter-rules.grit")] };
  writeFileSync(join(directory, "biome.json"), JSON.stringify(config));
  afterAll(() => rmSync(directory, { recursive: true }));

  it.each([
    ["class A { #held = 1; has(): boolean { return this.#held > 0; } }", "A member is kept to its class by `private`"],
    ["let count = 0; count += 1; console.log(count);", "A step of one is written"],
    ["const list = [1]; const one = list[list.length - 1] as number; console.log(one);", "is said by `!`"],
  ])("find %s", (code, message) => {
    writeFileSync(join(directory, "code.ts"), code);
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [join(root, "node_modules/@biomejs/biome/bin/biome"), "lint", "--colors=off", "code.ts"],
      { cwd: directory, encoding: "utf8" },
    );
    expect(stdout + stderr).toContain(message);
  });
});
