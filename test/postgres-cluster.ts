import { spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

/** Where Debian keeps the programs of each version, which are in no PATH. */
const DEBIAN_HOME = "/usr/lib/postgresql";
const PROGRAMS = ["initdb", "pg_ctl", "postgres"];
/** The account that runs it where tests are run by root, as which it does not start: "nobody" of every Unix. */
const UNPRIVILEGED = 65_534;

/** The directory with the programs of PostgreSQL; null where it is not installed. */
export function postgresPrograms(): string | null {
  const ofDebian = existsSync(DEBIAN_HOME)
    ? readdirSync(DEBIAN_HOME).map((name) => join(DEBIAN_HOME, name, "bin"))
    : [];
  const directories = [...(process.env["PATH"] ?? "").split(delimiter), ...ofDebian];
  return directories.find((directory) => PROGRAMS.every((name) => existsSync(join(directory, name)))) ?? null;
}

/** Begins the directories of the servers of this process: its threads may end without a word. */
const CLUSTERS = `archivetool-postgres-${process.pid}-`;

/** Ends all servers that tests have started, once all tests are over. */
export function teardown(): void {
  const directories = readdirSync(tmpdir()).filter((name) => name.startsWith(CLUSTERS));
  for (const name of directories) removeCluster(join(tmpdir(), name), postgresPrograms()!);
}

function removeCluster(directory: string, programs: string): void {
  spawnSync(join(programs, "pg_ctl"), ["stop", "-D", join(directory, "data"), "-m", "immediate"], {
    ...unprivileged(),
    cwd: directory,
  });
  rmSync(directory, { recursive: true, force: true });
}

/** PostgreSQL does not start as root. */
function unprivileged(): { readonly uid?: number; readonly gid?: number } {
  return process.getuid?.() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
}

/** A server of its own in a temporary directory, heard on a socket there alone. */
export interface PostgresCluster {
  /** The URL of an empty database. */
  readonly url: string;
  /** Ends it at once, as a crash does; `start` brings it back. */
  crash(): void;
  start(): void;
}

export function startPostgres(programs: string): PostgresCluster {
  const directory = mkdtempSync(join(tmpdir(), CLUSTERS));
  if (unprivileged().uid !== undefined) chownSync(directory, UNPRIVILEGED, UNPRIVILEGED);
  const data = join(directory, "data");
  const run = (program: string, args: readonly string[]): void => {
    const { status, stderr, error } = spawnSync(join(programs, program), args, {
      ...unprivileged(),
      cwd: directory,
      encoding: "utf8",
      stdio: ["ignore", "ignore", "pipe"],
    });
    if (status !== 0) throw new Error(`${program}: ${error?.message ?? stderr}`);
  };
  const settings = `-k ${directory} -c listen_addresses='' -c fsync=off -c shared_buffers=32MB -c max_connections=60`;
  const start = (): void => run("pg_ctl", ["start", "-D", data, "-w", "-l", join(directory, "log"), "-o", settings]);
  run("initdb", ["-D", data, "-U", "tester", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]);
  start();
  return {
    url: `postgres://tester@localhost/postgres?host=${encodeURIComponent(directory)}`,
    crash: () => run("pg_ctl", ["stop", "-D", data, "-m", "immediate"]),
    start,
  };
}
