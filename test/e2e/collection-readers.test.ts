import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COMMAND_NAMES } from "../../src/cli/program.ts";
import { connect, type PostgresClient } from "../../src/store/postgres/postgres-client.ts";
import { HAS_POSTGRES, testServer } from "../stores.ts";
import { archivetool, type CliResult, scratchDirectory } from "./cli.ts";
import { LETTERS, rawMessage, writeMbox } from "./fixture-mail.ts";

/** Roles of a database see the collections that they are named for, whatever they are asked with. */

/** Each command line is a process. */
const TIMEOUT_MS = 300_000;
const CLI = resolve(import.meta.dirname, "../../dist/cli/main.js");

const scratch = scratchDirectory("collection-readers");
const ROLES = ["reader_ann", "reader_bob", "reader_carol", "reader_dora", "newsroom"] as const;
type Role = (typeof ROLES)[number] | "tester";

const serverOf = (role: Role): string => testServer().url.replace("tester@", `${role}@`);
const urlOf = (role: Role, collection: string): string => `${serverOf(role)}#${collection}`;
const as = (role: Role): Promise<PostgresClient> => connect(serverOf(role), "the test server");

const mailOf = (name: string): string => join(scratch, `${name}.mbox`);
const outputOf = (name: string): string => join(scratch, name);

/** What a command says of a collection, with every name for it made the same. */
function told({ exitCode, stdout, stderr }: CliResult, collection: string): unknown {
  const shown = (text: string): string => text.replaceAll(collection, "COLLECTION");
  return { exitCode, stdout: shown(stdout), stderr: shown(stderr) };
}

function storeFlags(url: string): readonly string[] {
  const [server, collection] = url.split("#");
  return ["--store", server!, "--collection", collection!];
}

/** Command lines about a collection of another, by command; null for those that take none. */
const ABOUT: Readonly<Record<string, ((url: string) => readonly (readonly string[])[]) | null>> = {
  extract: (url) => [["extract", mailOf("own"), "-o", outputOf("made"), "--no-wiki", "--replace", ...storeFlags(url)]],
  search: (url) => [
    ["search", url, "crane"],
    ["search", url, "", "--json"],
  ],
  show: (url) => [["show", url, "msg-000001"]],
  export: (url) => [["export", url, "-o", outputOf("export"), "--format", "mbox"]],
  stats: (url) => [["stats", url, "--json"]],
  viz: (url) => [["viz", url, "-o", outputOf("graph.html")]],
  serve: (url) => [["serve", url, "--port", "0"]],
  mcp: (url) => [["mcp", url]],
  api: (url) => [["api", url, "--port", "0"]],
  service: null,
  copy: (url) => [
    ["copy", url, outputOf("copied")],
    ["copy", outputOf("own"), url],
    ["copy", outputOf("own"), url, "--replace"],
  ],
  readers: (url) => [
    ["readers", url],
    ["readers", url, "--json"],
    ["readers", url, "--add", "reader_ann"],
    ["readers", url, "--remove", "reader_bob"],
    ["readers", url, "--audit"],
  ],
  validate: (url) => [["validate", url]],
  schema: null,
  info: null,
  completion: null,
};

/** What commands answer about the collection of the one who asks. */
const ANSWERED = (source: string): readonly (readonly string[])[] => [
  ["stats", source, "--json"],
  ["search", source, "crane", "--json"],
  ["search", source, "from:mara -offer", "--json"],
  ["search", source, '"the crane"', "--json"],
  ["search", source, "cra*", "--json"],
  ["show", source, "msg-000001", "--json"],
];

