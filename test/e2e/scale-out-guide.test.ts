import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { UploadWire } from "../../src/http/upload-service/base/wire-uploads.ts";
import { FAKE_BUCKET, FAKE_KEYS, FAKE_REGION, FakeS3 } from "../fake-s3.ts";
import { postgresPrograms, startOptions, startPostgres } from "../postgres-cluster.ts";
import { archivetool, scratchDirectory } from "./cli.ts";
import { LETTERS, mboxOf, rawMessage, writeMbox } from "./fixture-mail.ts";
import { HAS_NGINX, type NginxProxy, startNginx } from "./nginx-proxy.ts";
import { type RunningService, startServer } from "./running-service.ts";
import { blockWith, COMMANDS, PAGE, siteOf } from "./scaling-out-page.ts";

/** Administrators read this guide completely, so its length is limited (words). */
const MAX_WORDS = 2500;
/** Requests of each client while one of two readers is killed. */
const REQUESTS = 40;
const CLIENTS = 4;
const TOKEN = "correct-horse-battery";
const BEARER = { authorization: `Bearer ${TOKEN}` };
/** The time to which the guide restores. */
const EXAMPLE_TIME = "2026-03-01 12:00:00+00";

const ROOT = resolve(import.meta.dirname, "../..");
const hasTools = ["psql", "curl"].every((name) => spawnSync(name, ["--version"]).status === 0);
const programs = hasTools ? postgresPrograms() : null;
const scratch = scratchDirectory("scale-out-guide");
/** Directory of the example paths in the guide. */
const placeOf = (directory: string): readonly (readonly [string, string])[] => [
  ["/backup/", `${directory}/`],
  ["/var/lib/postgresql/", `${directory}/`],
];
const cluster =
  programs === null
    ? null
    : startPostgres(programs, (directory) => {
        mkdirSync(join(directory, "wal"));
        // The server runs as another user.
        chmodSync(join(directory, "wal"), 0o777);
        return replaced(blockWith("archive_mode = on"), placeOf(directory));
      });
/** The server that clients know as db.example. */
const server = cluster === null ? "" : join(cluster.directory, "db");
const unused = new Set(COMMANDS);
const running: RunningService[] = [];
const proxies: NginxProxy[] = [];

afterEach(async () => {
  for (const proxy of proxies.splice(0)) await proxy.end();
  for (const service of running.splice(0)) await service.end("SIGKILL");
});

it("is short", () => expect(PAGE.split(/\s+/).length).toBeLessThanOrEqual(MAX_WORDS));

function replaced(text: string, pairs: readonly (readonly [string, string])[]): string {
  return pairs.reduce((result, [example, value]) => result.replaceAll(example, value), text);
}

/** The only command of the guide with this beginning, with paths and servers of the test. */
function take(start: string): string {
  const found = COMMANDS.filter((command) => command.startsWith(start));
  expect([start, found.length]).toEqual([start, 1]);
  unused.delete(found[0]!);
  return placed(found[0]!);
}

function placed(command: string): string {
  return replaced(
    command.replaceAll(
      /postgres:\/\/(\w+)@db\.example(:\d+)?\/(\w+)/g,
      (_, user: string, port = "", database: string) =>
        `postgres://${user}@localhost${port}/${database}?host=${encodeURIComponent(port === "" ? server : join(cluster!.directory, "restored"))}`,
    ),
    [
      ["mail/harbour.pst", join(scratch, "harbour.mbox")],
      ["-o archive ", `-o ${join(scratch, "archive")} `],
      ["other-archive", join(scratch, "archive")],
      ["/mnt/mail/service", join(scratch, "service")],
      ["/var/lib/archivetool", join(scratch, "own-disk")],
      ["s3://mail-archive", `s3://${FAKE_BUCKET}`],
      ["--host 10.0.0.5", "--host 127.0.0.1"],
      ["-h db.example", `-h ${server}`],
      ...placeOf(cluster!.directory),
    ],
  );
}

/** Runs commands of the guide as the superuser of the database server. */
function shell(...starts: readonly string[]): string {
  return starts.map((start) => cluster!.shell(take(start))).join("");
}

/** Arguments of an archivetool command. */
const wordsOf = (command: string): readonly string[] =>
  command
    .split(" ")
    .slice(1)
    .map((word) => word.replaceAll('"', ""));

