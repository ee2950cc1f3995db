import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { TOOL_VERSION } from "../src/version.ts";

const ROOT = resolve(import.meta.dirname, "..");
const scratch = mkdtempSync(join(tmpdir(), "archivetool-deploy-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const readText = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const OPEN = /RELEASE_[A-Z0-9]+/g;

describe("the recipes", () => {
  const [tarball, executable] = [join(scratch, "a.tgz"), join(scratch, "a.exe")];
  writeFileSync(tarball, "the tarball");
  writeFileSync(executable, "the executable");
  const [tarballUrl, executableUrl] = [
    "https://registry.example/archivetool.tgz",
    "https://releases.example/archivetool.exe",
  ];
  const args = ["--tarball", tarballUrl, tarball, "--executable", executableUrl, executable];
  const filled = spawnSync(process.execPath, [join(ROOT, "scripts/fill-recipes.mjs"), join(scratch, "out"), ...args], {
    cwd: ROOT,
    encoding: "utf8",
  });
  const recipes = ["homebrew", "nix", "winget"].flatMap((directory) =>
    readdirSync(join(ROOT, "deploy", directory)).map((name) => `${directory}/${name}`),
  );
  const sum = (file: string): string => createHash("sha256").update(readFileSync(file)).digest("hex");

  it("have exactly the placeholders that deploy/README.md lists", () => {
    const open = new Set(recipes.flatMap((recipe) => readText(`deploy/${recipe}`).match(OPEN) ?? []));
    expect([...open].sort()).toEqual([...new Set(readText("deploy/README.md").match(OPEN))].sort());
    expect(open.size).toBe(3);
  });

  it.each(recipes)("%s is filled at a release", (recipe) => {
    expect(filled.status, filled.stderr).toBe(0);
    const text = readFileSync(join(scratch, "out", recipe), "utf8");
    expect(text).not.toMatch(OPEN);
    if (/installer|homebrew|nix/.test(recipe)) {
      expect(text).toContain(recipe.startsWith("winget") ? executableUrl : tarballUrl);
      expect(text).toContain(sum(recipe.startsWith("winget") ? executable : tarball));
    }
    if (!recipe.startsWith("homebrew")) expect(text).toContain(TOOL_VERSION);
  });
});

describe("deploy/Dockerfile", () => {
  const text = readText("deploy/Dockerfile");
  const stages = text.split(/^FROM /m).slice(1);

  it("runs only the build, on a Node.js with SQLite, as an unprivileged user", () => {
    expect(stages).toHaveLength(2);
    for (const stage of stages) expect(stage).toMatch(/^node:24-/);
    const last = stages[1]!;
    expect(last).not.toContain("node_modules");
    expect(last).toMatch(/^USER node$/m);
    expect(last).toMatch(/^HEALTHCHECK /m);
  });

  it("starts the entry point of the package", () => {
    const { bin } = JSON.parse(readText("package.json")) as { readonly bin: { readonly archivetool: string } };
    const [, entry = ""] = /^ENTRYPOINT (\[.*\])$/m.exec(text) ?? [];
    expect(JSON.parse(entry).slice(0, 3)).toEqual(["node", bin.archivetool, "service"]);
  });
});
