import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { EXAMPLE_SEED, exampleCompany } from "../../examples/company/company.ts";
import { writeSources } from "../../examples/mailbox-files.ts";
import { scratchDirectory } from "./cli.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const GUIDES = ["journalists", "legal-review", "archives", "family-mail", "mailing-lists", "team-service"] as const;
/** Servers run until they are stopped, and a privilege log needs a reviewer. */
const SKIPPED = /^archivetool (?:open|serve|service --|export matter "review:privileged")/;
/** Values that readers replace with their own. */
const EXAMPLES: readonly (readonly [string, string])[] = [
  ["ann@old.example", "greta.halvorsen@halvorsen-pike.example"],
  ["ann@new.example", "desmond.pike@halvorsen-pike.example"],
  ["from:grandma", "from:greta"],
];
const UPLOAD = "upload-xg6nwnz5seok";

const scratch = scratchDirectory("guides");
const mail = join(scratch, "mail");

beforeAll(() => {
  writeSources(exampleCompany(EXAMPLE_SEED), mail);
});

/** Code blocks of one language, without the indentation of their list item. */
function blocksOf(page: string, language: string): readonly string[] {
  const blocks = page.matchAll(new RegExp(`^( *)\`\`\`${language}\\n(.*?)^ *\`\`\`$`, "gms"));
  return Array.from(blocks, ([, indent = "", text = ""]) =>
    text
      .split("\n")
      .map((line) => line.slice(indent.length))
      .join("\n"),
  );
}

/** Mail under the names that the guides use. */
function placeMail(directory: string): void {
  const mbox = join(mail, "greta-halvorsen.mbox");
  for (const name of ["leak", "donation", "devel"]) mkdirSync(join(directory, name), { recursive: true });
  for (const name of ["leak/greta-halvorsen.mbox", "donation/greta.mbox", "greta.mbox"])
    cpSync(mbox, join(directory, name));
  for (const name of ["tomas", "later-donation"])
    cpSync(join(mail, "tomas-reyes"), join(directory, name), { recursive: true });
  writeFileSync(join(directory, "devel/2021-May.mbox.gz"), gzipSync(readFileSync(mbox)));
  writeFileSync(join(directory, ".mailmap"), "Greta <greta.halvorsen@halvorsen-pike.example>\n");
}

/** Runs a command line of a guide in a shell, with the directory as home. */
function runLine(line: string, directory: string): string {
  const { status, stdout, stderr } = spawnSync("sh", ["-c", `archivetool() { node "$CLI" "$@"; }; ${line}`], {
    cwd: directory,
    env: { ...process.env, HOME: directory, CLI: join(ROOT, "dist/cli/main.js") },
    encoding: "utf8",
  });
  expect([line, status, status === 0 ? "" : stderr]).toEqual([line, 0, ""]);
  return stdout;
}

describe.skipIf(process.platform === "win32")("guides", () => {
  it.each(GUIDES)("%s: every command succeeds", (name) => {
    const page = readFileSync(join(ROOT, `docs/guides/${name}.md`), "utf8");
    const directory = join(scratch, name);
    placeMail(directory);
    if (name === "family-mail") runLine("archivetool -q extract leak -o ~/Archives/takeout", directory);
    if (name === "legal-review") writeFileSync(join(directory, "terms.txt"), blocksOf(page, "")[0]!);
    const lines = blocksOf(page, "sh")
      .flatMap((block) => block.split("\n"))
      .filter((line) => line.startsWith("archivetool ") && !SKIPPED.test(line));
    expect(lines.length).toBeGreaterThan(1);
    let printed = "";
    for (const line of lines) {
      const [upload = UPLOAD] = /upload-\w+/.exec(printed) ?? [];
      const replaced = [...EXAMPLES, [UPLOAD, upload] as const];
      printed += runLine(
        replaced.reduce((text, [example, value]) => text.replace(example, value), line),
        directory,
      );
    }
  });
});