/** The only value that a query returns. */
const ask = (sql: string): string => cluster!.shell(`psql postgres -Atc "${sql}"`).trim();

function runTool(start: string): string {
  const command = take(start);
  const run = archivetool("-q", ...wordsOf(command));
  expect([command, run.exitCode, run.stderr]).toEqual([command, 0, ""]);
  return run.stdout;
}

async function start(command: string, environment: Readonly<Record<string, string>> = {}): Promise<RunningService> {
  const set = { ARCHIVETOOL_TOKEN: TOKEN, ...environment };
  Object.assign(process.env, set);
  try {
    const service = await startServer(...wordsOf(command));
    running.push(service);
    return service;
  } finally {
    for (const name of Object.keys(set)) delete process.env[name];
  }
}

async function proxyFor(upstream: string, servers: readonly RunningService[]): Promise<NginxProxy> {
  const proxy = await startNginx(scratch, siteOf(`upstream ${upstream} {`, servers));
  proxies.push(proxy);
  return proxy;
}

function send(url: string, name: string, messages: number): Promise<Response> {
  const body = mboxOf(messages, name);
  return fetch(`${url}/upload?filename=${name}.mbox`, { method: "POST", headers: BEARER, body });
}

async function uploadTo(url: string, name: string, messages: number): Promise<void> {
  const sent = await send(url, name, messages);
  expect(sent.status).toBe(202);
  const { upload_id } = (await sent.json()) as UploadWire;
  const status = async (): Promise<string> => {
    const answer = await fetch(`${url}/uploads/${upload_id}`, { headers: BEARER });
    return ((await answer.json()) as UploadWire).status;
  };
  await expect.poll(status).toBe("completed");
}

const statusOf = async (url: string): Promise<number> => {
  const answer = await fetch(url, { headers: BEARER });
  await answer.arrayBuffer();
  return answer.status;
};

