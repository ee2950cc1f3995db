import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";

/** Adds a field of a message to a copy of the sources, in the files that CONTRIBUTING names and in no other. */

const run = promisify(execFile);
/** Types of the whole program are checked, and it is bundled, which takes long on a busy machine. */
const TIMEOUT_MS = 600_000;
const ROOT = resolve(import.meta.dirname, "../..");

/** A line behind which lines are put. */
interface Addition {
  readonly file: string;
  readonly behind: string;
  readonly lines: string;
}

const ADDITIONS: readonly Addition[] = [
  {
    file: "src/mime/envelope/envelope.ts",
    behind: "    isAutomatic: isAutomatic(fields),\n",
    lines: '    organization: decodedField(fields, "organization", charset).trim() || null,\n',
  },
  {
    file: "src/mapi/message/mapi-message.ts",
    behind: "    isAutomatic: headers?.isAutomatic ?? false,\n",
    lines: "    organization: headers?.organization ?? null,\n",
  },
  {
    file: "src/olm/olm-message.ts",
    behind: "    isAutomatic: false,\n",
    lines: "    organization: null,\n",
  },
  {
    file: "src/mail/records/message.ts",
    behind: "  readonly isAutomatic: boolean;\n",
    lines: "  readonly organization: string | null;\n",
  },
  {
    file: "src/store/tables/message-tables.ts",
    behind: '  findings: findings("findings"),\n',
    lines: '  organization: since(1_000, optional(text("organization"))),\n',
  },
  {
    file: "src/document/extraction-records.ts",
    behind: '  inReplyTo: ["in_reply_to", list(TEXT)],\n',
    lines: '  organization: ["organization", notInEarlier(TEXT)],\n',
  },
];

const mail = (number: number, ...fields: readonly string[]): string =>
  [
    `Message-ID: <${number}@ridge.example>`,
    "From: ann@ridge.example",
    `Subject: Report ${number}`,
    ...fields,
    "",
    `Text ${number}`,
    "",
  ].join("\n");

let directory: string;
const inside = (...path: string[]): string => join(directory, ...path);

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "archivetool-field-"));
  cpSync(join(ROOT, "src"), inside("src"), { recursive: true });
  for (const name of ["package.json", "tsconfig.base.json"]) cpSync(join(ROOT, name), inside(name));
  cpSync(join(ROOT, "scripts"), inside("scripts"), { recursive: true });
  cpSync(join(ROOT, "dist", "data"), inside("dist", "data"), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), inside("node_modules"));
  mkdirSync(inside("mail"));
  for (const { file, behind, lines } of ADDITIONS) {
    const before = readFileSync(inside(file), "utf8");
    expect(before.split(behind), `${file}: ${behind}`).toHaveLength(2);
    writeFileSync(
      inside(file),
      before.replace(behind, () => behind + lines),
    );
  }
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function extract(root: string, output: string, ...options: readonly string[]): Promise<void> {
  const words = ["-q", "extract", inside("mail"), "-o", inside(output), "--json", "--no-wiki", ...options];
  await run(process.execPath, [join(root, "dist", "cli", "main.js"), ...words], { cwd: root });
}

function organizations(output: string): readonly unknown[] {
  const { messages } = JSON.parse(readFileSync(inside(output, "extraction.json"), "utf8")) as {
    readonly messages: readonly object[];
  };
  return messages.map((message) => ("organization" in message ? message.organization : "no field"));
}

it(
  "is a whole program with it",
  async () => {
    writeFileSync(
      inside("tsconfig.json"),
      JSON.stringify({
        extends: "./tsconfig.base.json",
        compilerOptions: { noEmit: true },
        include: ["src"],
        exclude: ["src/**/*.test.ts", "src/graph-view", "src/outputs/graph-page/client", "src/web"],
      }),
    );
    await run(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", inside("tsconfig.json")]);
  },
  TIMEOUT_MS,
);

it(
  "is read, stored, published, redacted, and added to an archive that was made without it",
  async () => {
    const bundling = 'import("./scripts/bundle-program.mjs").then(({ bundleProgram }) => bundleProgram("dist"))';
    await run(process.execPath, ["-e", bundling], { cwd: directory });
    writeFileSync(inside("mail", "1.eml"), mail(1, "Organization: Harbour office"));
    await extract(ROOT, "grown");
    expect(organizations("grown")).toEqual(["no field"]);
    writeFileSync(inside("mail", "2.eml"), mail(2, "Organization: Pilots, ask bob.lee@ridge.example"));
    await extract(directory, "grown", "--incremental");
    expect(organizations("grown")).toEqual([null, "Pilots, ask bob.lee@ridge.example"]);
    await extract(directory, "whole", "--redact", "email");
    expect(organizations("whole")).toEqual(["Harbour office", "Pilots, ask [REDACTED:email]"]);
  },
  TIMEOUT_MS,
);
