import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { createLocalServer } from "../../src/http/local-server/local-server.ts";
import { openArchive } from "../../src/store/archive/open-archive.ts";
import { archiveAt, archiveIn } from "../../src/store/contract/archive-location.ts";
import { withNotebook } from "../../src/store/notebook/open-notebook.ts";
import { archivetool, scratchDirectory } from "../e2e/cli.ts";
import { LETTERS, rawMessage, writeMbox } from "../e2e/fixture-mail.ts";
import { ownFiles } from "./own-files.ts";

/** The output of `--json` is a contract: docs/reference/cli.md lists exactly its fields. */
const PAGE = readFileSync(resolve(import.meta.dirname, "../../docs/reference/cli.md"), "utf8");
/** Objects whose keys are data. */
const DICTIONARIES: ReadonlySet<string> = new Set(["dependencies"]);

/** Results of `search` other than messages. */
const INVITATION = [
  ...["From: ann@harbour.example", "Message-ID: <tour@harbour.example>", "Subject: Tour"],
  ...["Content-Type: text/calendar", "", "BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:tour", "DTSTART:20010601T100000Z"],
  ...["SUMMARY:Tour of the crane", "END:VEVENT", "END:VCALENDAR", ""],
].join("\n");

const scratch = scratchDirectory("command-json");
const output = join(scratch, "output");
const wrong = join(scratch, "wrong");

beforeAll(() => {
  const mbox = join(scratch, "harbour.mbox");
  const [first] = LETTERS;
  // Resent to another person.
  const again = { ...first!, id: "again@harbour.example", to: "master@harbour.example" };
  writeMbox(mbox, [...[...LETTERS, again].map(rawMessage), INVITATION]);
  expect(archivetool("-q", "extract", mbox, "-o", output, "--json").exitCode).toBe(0);
  cpSync(output, wrong, { recursive: true });
  const tag = { kind: "message", key: "a", revision: 0, value: "{}", updatedAt: 1, author: "ann" } as const;
  withNotebook(archiveIn(wrong), (notebook) => notebook.write(tag));
  writeFileSync(
    join(wrong, "extraction.json"),
    readFileSync(join(output, "extraction.json"), "utf8").replace('"subject":', '"subjekt":'),
  );
});

/** Paths of all fields: `date_range.earliest`, `top_contacts[].id`. */
function fieldsOf(document: unknown): string[] {
  const fields = new Set<string>();
  const pending: { readonly path: string; readonly value: unknown }[] = [{ path: "", value: document }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { path, value } = next;
    if (Array.isArray(value) && typeof value[0] === "object")
      for (const element of value) pending.push({ path: `${path}[]`, value: element });
    else if (typeof value === "object" && value !== null && !Array.isArray(value) && !DICTIONARIES.has(path)) {
      for (const [name, inner] of Object.entries(value))
        pending.push({ path: path === "" ? name : `${path}.${name}`, value: inner });
    } else if (path !== "") fields.add(path);
  }
  return [...fields].sort();
}

/** Fields in the first cells of the table below a heading; one cell may list several. */
function documentedFields(title: string): string[] {
  const section = PAGE.slice(PAGE.indexOf(`\n### ${title}\n`)).split(/\n#{1,3} /)[1] ?? "";
  return Array.from(section.matchAll(/^\| `([^|]+)` \|/gm), ([, cell]) => cell!.split("`, `"))
    .flat()
    .sort();
}

describe.each<readonly [string, () => readonly string[]]>([
  ["stats --json", () => ["stats", output, "--json"]],
  ["search --json", () => ["search", output, "crane", "--json"]],
  ["hits --json", () => ["hits", output, "crane", "--json"]],
  ["validate --json", () => ["validate", wrong, "--json"]],
  ["info --json", () => ["info", "--json"]],
])("%s", (title, args) => {
  it("prints exactly the fields of docs/reference/cli.md, in snake_case", () => {
    const fields = fieldsOf(JSON.parse(archivetool(...args()).stdout));
    expect(fields).toEqual(documentedFields(title));
    for (const field of fields) expect(field).toMatch(/^[a-z0-9_.[\]]+$/);
  });
});

it("stats --json equals /api/stats", async () => {
  const archive = await openArchive(archiveAt(join(output, "archive.db")));
  const app = await createLocalServer(
    archive,
    { source: output, environment: "test", host: "127.0.0.1", ...ownFiles() },
    null,
  );
  try {
    const answer = await app.inject({ url: "/api/stats", headers: { host: "127.0.0.1" } });
    expect(answer.json()).toEqual(JSON.parse(archivetool("stats", output, "--json").stdout));
  } finally {
    await app.close();
    await archive.close();
  }
});
