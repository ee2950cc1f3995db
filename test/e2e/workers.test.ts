import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { PHASES } from "../../src/extraction/extraction-event.ts";
import { MAX_ATTEMPTS } from "../../src/store/task-queue.ts";
import { HAS_POSTGRES, testServer } from "../stores.ts";
import { archivetool, scratchDirectory } from "./cli.ts";
import { LETTERS, rawMessage, writeMbox } from "./fixture-mail.ts";
import {
  askedOf,
  contentOf,
  killAll,
  LEASE_SECONDS,
  type StartedWorker,
  start,
  startWorker,
  until,
  type WorkerStart,
} from "./running-workers.ts";

/** Extractions whose mail is read by workers that share a database, and what may happen to all of them. */

const TIMEOUT_MS = 600_000;
const LONG_LEASE_SECONDS = 120;
const loaded = (name: string): string => pathToFileURL(resolve(import.meta.dirname, name)).href;
const HELD_PHASE = loaded("held-phase.mjs");
const BLIND = loaded("blind-worker.mjs");
const BUSY = loaded("busy-worker.mjs");
/** Milliseconds in which a worker does not get to the end of its first task. */
const NEVER_DONE = 600_000;
const DONE_LATE = 1_000;

const scratch = scratchDirectory("workers");
const mail = join(scratch, "mail");
const MAILBOXES = 24;
const LETTERS_A_BOX = 50;

/** Mailboxes that share some of their letters, and a directory of letters that a worker reads one by one. */
function writeMail(): void {
  mkdirSync(mail);
  for (let box = 0; box < MAILBOXES; box++)
    writeMbox(
      join(mail, `box-${box}.mbox`),
      Array.from({ length: LETTERS_A_BOX }, (_, at) => {
        const letter = LETTERS[at % LETTERS.length]!;
        const number = at < 20 ? at : box * 1000 + at;
        const body = `${letter.body}\nSSN 078-05-1120, crane ${number} of pier ${number % 7}.`;
        return rawMessage({
          ...letter,
          id: `${number}@harbour.example`,
          subject: `${letter.subject} ${number % 40}`,
          body,
        });
      }),
    );
  mkdirSync(join(mail, "letters"));
  for (let at = 0; at < 40; at++)
    writeMbox(join(mail, "letters", `${at}.mbox`), [rawMessage({ ...LETTERS[0]!, id: `single-${at}@quay.example` })]);
}

if (HAS_POSTGRES) writeMail();

afterEach(killAll);

const startHere = (worker: Omit<WorkerStart, "server" | "scratch"> = {}): Promise<StartedWorker> =>
  startWorker({ server: testServer().url, scratch, ...worker });
const startBusy = (milliseconds: number): Promise<StartedWorker> =>
  startHere({ env: { BUSY_MS: `${milliseconds}` }, flags: ["--import", BUSY] });
const asked = (sql: string): ReturnType<typeof askedOf> => askedOf(testServer().url, sql);

const IS_SECOND_BOX = "position('box-2.mbox'::bytea in body) > 0";
const REFUSED = `SELECT task FROM tasks JOIN task_refusals USING (task) WHERE state = 'ready' AND ${IS_SECOND_BOX}`;

type Counts = Readonly<Record<"seen" | "kept" | "duplicate" | "skipped" | "failed", number>>;

