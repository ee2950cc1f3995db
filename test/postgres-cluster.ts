import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

/** Where Debian keeps the programs of each version, which are in no PATH. */
const DEBIAN_HOME = "/usr/lib/postgresql";
const PROGRAMS = ["initdb", "pg_ctl", "postgres", "pg_basebackup"];
/** The one user that the servers of tests ask for a password, once it was made. */
export const LOCKED_USER = "locked";
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

/** A server of its own in a temporary directory, heard on a socket there alone. */
export interface PostgresCluster {
  /** The URL of an empty database. */
  readonly url: string;
  /** Ends it at once, as a crash does; `start` brings it back. */
  crash(): void;
  start(): void;
  /** Suspends all its processes, so that it answers nothing and refuses nothing; `resume` lets them go on. */
  suspend(): void;
  resume(): void;
}

/** Memory and connections that tests need; a crash of a server alone loses nothing that was not synced. */
const SETTINGS = "-c listen_addresses='' -c fsync=off -c shared_buffers=32MB -c max_connections=60";

/** Runs programs of PostgreSQL in a new directory. */
function newDirectory(programs: string) {
  const directory = mkdtempSync(join(tmpdir(), CLUSTERS));
  if (unprivileged().uid !== undefined) chownSync(directory, UNPRIVILEGED, UNPRIVILEGED);
  const run = (program: string, args: readonly string[]): void => {
    const { status, stderr, error } = spawnSync(join(programs, program), args, {
      ...unprivileged(),
      cwd: directory,
      encoding: "utf8",
      stdio: ["ignore", "ignore", "pipe"],
    });
    if (status !== 0) throw new Error(`${program}: ${error?.message ?? stderr}`);
  };
  const makeData = (data: string): void => {
    run("initdb", ["-D", data, "-U", "tester", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]);
    // The first line that holds for a user is the one that counts.
    const rules = join(data, "pg_hba.conf");
    writeFileSync(rules, `local all ${LOCKED_USER} scram-sha-256\n${readFileSync(rules, "utf8")}`);
  };
  /** @param sockets the directory in which it is heard */
  const startIn = (data: string, sockets: string, settings = ""): void =>
    run("pg_ctl", ["start", "-D", data, "-w", "-l", `${data}.log`, "-o", `-k ${sockets} ${SETTINGS} ${settings}`]);
  return { directory, run, makeData, startIn };
}

/** The URL of an empty database of the server that is heard in a directory. */
function urlIn(sockets: string): string {
  return `postgres://tester@localhost/postgres?host=${encodeURIComponent(sockets)}`;
}

export function startPostgres(programs: string): PostgresCluster {
  const { directory, run, makeData, startIn } = newDirectory(programs);
  const data = join(directory, "data");
  makeData(data);
  const start = (): void => startIn(data, directory);
  start();
  const signalAll = (signal: "SIGSTOP" | "SIGCONT"): void => {
    const postmaster = Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]);
    for (const processId of [postmaster, ...childrenOf(postmaster)]) process.kill(processId, signal);
  };
  return {
    url: urlIn(directory),
    crash: () => run("pg_ctl", ["stop", "-D", data, "-m", "immediate"]),
    start,
    suspend: () => signalAll("SIGSTOP"),
    resume: () => signalAll("SIGCONT"),
  };
}

/** Processes that a process has started, by Linux's own list. */
function childrenOf(processId: number): readonly number[] {
  const path = `/proc/${processId}/task/${processId}/children`;
  return existsSync(path) ? readFileSync(path, "utf8").trim().split(" ").filter(Boolean).map(Number) : [];
}

/** A server whose log is kept, so that it can be brought to what it was at any time since it was backed up. */
export interface RestorablePostgres {
  readonly url: string;
  backUp(): void;
  /** Starts another server beside it from the backup and the log. @param time as PostgreSQL writes it */
  restore(time: string): string;
  /** True once all of the log up to now is kept: the part at hand has been closed with `pg_switch_wal()`. */
  isKept(segment: string): boolean;
}

export function startRestorablePostgres(programs: string): RestorablePostgres {
  const { directory, run, makeData, startIn } = newDirectory(programs);
  const [data, base, kept, two] = ["data", "restored", "log", "two"].map((part) => join(directory, part)) as [
    string,
    string,
    string,
    string,
  ];
  for (const made of [kept, two]) {
    mkdirSync(made);
    if (unprivileged().uid !== undefined) chownSync(made, UNPRIVILEGED, UNPRIVILEGED);
  }
  makeData(data);
  appendFileSync(
    join(data, "postgresql.conf"),
    `\nwal_level = replica\narchive_mode = on\narchive_command = 'cp %p ${kept}/%f'\n`,
  );
  startIn(data, directory);
  return {
    url: urlIn(directory),
    backUp: () =>
      run("pg_basebackup", ["-h", directory, "-U", "tester", "-D", base, "-X", "stream", "-c", "fast", "--no-sync"]),
    restore(time) {
      appendFileSync(
        join(base, "postgresql.auto.conf"),
        `\narchive_mode = off\nrestore_command = 'cp ${kept}/%f %p'\nrecovery_target_time = '${time}'\nrecovery_target_action = 'promote'\n`,
      );
      writeFileSync(join(base, "recovery.signal"), "");
      if (unprivileged().uid !== undefined) chownSync(join(base, "recovery.signal"), UNPRIVILEGED, UNPRIVILEGED);
      startIn(base, two);
      return urlIn(two);
    },
    isKept: (segment) => existsSync(join(kept, segment)),
  };
}
