// Lists third-party packages in dist/ from esbuild's metafiles, with licenses and sizes.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

/** Packages whose data `vendor-data.ts` packs, with the output file. */
const VENDORED = [{ directory: "node_modules/eld", file: "data/language-ngrams.bin" }];
/** License texts that must be included. */
const LICENSE_FILE = /^(licen[cs]e|copying|notice)/i;
/** Copyright holders of MIT packages without a license text, from package.json or their repository. */
const COPYRIGHT_HOLDERS = {
  "@tus/utils": "2015 tus - Resumable File Uploads",
  "abstract-logging": "James Sumners",
  "stopwords-iso": "2016 Gene Diaz",
};
/** Third-party content of packages whose license (Apache 2.0) their own text does not name. */
const HELD = { unpdf: "pdf.js, Copyright Mozilla Foundation" };
const APACHE = new URL("license-apache-2.0.txt", import.meta.url);
const MIT = readFileSync(new URL("license-mit.txt", import.meta.url), "utf8");
/** Terms of the Apache License 2.0 (10 KB) and of the MIT License, which many packages repeat. */
const COMMON_TERMS = [
  /TERMS AND CONDITIONS FOR USE[\s\S]*?END OF TERMS AND CONDITIONS/g,
  /Permission is hereby granted, free of charge[\s\S]*?DEALINGS IN\s+THE\s+SOFTWARE\./g,
];
/** Package directory in a file path. */
const PACKAGE = /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/;

/**
 * Writes `data/packages.json` (read by `archivetool info` and tests) and `THIRD-PARTY-LICENSES` to a directory.
 * @param metafiles of all esbuild builds
 */
export function writeBundledPackages(directory, metafiles) {
  const packages = bundledPackages(directory, metafiles);
  mkdirSync(join(directory, "data"), { recursive: true });
  writeFileSync(join(directory, "data", "packages.json"), `${JSON.stringify(packages)}\n`);
  const unlike = new Map(packages.map((entry) => [`${entry.name} ${entry.version}`, entry]));
  writeFileSync(join(directory, "THIRD-PARTY-LICENSES"), licensesOf([...unlike.values()]));
}

/**
 * Name, version, license, bytes in all outputs, whether our sources import it, and bytes including its dependencies.
 * Sorted by name.
 */
function bundledPackages(directory, metafiles) {
  const bytes = new Map(
    VENDORED.map((vendored) => [vendored.directory, readFileSync(join(directory, vendored.file)).length]),
  );
  const brings = new Map();
  const direct = new Set(VENDORED.map((vendored) => vendored.directory));
  for (const { inputs, outputs } of metafiles) {
    for (const [file, bytesInOutput] of inputsOf(outputs)) {
      const from = packageOf(file);
      if (from === null) continue;
      bytes.set(from, (bytes.get(from) ?? 0) + bytesInOutput);
    }
    for (const [file, { imports }] of Object.entries(inputs)) {
      const from = packageOf(file);
      for (const target of imports.map(({ path }) => packageOf(path)).filter((to) => to !== null && to !== from)) {
        if (from === null) direct.add(target);
        else brings.set(from, (brings.get(from) ?? new Set()).add(target));
      }
    }
  }
  // No import contains the entry of a lazily loaded package.
  for (const { outputs } of metafiles)
    for (const { entryPoint } of Object.values(outputs)) addEntry(entryPoint, direct);
  const known = [...bytes].filter(([, size]) => size > 0).map(([path]) => path);
  return known
    .map((path) => {
      const { name, version, license } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
      const all = [...withAllItBrings(path, brings)].filter((other) => bytes.has(other));
      const totalBytes = all.reduce((sum, other) => sum + bytes.get(other), 0);
      return {
        name,
        version,
        license,
        path,
        bytes: bytes.get(path),
        isDirect: direct.has(path),
        packages: all.length,
        totalBytes,
      };
    })
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.path < b.path ? -1 : 1));
}

function addEntry(entryPoint, direct) {
  const path = packageOf(entryPoint ?? "");
  if (path !== null) direct.add(path);
}

function inputsOf(outputs) {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).map(([file, { bytesInOutput }]) => [file, bytesInOutput]),
  );
}

function packageOf(file) {
  return PACKAGE.exec(file)?.[0] ?? null;
}

function withAllItBrings(path, brings) {
  const reached = new Set([path]);
  for (const next of reached) for (const other of brings.get(next) ?? []) reached.add(other);
  return reached;
}

function licensesOf(packages) {
  const head = `archivetool contains code and data of ${packages.length} packages. Their licenses:\n`;
  const parts = packages.map(
    (entry) => `${"=".repeat(80)}\n${entry.name} ${entry.version} (${entry.license})\n\n${licenseText(entry)}\n`,
  );
  return [head, ...withTermsOnce(parts)].join("\n");
}

/** The first text with common terms keeps them; others with the same words refer to it. */
function withTermsOnce(parts) {
  const titles = new Map();
  const shorten = (terms, title) => {
    const words = terms.replace(/\s+/g, " ");
    if (titles.has(words)) return `(terms and conditions as under ${titles.get(words)})`;
    titles.set(words, title);
    return terms;
  };
  return COMMON_TERMS.reduce(
    (texts, common) => texts.map((text) => text.replace(common, (terms) => shorten(terms, text.split("\n")[1]))),
    parts,
  );
}

/** Licenses of a package and of its content. */
function licenseText(entry) {
  const held = HELD[entry.name];
  const own = ownLicenseText(entry);
  return held === undefined ? own : `${own}\n\nIt contains ${held}:\n\n${readFileSync(APACHE, "utf8").trim()}`;
}

/** Throws if a license cannot be included as required. */
function ownLicenseText({ name, license, path }) {
  const files = readdirSync(path).filter((file) => LICENSE_FILE.test(basename(file)));
  if (files.length > 0) return files.map((file) => readFileSync(join(path, file), "utf8").trim()).join("\n\n");
  const holder = COPYRIGHT_HOLDERS[name];
  if (license !== "MIT" || holder === undefined || !existsSync(path))
    throw new Error(`${name} (${license}) has no license text`);
  return `Copyright (c) ${holder}\n\n${MIT.trim()}`;
}
