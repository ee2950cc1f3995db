import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

/** Directories of the programs of each version on Debian, which are in no PATH. */
const DEBIAN_HOME = "/usr/lib/postgresql";
const PROGRAMS = ["initdb", "pg_ctl", "postgres", "pg_basebackup"];
/** The only user for whom the servers of tests require a password, if it exists. */
export const LOCKED_USER = "locked";
/** Account for the server if root runs the tests, because PostgreSQL does not start as root: "nobody" on every Unix. */
const UNPRIVILEGED = 65_534;

/** The directory with the programs of PostgreSQL; null if it is not installed. */
export function postgresPrograms(): string | null {
  const ofDebian = existsSync(DEBIAN_HOME)
    ? readdirSync(DEBIAN_HOME).map((name) => join(DEBIAN_HOME, name, "bin"))
    : [];
  const directories = [...(process.env["PATH"] ?? "").split(delimiter), ...ofDebian];
  return directories.find((directory) => PROGRAMS.every((name) => existsSync(join(directory, name)))) ?? null;
}

/** Prefix of the directories of this process's servers: its threads may end without notice. */
const CLUSTERS = `archivetool-postgres-${process.pid}-`;

/** Stops all servers that tests started, after all tests. */
export function teardown(): void {
  const directories = readdirSync(tmpdir()).filter((name) => name.startsWith(CLUSTERS));
  for (const name of directories) removeCluster(join(tmpdir(), name), postgresPrograms()!);
}

function removeCluster(directory: string, programs: string): void {
  for (const data of ["data", "standby", "restored"])
    spawnSync(join(programs, "pg_ctl"), ["stop", "-D", join(directory, data), "-m", "immediate"], {
      ...unprivileged(),
      cwd: directory,
    });
  rmSync(directory, { recursive: true, force: true });
}

/** PostgreSQL does not start as root. */
function unprivileged(): { readonly uid?: number; readonly gid?: number } {
  return process.getuid?.() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
}

/** A separate server in a temporary directory, which listens only on a socket there. */
export interface PostgresCluster {
  /** The URL of an empty database. */
  readonly url: string;
  /** Owned by the account of the server. Servers in `standby` and `restored` are stopped with it. */
  readonly directory: string;
  /** Stops it immediately, like a crash; `start` restarts it. */
  crash(): void;
  start(): void;
  /** Suspends all its processes, so that it neither answers nor rejects requests; `resume` continues them. */
  suspend(): void;
  resume(): void;
  /** Runs a shell command as the account and superuser of the server. Returns its output; throws if it fails. */
  shell(command: string): string;
}

/** Memory and connections that tests need; a crash of the server loses nothing that was not synced. */
const SETTINGS = "-c listen_addresses='' -c fsync=off -c shared_buffers=32MB -c max_connections=60";

/** Options of `pg_ctl start` for a server that listens in a directory. */
export function startOptions(sockets: string): string {
  return `-k ${sockets} ${SETTINGS}`;
}

/** The URL of an empty database of the server that listens in a directory. */
function urlIn(sockets: string): string {
  return `postgres://tester@localhost/postgres?host=${encodeURIComponent(sockets)}`;
}

/** @param configure returns further lines of postgresql.conf, given the directory of the cluster */
export function startPostgres(programs: string, configure: (directory: string) => string = () => ""): PostgresCluster {
  const directory = mkdtempSync(join(tmpdir(), CLUSTERS));
  if (unprivileged().uid !== undefined) chownSync(directory, UNPRIVILEGED, UNPRIVILEGED);
  const data = join(directory, "data");
  const run = (program: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): string => {
    const output = join(directory, "output");
    const { status, error } = spawnSync("sh", ["-c", `"$@" > ${output} 2>&1`, "sh", program, ...args], {
      ...unprivileged(),
      cwd: directory,
      env,
      stdio: "ignore",
    });
    // A started server inherits the pipe and would keep it open.
    const printed = existsSync(output) ? readFileSync(output, "utf8") : "";
    if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${error?.message ?? printed}`);
    return printed;
  };
  const ofServer = (name: string): string => join(programs, name);
  run(ofServer("initdb"), ["-D", data, "-U", "tester", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]);
  // The first line that matches a user applies.
  const rules = join(data, "pg_hba.conf");
  writeFileSync(rules, `local all ${LOCKED_USER} scram-sha-256\n${readFileSync(rules, "utf8")}`);
  appendFileSync(join(data, "postgresql.conf"), configure(directory));
  const start = (): void =>
    void run(ofServer("pg_ctl"), ["start", "-D", data, "-w", "-l", `${data}.log`, "-o", startOptions(directory)]);
  start();
  const signalAll = (signal: "SIGSTOP" | "SIGCONT"): void => {
    const postmaster = Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]);
    for (const processId of [postmaster, ...childrenOf(postmaster)]) process.kill(processId, signal);
  };
  return {
    url: urlIn(directory),
    directory,
    crash: () => void run(ofServer("pg_ctl"), ["stop", "-D", data, "-m", "immediate"]),
    start,
    suspend: () => signalAll("SIGSTOP"),
    resume: () => signalAll("SIGCONT"),
    shell: (command) =>
      run("sh", ["-ec", command], {
        ...process.env,
        PATH: `${programs}${delimiter}${process.env["PATH"]}`,
        PGHOST: directory,
        PGUSER: "tester",
      }),
  };
}

/** Child processes of a process, from Linux's process list. */
function childrenOf(processId: number): readonly number[] {
  const path = `/proc/${processId}/task/${processId}/children`;
  return existsSync(path) ? readFileSync(path, "utf8").trim().split(" ").filter(Boolean).map(Number) : [];
}
