import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");
const readText = (path: string): string => readFileSync(join(ROOT, path), "utf8");

interface BuiltInPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly isDirect: boolean;
  readonly packages: number;
  readonly totalBytes: number;
}

const PACKAGES = JSON.parse(readText("dist/data/packages.json")) as readonly BuiltInPackage[];
const SCRIPTS = readdirSync(join(ROOT, "dist"), { recursive: true, encoding: "utf8" })
  .filter((file) => /\.c?js$/.test(file))
  .map((file) => `dist/${file.replaceAll("\\", "/")}`);
/** Number of packages in an installation. */
const INSTALLED: readonly string[] = [
  "better-sqlite3",
  "pg",
  "pg-copy-streams",
  "@aws-sdk/client-s3",
  "@aws-sdk/lib-storage",
];

describe("dist", () => {
  it("imports only packages that it contains", () => {
    expect(SCRIPTS.length).toBeGreaterThan(20);
    const asked = SCRIPTS.flatMap((file) => [
      ...readText(file).matchAll(
        /(?<![\w$.])(?:import|export)(?![\w$])[^"'`;()]*?(?<![\w$])from *"([^"]+)"|(?<![\w$.])import *"([^"]+)";|(?<![\w$.])import\("([^"]+)"\)/g,
      ),
    ]).map(([, named, bare, late]) => named ?? bare ?? late ?? "");
    // pdf.js contains the text of a script that would import its argument.
    const strange = asked.filter(
      (target) =>
        !target.startsWith(".") && !target.startsWith("$") && !isBuiltin(target) && !INSTALLED.includes(target),
    );
    expect(strange).toEqual([]);
    expect(asked).toContain("node:fs");
  });

  it.each(["search", "help"])("has %s in one file, with its lazily loaded parts", (name) => {
    const text = readText(`dist/cli/${name}.js`);
    const loaded = [...text.matchAll(/(?<![\w$.])(?:from|import)"([\w./][\w.:/-]*)"/g)].map(([, target]) => target!);
    expect([...new Set(loaded)].filter((target) => !isBuiltin(target))).toEqual(["../cli/errors.js"]);
    const late = [...text.matchAll(/(?<![\w$.])import\("(\.[^"]+)"\)/g)].map(([, target]) => target!);
    expect(late.length).toBeGreaterThan(5);
    expect(late.filter((target) => !existsSync(join(ROOT, "dist/cli", target)))).toEqual([]);
  });

  it("has no import cycles, and few files to load for each entry", () => {
    const imported = new Map(
      SCRIPTS.map((file) => {
        const targets = [...readText(file).matchAll(/(?<![\w$.])(?:from|import) ?"(\.[^"]+)"/g)];
        return [file, targets.map(([, target]) => relative(ROOT, resolve(ROOT, dirname(file), target!)))];
      }),
    );
    const loadedBy = (file: string): Set<string> => {
      const files = new Set(imported.get(file));
      for (const next of files) for (const target of imported.get(next) ?? []) files.add(target);
      return files;
    };
    expect(SCRIPTS.filter((file) => loadedBy(file).has(file))).toEqual([]);
    // esbuild's own chunks would be 137 files for an extraction, and 169 for the upload service.
    expect(SCRIPTS.filter((file) => loadedBy(file).size > 45)).toEqual([]);
    expect(loadedBy("dist/extraction/worker.js").size).toBeGreaterThan(0);
  });

  it("has no dependencies at runtime", () => {
    expect(SCRIPTS.filter((file) => /(?<!function )\b__require\(/.test(readText(file)))).toEqual([]);
  });

  it("decodes rare charsets and detects languages with its own data", () => {
    const directory = mkdtempSync(join(tmpdir(), "built-package-"));
    try {
      const head =
        "From: Ana <ana@sea.example>\nTo: Per <per@sea.example>\nSubject: Havn\nContent-Type: text/plain; charset=cp437\n\n";
      const [before, after] = [
        "Liebe Kollegen, die Lieferung f",
        "r den Hafen kommt morgen und wir brauchen noch einen Kran.\n",
      ];
      // 0x81 is ü in code page 437, which neither Node.js nor our own tables support.
      writeFileSync(
        join(directory, "1.eml"),
        Buffer.concat([Buffer.from(head + before), Buffer.of(0x81), Buffer.from(after)]),
      );
      const output = join(directory, "archive");
      const args = [
        join(ROOT, "dist/cli/main.js"),
        "extract",
        join(directory, "1.eml"),
        "-o",
        output,
        "--json",
        "--no-wiki",
      ];
      const { stderr, status } = spawnSync(process.execPath, args, { encoding: "utf8" });
      expect(status, stderr).toBe(0);
      const { messages } = JSON.parse(readFileSync(join(output, "extraction.json"), "utf8")) as {
        messages: readonly object[];
      };
      expect(messages).toMatchObject([{ body: `${before}ü${after}`, language: "de" }]);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});

describe("THIRD-PARTY-LICENSES", () => {
  const text = readText("dist/THIRD-PARTY-LICENSES");
  const parts = text.split(`\n${"=".repeat(80)}\n`).slice(1);

  /** With the terms that a part refers to. */
  const fullText = (part: string): string =>
    part.replace(/\(terms and conditions as under (.+)\)$/gm, (_, title: string) =>
      parts.find((other) => other.startsWith(`${title}\n`))!.replace(/\(terms and conditions as under .+\)/g, ""),
    );

  it("has the full license text of every bundled package", () => {
    const titles = PACKAGES.map(({ name, version, license }) => `${name} ${version} (${license})`);
    expect(parts.map((part) => part.split("\n")[0])).toEqual([...new Set(titles)]);
    expect(parts.length).toBeGreaterThan(50);
    for (const part of parts.map(fullText)) {
      expect(part).toMatch(/copyright/i);
      expect(part).toMatch(
        /Permission is hereby granted|Permission to use, copy, modify|Apache License|Redistribution and use|Each contributor licenses you/,
      );
      expect(part.length).toBeGreaterThan(500);
    }
  });

  it("lists pdf.js, which is inside a package", () =>
    expect(parts.find((part) => part.startsWith("unpdf "))).toMatch(/pdf\.js, Copyright Mozilla.*Apache License/s));

  it("lists every package whose code is in a file", () => {
    // The source maps list every file of a script.
    const maps = readdirSync(join(ROOT, "dist"), { recursive: true, encoding: "utf8" }).filter((file) =>
      /\.c?js\.map$/.test(file),
    );
    const paths = maps.flatMap((file) =>
      (JSON.parse(readText(`dist/${file}`)) as { sources: readonly string[] }).sources.flatMap((source) => [
        ...source.matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)\//g),
      ]),
    );
    expect(maps.filter((file) => !/^(?:types|web)\b/.test(file)).length).toBeGreaterThan(20);
    // A package that is itself a bundle has its own source maps, with files of its author.
    const names = new Set(
      paths.map(([, name]) => name!).filter((name) => existsSync(join(ROOT, "node_modules", name, "package.json"))),
    );
    const known = new Set(PACKAGES.map(({ name }) => name));
    expect([...names].filter((name) => !known.has(name))).toEqual([]);
    expect([...names]).toEqual(expect.arrayContaining(["fastify", "iconv-lite", "unpdf"]));
  });

  it("lists versions of package-lock.json", () => {
    const { packages } = JSON.parse(readText("package-lock.json")) as {
      packages: Record<string, { version?: string }>;
    };
    const locked = new Set(
      Object.entries(packages).map(([path, { version }]) => `${path.replace(/^.*node_modules\//, "")} ${version}`),
    );
    expect(PACKAGES.map(({ name, version }) => `${name} ${version}`).filter((entry) => !locked.has(entry))).toEqual([]);
  });
});

describe("the package", () => {
  const packed = spawnSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: ROOT,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  const [{ files, unpackedSize }] = JSON.parse(packed.stdout) as [
    { files: readonly { path: string }[]; unpackedSize: number },
  ];
  const paths = files.map(({ path }) => path);

  it("contains the program, its data, licenses and docs, and no source maps", () => {
    expect(paths).toEqual(
      expect.arrayContaining([
        "LICENSE",
        "README.md",
        "dist/THIRD-PARTY-LICENSES",
        "dist/cli/main.js",
        "dist/charset/iconv-lite.cjs",
        "dist/data/language-ngrams.bin",
        "dist/library/library.js",
        "dist/sources/pst.js",
        "dist/types/library.d.ts",
        "dist/web/manifest.json",
        "docs/reference/cli.md",
        "package.json",
      ]),
    );
    expect(paths.filter((path) => /\.map$|(?<!\.d)\.ts$|^(src|test|scripts|bench|examples)\//.test(path))).toEqual([]);
  });

  it("is smaller than ten megabytes", () => expect(unpackedSize).toBeLessThan(10_000_000));
});

/**
 * Maximum deviation of a figure in the table, in percent: the table is updated with a dependency, not with every
 * change.
 */
const TOLERANCE_PERCENT = 10;

it("scripts/dependency-sizes.csv lists the size of each package", () => {
  const rows = readText("scripts/dependency-sizes.csv")
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split(","));
  const direct = PACKAGES.filter(({ isDirect }) => isDirect);
  expect(rows.map(([name]) => name).sort()).toEqual(direct.map(({ name }) => name).sort());
  for (const { name, totalBytes, packages } of direct) {
    const [, , kilobytes, count] = rows.find((row) => row[0] === name) ?? [];
    expect(Number(count), `${name}: packages`).toBe(packages);
    const difference = Math.abs(Number(kilobytes) - totalBytes / 1000);
    expect(difference, `${name}: ${totalBytes} bytes`).toBeLessThanOrEqual(
      Math.max(1, (totalBytes / 1000) * (TOLERANCE_PERCENT / 100)),
    );
  }
});