describe.skipIf(cluster === null)("the guide (PostgreSQL, psql and curl must be installed)", () => {
  const GUIDE_RIGHTS = "psql mail <<'SQL'\nGRANT USAGE";
  beforeAll(() => {
    symlinkSync(".", server);
    writeMbox(join(scratch, "harbour.mbox"), LETTERS.map(rawMessage));
    const [mail, uploads] = COMMANDS.filter((command) => command.startsWith("createdb "));
    shell(mail!, uploads!, "psql mail <<'SQL'\nCREATE ROLE", "pg_basebackup -D /backup");
  });
  afterAll(() => expect(unused).toEqual(new Set()));

  it("lists packages that this version supports", () => {
    const { peerDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      readonly peerDependencies: Readonly<Record<string, string>>;
    };
    // Tests use no registry: installations.test.ts installs the package.
    for (const command of COMMANDS.filter((one) => one.startsWith("npm "))) {
      unused.delete(command);
      for (const [, name, version] of command.matchAll(/ (@?[a-z][\w/-]+)@([\d.]+)/g))
        expect([name, peerDependencies[name!]]).toEqual([name, expect.stringContaining(version!)]);
    }
  });

  it("creates and searches collections, grants rights to readers, and queries views", () => {
    const first = runTool("archivetool extract");
    expect(first).toContain(join(scratch, "archive"));
    runTool("archivetool copy other-archive");
    expect(runTool("archivetool search")).toContain("Crane repair offer");
    shell(GUIDE_RIGHTS);
    const shown = shell("psql postgres://reader@db.example/mail");
    expect(shown).toContain("Crane repair offer");
    expect(shown.match(/\(\d+ rows?\)/g)).toEqual(["(2 rows)", "(3 rows)", "(2 rows)", "(0 rows)"]);
  });

  it.skipIf(!HAS_NGINX)(
    "answers all requests while one of two readers is killed (nginx must be installed)",
    async () => {
      const command = take("archivetool serve ");
      expect(command).toContain("--read-only");
      const readers = [await start(command), await start(command)];
      const proxy = await proxyFor("archivetool_readers", readers);
      const statuses: number[] = [];
      const client = async (count: number): Promise<void> => {
        for (let sent = 0; sent < count; sent++)
          statuses.push(await statusOf(`${proxy.url}/api/explore/messages?limit=5&q=crane`));
      };
      await client(REQUESTS);
      const clients = Array.from({ length: CLIENTS }, () => client(REQUESTS));
      await running.shift()!.end("SIGKILL");
      await Promise.all(clients);
      expect(statuses).toEqual(Array(REQUESTS * (CLIENTS + 1)).fill(200));
    },
  );

  it.skipIf(!HAS_NGINX)("receives uploads at two services (nginx must be installed)", async () => {
    const command = take("archivetool service --data /mnt");
    const services = [await start(command), await start(command)];
    const proxy = await proxyFor("archivetool", services);
    await uploadTo(proxy.url, "harbour", 4);
    await uploadTo(proxy.url, "pier", 4);
    expect(await statusOf(`${proxy.url}/health`)).toBe(200);
  });

  it("receives uploads at a service with a bucket, and monitors it", async () => {
    const fake = await FakeS3.start();
    // A database has the uploads of one service.
    cluster!.shell("createdb bucket && psql bucket -c 'GRANT CREATE ON DATABASE bucket TO archivists'");
    const command = take("archivetool service --data /var").replace("/uploads?", "/bucket?");
    const { url } = await start(command, {
      AWS_ACCESS_KEY_ID: FAKE_KEYS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: FAKE_KEYS.secretAccessKey,
      AWS_REGION: FAKE_REGION,
      AWS_ENDPOINT_URL_S3: fake.endpoint,
      AWS_CONFIG_FILE: "/nonexistent",
      AWS_EC2_METADATA_DISABLED: "true",
    });
    await uploadTo(url, "harbour", 4);
    await expect.poll(() => [...fake.objects.keys()].filter((key) => key.endsWith("/archive.tar")).length).toBe(1);
    const curl = take("curl ").replace("http://one.example:8787", url);
    const metrics = spawnSync("sh", ["-c", curl], { env: { ...process.env, ARCHIVETOOL_TOKEN: TOKEN } });
    const names = PAGE.match(/archivetool_\w+(?= [<=>]|_bucket|\{)/g)!;
    expect(names.length).toBeGreaterThan(2);
    for (const name of names.filter((one) => one !== "archivetool_readers"))
      expect(metrics.stdout.toString()).toContain(`\n${name}`);
    await running.pop()!.end("SIGTERM");
    await fake.close();
  });

  it("restores a removed collection at a point in time", () => {
    const found = runTool("archivetool search");
    const time = ask("SELECT clock_timestamp()");
    runTool("archivetool remove");
    const segment = ask("SELECT pg_walfile_name(pg_switch_wal())");
    cluster!.shell(`until [ -e wal/${segment} ]; do sleep 0.1; done`);
    shell("cp -a /backup/base");
    cluster!.shell(take("cat >> /backup/restored").replace(EXAMPLE_TIME, time));
    shell("touch ");
    const restored = join(cluster!.directory, "restored");
    cluster!.shell(
      take("pg_ctl start -D /backup").replace("-o '", `-l ${restored}.log -o '${startOptions(restored)} `),
    );
    cluster!.shell(take("until pg_isready").replace("pg_isready", `pg_isready -h ${restored}`));
    runTool("archivetool copy postgres://ann@db.example:5441");
    shell("pg_ctl stop -D /backup/restored");
    expect(runTool("archivetool search")).toBe(found);
  });

  it("continues with a standby after the loss of the server", async () => {
    const reader = await start(take("archivetool serve "));
    const service = await start(take("archivetool service --data /mnt"));
    const paths = [`${reader.url}/api/explore/messages?limit=5&q=crane`, `${service.url}/uploads`];
    const statuses = (): Promise<readonly number[]> => Promise.all(paths.map(statusOf));
    shell("pg_basebackup -h db.example");
    const standby = join(cluster!.directory, "standby");
    cluster!.shell(`${take("pg_ctl start -D /var")} -l ${standby}.log -o '${startOptions(standby)}'`);
    expect(await statuses()).toEqual([200, 200]);
    cluster!.crash();
    await expect.poll(statuses).toEqual([503, 503]);
    shell("pg_ctl promote");
    rmSync(server);
    symlinkSync(standby, server);
    await expect.poll(statuses).toEqual([200, 200]);
    await uploadTo(service.url, "later", 4);
  });
});