/** Starts a server over a collection. */
async function startServer(command: "api" | "serve", url: string) {
  const server = spawn(process.execPath, [CLI, command, url, "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  for await (const text of server.stdout.setEncoding("utf8")) {
    said += text;
    if (said.includes("\n")) break;
  }
  const [address] = /http:\/\/\S+/.exec(said) ?? [];
  if (address === undefined) throw new Error(`the server said: ${said}`);
  return {
    url: address,
    async end() {
      server.kill("SIGTERM");
      await once(server, "exit");
    },
  };
}

describe.skipIf(!HAS_POSTGRES)("a collection with readers", { timeout: TIMEOUT_MS }, () => {
  let owner: PostgresClient;

  beforeAll(async () => {
    owner = await as("tester");
    for (const role of ROLES) await owner.run(`CREATE ROLE ${role} LOGIN`);
    await owner.run("GRANT newsroom TO reader_carol");
    mkdirSync(scratch, { recursive: true });
    const letters = LETTERS.map((letter) => rawMessage(letter));
    writeMbox(mailOf("own"), letters.slice(0, 6));
    writeMbox(mailOf("other"), letters);
    for (const [name, collection] of [
      ["own", "harbour"],
      ["other", "pier"],
    ] as const) {
      const made = archivetool("extract", mailOf(name), "-o", outputOf(name), "--no-wiki");
      expect(made.exitCode, made.stderr).toBe(0);
      const copied = archivetool("copy", outputOf(name), urlOf("tester", collection));
      expect(copied.exitCode, copied.stderr).toBe(0);
    }
    expect(archivetool("readers", urlOf("tester", "harbour")).stdout).toMatch(
      /^everybody who may read the tables reads /,
    );
    expect(archivetool("readers", urlOf("tester", "harbour"), "--json").stdout).toContain('"is_restricted": false');
    expect(archivetool("readers", urlOf("tester", "harbour"), "--add", "reader_ann", "newsroom")).toMatchObject({
      exitCode: 0,
      stdout: "newsroom\nreader_ann\n",
    });
    expect(archivetool("readers", urlOf("tester", "pier"), "--add", "reader_bob").exitCode).toBe(0);
  }, TIMEOUT_MS);

  afterAll(async () => {
    await owner?.close();
  });

  it("is all that its readers see of any table, whatever they ask the server", async () => {
    const ann = await as("reader_ann");
    const tables = (
      await owner.rows("SELECT tablename FROM pg_tables WHERE schemaname = 'archivetool'")
    ).flat() as string[];
    const readable: string[] = [];
    for (const table of tables) {
      const rows = await ann.rows(`SELECT * FROM archivetool.${table}`).catch(() => null);
      if (rows === null) continue;
      readable.push(table);
      const hasEpochs =
        (
          await owner.rows(
            "SELECT 1 FROM information_schema.columns WHERE table_schema = 'archivetool' AND table_name = $1 AND column_name = 'epoch'",
            [table],
          )
        ).length > 0;
      if (!hasEpochs) continue;
      const own = await owner.rows(
        `SELECT * FROM archivetool.${table} WHERE epoch = (SELECT epoch FROM archivetool.collections WHERE name = 'harbour')`,
      );
      const sorted = (list: unknown[][]): string[] => list.map((row) => JSON.stringify(row)).sort();
      expect(sorted(rows), table).toEqual(sorted(own));
      await expect(ann.run(`DELETE FROM archivetool.${table}`), table).rejects.toMatchObject({
        code: "SOURCE_UNREADABLE",
      });
    }
    expect(readable).toEqual(
      expect.arrayContaining(["messages", "bodies", "ix_block", "ix_post", "contacts", "epochs", "list_orders"]),
    );
    const others = tables.filter((table) => !readable.includes(table));
    expect(others).toEqual(expect.arrayContaining(["collection_audit"]));
    await expect(ann.rows("SELECT collection, reader::text FROM archivetool.collection_readers")).resolves.toEqual([
      ["harbour", "reader_ann"],
    ]);
    await ann.close();
  });

  it("answers its readers as a database that holds no other does", () => {
    for (const role of ["reader_ann", "reader_carol"] as const)
      for (const [index, words] of ANSWERED(urlOf(role, "harbour")).entries()) {
        const ofFile = archivetool(...ANSWERED(outputOf("own"))[index]!);
        expect(ofFile.exitCode).toBe(0);
        expect(archivetool(...words), words.join(" ")).toEqual(ofFile);
      }
  });

  it("is for everybody else what is not there: every command says the same of both", () => {
    expect(Object.keys(ABOUT).sort()).toEqual([...COMMAND_NAMES].sort());
    const compared = Object.values(ABOUT).flatMap((about) =>
      about === null ? [] : about(urlOf("reader_ann", "pier")),
    );
    const missing = Object.values(ABOUT).flatMap((about) => (about === null ? [] : about(urlOf("reader_ann", "nope"))));
    for (const [index, words] of compared.entries()) {
      const hidden = archivetool(...words);
      expect(hidden.exitCode, words.join(" ")).not.toBe(0);
      expect(told(hidden, "pier"), words.join(" ")).toEqual(told(archivetool(...missing[index]!), "nope"));
    }
  });

  it("is not told of while somebody writes it, or extracts into it", async () => {
    // What those who publish, and runs with workers, hold.
    await owner.rows(
      "SELECT pg_advisory_lock(1095910229, hashtext('pier')), pg_advisory_lock(1095910231, hashtext('pier'))",
    );
    const writing = (url: string) => [...ABOUT["copy"]!(url), ...ABOUT["extract"]!(url)].slice(1);
    const lines = writing(urlOf("reader_ann", "pier"));
    const missing = writing(urlOf("reader_ann", "nope"));
    for (const [index, words] of lines.entries())
      expect(told(archivetool(...words), "pier"), words.join(" ")).toEqual(
        told(archivetool(...missing[index]!), "nope"),
      );
    await owner.rows("SELECT pg_advisory_unlock_all()");
  });

  it("puts on record what is read of it through servers, before it is read", async () => {
    for (const [command, paths] of [
      [
        "serve",
        [
          ...["/", "/a/archive/overview", "/api/explore/openapi.json", "/api/explore/overview", "/api/stats"],
          ...["/api/explore/messages?q=crane", "/api/explore/messages?q=crane&offset=5"],
          ...["/api/explore/messages?q=harbour", "/api/export?format=mbox", "/api/messages/msg-000001/original"],
          "/api/nothing",
        ],
      ],
      ["api", ["/health", "/messages", "/contacts?search=mara"]],
    ] as const) {
      const server = await startServer(command, urlOf("reader_carol", "harbour"));
      for (const path of paths) await (await fetch(server.url + path, { redirect: "manual" })).text();
      await server.end();
    }
    const shown = archivetool("readers", urlOf("tester", "harbour"), "--audit");
    expect(shown.exitCode, shown.stderr).toBe(0);
    const rows = shown.stdout.trim().split("\n");
    expect(rows.map((row) => row.replace(/^\S+ {2}/, ""))).toEqual([
      "reader_carol  opened",
      "reader_carol  searched",
      "reader_carol  searched",
      "reader_carol  exported",
      "reader_carol  downloaded  api/messages/msg-000001/original",
      "reader_carol  opened",
      "reader_carol  searched",
    ]);
    const first = archivetool("readers", urlOf("tester", "harbour"), "--audit", "--json").stdout.split("\n")[0]!;
    const read = JSON.parse(first) as { readonly at: string };
    expect(read).toMatchObject({ name: "reader_carol", action: "opened", detail: null });
    expect(Math.abs(Date.now() - Date.parse(read.at))).toBeLessThan(TIMEOUT_MS);
    expect(archivetool("readers", urlOf("tester", "harbour"), "--audit", "--since", "2999-01-01").stdout).toBe("");
    expect(archivetool("readers", urlOf("tester", "pier"), "--audit").stdout).toBe("");
  });

  it("keeps that record from readers, and lets nobody give another name, another time or another collection", async () => {
    const carol = await as("reader_carol");
    const refused = { code: "SOURCE_UNREADABLE" };
    const table = "archivetool.collection_audit";
    await expect(carol.rows(`SELECT * FROM ${table}`)).rejects.toMatchObject(refused);
    for (const [columns, values] of [
      ["collection, action, name", "'harbour', 'opened', 'reader_ann'"],
      ["collection, action, at", "'harbour', 'opened', 1"],
      ["collection, action", "'pier', 'opened'"],
    ])
      await expect(carol.run(`INSERT INTO ${table}(${columns}) VALUES (${values})`)).rejects.toMatchObject(refused);
    await carol.run("SET ROLE newsroom");
    await carol.run(`INSERT INTO ${table}(collection, action) VALUES ('harbour', 'opened')`);
    await carol.close();
    expect(await owner.rows(`SELECT name FROM ${table} ORDER BY sequence DESC LIMIT 1`)).toEqual([["reader_carol"]]);
    for (const change of [`DELETE FROM ${table}`, `UPDATE ${table} SET name = 'x'`, `TRUNCATE ${table}`])
      await expect(owner.run(change)).rejects.toThrow("the audit is only added to");
  });

  it("is not served by who cannot record it, nor read while that cannot be written", async () => {
    const server = await startServer("serve", urlOf("reader_ann", "harbour"));
    await owner.run("REVOKE INSERT(collection, action, detail) ON archivetool.collection_audit FROM reader_ann");
    const answer = await fetch(`${server.url}/api/stats`);
    expect([answer.status, await answer.text()]).toEqual([500, expect.not.stringContaining("messages")]);
    await server.end();
    const refused = archivetool("serve", urlOf("reader_ann", "harbour"), "--port", "0");
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining("are put on record")]);
    // Whoever is named anew gives it back to all.
    expect(archivetool("readers", urlOf("tester", "harbour"), "--add", "reader_ann").exitCode).toBe(0);
    const again = await startServer("serve", urlOf("reader_ann", "harbour"));
    expect((await fetch(`${again.url}/api/stats`)).status).toBe(200);
    await again.end();
  });

  it("is read by who is named and by nobody else, from the next command on, and after it was replaced", () => {
    const sees = (role: Role, collection: string): boolean =>
      archivetool("stats", urlOf(role, collection)).exitCode === 0;
    expect(sees("reader_dora", "harbour")).toBe(false);
    expect(archivetool("readers", urlOf("tester", "harbour"), "--add", "reader_dora").exitCode).toBe(0);
    expect([sees("reader_dora", "harbour"), sees("reader_dora", "pier")]).toEqual([true, false]);
    expect(archivetool("copy", outputOf("own"), urlOf("tester", "harbour"), "--replace").exitCode).toBe(0);
    expect([sees("reader_dora", "harbour"), sees("reader_ann", "harbour"), sees("reader_bob", "harbour")]).toEqual([
      true,
      true,
      false,
    ]);
    const removed = archivetool(
      "readers",
      urlOf("tester", "harbour"),
      "--remove",
      "reader_dora",
      "reader_ann",
      "newsroom",
    );
    expect(removed).toMatchObject({ exitCode: 0, stdout: "" });
    // Once somebody was named, nobody is let in without.
    expect([sees("reader_dora", "harbour"), sees("reader_ann", "harbour"), sees("reader_carol", "harbour")]).toEqual([
      false,
      false,
      false,
    ]);
    expect([sees("tester", "harbour"), sees("reader_bob", "pier")]).toEqual([true, true]);
  });

  it("takes no role that is not there, and names nobody then", () => {
    const refused = archivetool("readers", urlOf("tester", "pier"), "--add", "reader_ann", "nobody_here");
    expect(refused.exitCode).not.toBe(0);
    expect(refused.stderr).toContain('the server has no role "nobody_here"');
    expect(archivetool("readers", urlOf("tester", "pier")).stdout).toBe("reader_bob\n");
  });
});