interface Provenance {
  readonly runs: readonly { readonly added: Counts }[];
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

function provenanceOf(output: string): Provenance {
  return JSON.parse(readFileSync(join(scratch, output, "provenance.json"), "utf8")) as Provenance;
}

function addedBy({ runs }: Provenance): Counts {
  return runs[0]!.added;
}

/** Until a worker has a task in its hands. */
function atWork({ number }: StartedWorker): Promise<void> {
  const sql = `SELECT 1 FROM tasks WHERE worker = ${number} AND state = 'leased'`;
  return until(`a task of worker ${number}`, async () => (await asked(sql)).length > 0);
}

describe.skipIf(!HAS_POSTGRES)("workers that share a database", { timeout: TIMEOUT_MS }, () => {
  const commandOf = (name: string, paths: readonly string[], ...flags: readonly string[]): readonly string[] => [
    ...["extract", ...paths, "-o", join(scratch, name), "--json", "--csv", ...flags],
    ...["--workers", "--store", testServer().url, "--collection", name],
  ];

  it("make of mail what one process does, whoever of them dies and whenever", async () => {
    const flags = ["--redact"];
    const alone = archivetool("extract", mail, "-o", join(scratch, "alone"), "--json", "--csv", ...flags);
    expect(alone.exitCode, alone.stderr).toBe(0);
    const command = commandOf("shared", [mail], ...flags);
    // Ten workers die with a task in their hands, one after the other; in the middle of it the coordinator, and the
    // server.
    let run = start(command);
    for (let death = 0; death < 10; death++) {
      const worker = await startBusy(NEVER_DONE);
      await atWork(worker);
      worker.child.kill("SIGKILL");
      await worker.closed;
      if (death === 3) {
        run.child.kill("SIGKILL");
        await run.closed;
        run = start(command);
      }
      if (death === 6) {
        testServer().crash();
        testServer().start();
      }
    }
    // Three are stopped for longer than their tasks are theirs, and go on.
    const stopped: StartedWorker[] = [];
    for (let count = 0; count < 3; count++) {
      const worker = await startBusy(DONE_LATE);
      await atWork(worker);
      worker.child.kill("SIGSTOP");
      stopped.push(worker);
    }
    await pause(LEASE_SECONDS * 1_500);
    const others = [await startHere(), await startHere()];
    for (const worker of stopped) worker.child.kill("SIGCONT");
    await until("the end of the first pass", () => /phase 2 of 7/.test(run.said()));
    run.child.kill("SIGKILL");
    await run.closed;
    for (const phase of PHASES.slice(1)) {
      const held = start(command, { HELD_PHASE: phase }, ["--import", HELD_PHASE]);
      await until(`the phase ${phase}`, () => held.said().includes("held\n"));
      held.child.kill("SIGKILL");
      await held.closed;
      expect(held.said()).toContain("was cut short: this one goes on with the");
    }
    const last = start(command);
    expect(await last.closed, last.said()).toBe(0);
    for (const worker of [...stopped, ...others]) worker.child.kill("SIGTERM");
    await Promise.all([...stopped, ...others].map(({ closed }) => closed));
    expect(contentOf(join(scratch, "shared"))).toEqual(contentOf(join(scratch, "alone")));
    expect(await asked("SELECT count(*) FROM task_runs")).toEqual([[0]]);
    const [stats, ofFile] = [
      archivetool("stats", "--json", "--store", testServer().url, "--collection", "shared"),
      archivetool("stats", "--json", join(scratch, "shared")),
    ];
    expect(stats.stdout).toBe(ofFile.stdout);
  });

  it("leave to others what one of them does not see, serve two runs at once, and name what ends all of them", async () => {
    const few = ["box-1.mbox", "box-2.mbox", "letters"].map((name) => join(mail, name));
    const blind = await startHere({ env: { HIDDEN: mail }, flags: ["--import", BLIND] });
    const blinded = start(["-q", ...commandOf("unseen", few)]);
    expect(await blinded.closed).toBe(1);
    expect(blinded.said()).toMatch(/^archivetool: no worker can read [^\n]*box-1[^\n]*\nhint: [^\n]*\n$/);
    expect(existsSync(join(scratch, "unseen"))).toBe(false);
    // It counts as one at work, and takes nothing until it is let go.
    const seeing = await startHere({ leaseSeconds: LONG_LEASE_SECONDS });
    seeing.child.kill("SIGSTOP");
    const forgotten = start(["-q", ...commandOf("forgotten", few)]);
    await until("its tasks", async () => (await asked("SELECT task FROM tasks")).length >= few.length);
    await asked("DELETE FROM task_runs");
    expect(await forgotten.closed).toBe(1);
    expect(forgotten.said()).toMatch(/^archivetool: tasks of this run are gone from [^\n]*\nhint: [^\n]*\n$/);
    const runs = [start(commandOf("seen", few)), start(commandOf("too", few))];
    await until("refusals of both runs", async () => (await asked(REFUSED)).length === 2);
    const busy = archivetool(...commandOf("seen", few, "-o", join(scratch, "elsewhere")));
    expect([busy.exitCode, busy.stderr]).toEqual([1, expect.stringContaining("another run is at work on")]);
    // Five workers have ended with this task in their hands.
    await asked(
      `UPDATE tasks SET attempts = ${MAX_ATTEMPTS} WHERE ${IS_SECOND_BOX} AND run = (SELECT max(run) FROM tasks)`,
    );
    seeing.child.kill("SIGCONT");
    for (const run of runs) expect(await run.closed, run.said()).toBe(0);
    for (const { child } of [blind, seeing]) child.kill("SIGTERM");
    expect(await blind.closed).toBe(143);
    await seeing.closed;
    expect([blind, seeing].flatMap(({ directory }) => readdirSync(directory))).toEqual([]);
    const [whole, short] = ["seen", "too"].map(provenanceOf).toSorted((a, b) => addedBy(a).failed - addedBy(b).failed);
    expect(addedBy(whole!)).toMatchObject({ failed: 0, skipped: 0 });
    const [{ warnings }, { seen, kept, duplicate, skipped, failed }] = [short!, addedBy(short!)];
    expect([seen, failed, kept + duplicate + skipped + failed]).toEqual([addedBy(whole!).seen, LETTERS_A_BOX, seen]);
    expect(warnings.filter(({ code }) => code === "reader-stopped")).toHaveLength(LETTERS_A_BOX);
    expect(warnings[0]).toMatchObject({ message: expect.stringContaining("the worker that read it ended: 5 times") });
  });

  it("end where they cannot work any more, and do not pass for one at work", async () => {
    await asked("CREATE DATABASE lone");
    const lone = testServer().url.replace("/postgres?", "/lone?");
    const worker = await startWorker({ server: lone, scratch });
    await askedOf(lone, "ALTER TABLE task_refusals RENAME TO gone");
    expect(await worker.closed).toBe(1);
    expect(worker.said()).toMatch(/\narchivetool: [^\n]* has not the tables of this version [^\n]*\nhint: [^\n]*\n$/);
    expect(await askedOf(lone, "SELECT worker FROM workers")).toEqual([]);
    expect(readdirSync(worker.directory)).toEqual([]);
  });
});
