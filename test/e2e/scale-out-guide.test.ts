import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { connect } from "../../src/store/postgres/client/postgres-client.ts";
import { postgresPrograms, startPostgres } from "../postgres-cluster.ts";
import { archivetool, scratchDirectory } from "./cli.ts";
import { LETTERS, rawMessage, writeMbox } from "./fixture-mail.ts";
import { type RunningService, startServer } from "./running-service.ts";

/** Words of the guide: an administrator reads it from front to back. */
const MAX_WORDS = 2500;
/** Requests before and after one of two readers is killed. */
const REQUESTS = 40;

const PAGE = readFileSync(resolve(import.meta.dirname, "../../docs/guides/scaling-out.md"), "utf8");
const BLOCKS = PAGE.split("```")
  .filter((_, index) => index % 2 === 1)
  .map((block) => block.slice(block.indexOf("\n") + 1));
const LINES = BLOCKS.flatMap((block) => block.split("\n"));

const programs = postgresPrograms();
const hasNginx = spawnSync("nginx", ["-v"]).status === 0;
const hasPsql = spawnSync("psql", ["--version"]).status === 0;
const scratch = scratchDirectory("scale-out-guide");
const cluster = programs === null || !hasPsql ? null : startPostgres(programs);

it("is short", () => expect(PAGE.split(/\s+/).length).toBeLessThanOrEqual(MAX_WORDS));

/** The URL of a database of the server of the test. */
function urlOf(user: string, database: string): string {
  return cluster!.url.replace("tester@", `${user}@`).replace("/postgres?", `/${database}?`);
}

/** A command of the guide with the paths and the server of the test. */
function placed(command: string): readonly string[] {
  return command
    .replaceAll(
      /postgres:\/\/(\w+)@db\.example(:5441)?\/(\w+)/g,
      (_, user: string, restored: string | undefined, name: string) =>
        urlOf(user, restored === undefined ? name : "restored"),
    )
    .replace("mail/harbour.pst", join(scratch, "harbour.mbox"))
    .replace("-o archive ", `-o ${join(scratch, "archive")} `)
    .replace("other-archive", join(scratch, "archive"))
    .split(" ")
    .slice(1)
    .map((word) => word.replaceAll('"', ""));
}

const commandsOf = (name: string): readonly string[] => LINES.filter((line) => line.startsWith(`archivetool ${name} `));

describe.skipIf(cluster === null)("the guide (PostgreSQL and psql must be installed)", () => {
  beforeAll(async () => {
    writeMbox(join(scratch, "harbour.mbox"), LETTERS.map(rawMessage));
    const client = await connect(cluster!.url, "test");
    await client.run("CREATE DATABASE mail ENCODING UTF8 TEMPLATE template0");
    await client.close();
    const [, sql = ""] = /psql mail <<'SQL'\n(.*?)\nSQL/s.exec(PAGE) ?? [];
    const made = spawnSync("psql", ["-v", "ON_ERROR_STOP=1", urlOf("tester", "mail")], {
      input: sql,
      encoding: "utf8",
    });
    expect(made.stderr).toBe("");
  });

  it("makes, restores and searches collections by its commands", async () => {
    const commands = ["extract", "copy", "search"].flatMap(commandsOf);
    expect(commands).toHaveLength(4);
    for (const command of commands) {
      if (command.includes(":5441")) await restore();
      const run = archivetool("-q", ...placed(command));
      expect([command, run.exitCode, run.stderr]).toEqual([command, 0, ""]);
    }
  });

  it.skipIf(!hasNginx)(
    "answers every request while one of two readers is killed (nginx must be installed)",
    async () => {
      const client = await connect(urlOf("ann", "mail"), "test");
      await client.run("GRANT USAGE ON SCHEMA archivetool TO reader");
      await client.run("GRANT SELECT ON ALL TABLES IN SCHEMA archivetool TO reader");
      await client.close();
      const [serve = ""] = commandsOf("serve");
      expect(serve).toContain("--read-only");
      const command = placed(serve.replace("--host 10.0.0.5", "--host 127.0.0.1"));
      const readers = await Promise.all([startServer(...command), startServer(...command)]);
      const proxy = await startNginx(readers, blockWith("upstream archivetool_readers"));
      try {
        const ask = async (): Promise<number> => {
          const answer = await fetch(`${proxy.url}/api/query/messages?limit=5&q=crane`);
          await answer.arrayBuffer();
          return answer.status;
        };
        const statuses: number[] = [];
        for (let count = 0; count < REQUESTS; count++) statuses.push(await ask());
        const dying = readers[0]!.end("SIGKILL");
        for (let count = 0; count < REQUESTS; count++) statuses.push(await ask());
        await dying;
        expect(statuses).toEqual(statuses.map(() => 200));
      } finally {
        proxy.process.kill("SIGTERM");
        await readers[1]!.end("SIGTERM");
      }
    },
  );
});

it.skipIf(!hasNginx)("has configurations that nginx takes (nginx must be installed)", async () => {
  const blocks = BLOCKS.filter((block) => block.startsWith("upstream "));
  expect(blocks).toHaveLength(2);
  for (const block of blocks) {
    const path = writeConfiguration(block, ["127.0.0.1:1", "127.0.0.1:2"], await freePort());
    const tested = spawnSync("nginx", ["-t", "-p", scratch, "-c", path], { encoding: "utf8" });
    expect(tested.stderr).toContain("test is successful");
  }
});

/** What a server restored from a backup has, as a database of its own. */
async function restore(): Promise<void> {
  const client = await connect(cluster!.url, "test");
  await client.run("CREATE DATABASE restored TEMPLATE mail");
  await client.close();
}

function blockWith(start: string): string {
  return BLOCKS.find((block) => block.startsWith(start))!;
}

/** A block of the guide as a whole configuration, without TLS, for servers and a port of the test. */
function writeConfiguration(block: string, servers: readonly string[], port: number): string {
  const local = block
    .replace(/one\.example:\d+/, servers[0]!)
    .replace(/two\.example:\d+/, servers[1]!)
    .replace("listen 443 ssl", `listen 127.0.0.1:${port}`);
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${join(scratch, name)};`)
    .join(" ");
  const path = join(scratch, `nginx-${port}.conf`);
  const head = `daemon off; master_process off; pid ${path}.pid; error_log ${path}.log; events {}`;
  writeFileSync(path, `${head}\nhttp { access_log off; ${paths}\n${local} }\n`);
  mkdirSync(join(scratch, "client_body"), { recursive: true });
  return path;
}

async function startNginx(
  readers: readonly RunningService[],
  block: string,
): Promise<{ readonly url: string; readonly process: ChildProcess }> {
  const port = await freePort();
  const path = writeConfiguration(
    block,
    readers.map(({ url }) => new URL(url).host),
    port,
  );
  const child = spawn("nginx", ["-p", scratch, "-c", path], { stdio: "ignore" });
  const url = `http://127.0.0.1:${port}`;
  await expect
    .poll(
      () =>
        fetch(url).then(
          () => true,
          () => false,
        ),
      { timeout: 10_000 },
    )
    .toBe(true);
  return { url, process: child };
}

function freePort(): Promise<number> {
  return new Promise((settle) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => settle(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
