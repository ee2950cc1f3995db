import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { FIRST_MESSAGE, ordinalAt } from "../../mail/records/ordinal.ts";
import { unitState } from "../../sources/unit-state.ts";
import type { RunDirectory } from "../publishing/run-directory.ts";
import type { PackedUnit } from "../staging/packed-unit.ts";
import type { ParseTask, PreparedChunk, PrepareTask } from "../staging/task.ts";
import { TaskJournal } from "./task-journal.ts";

const scratch = mkdtempSync(join(tmpdir(), "archivetool-journal-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

let runs = 0;
function newRun(): RunDirectory {
  const root = join(scratch, `run-${runs++}`);
  const run = { root, staging: join(root, "staging"), output: join(root, "output") };
  mkdirSync(run.staging, { recursive: true });
  return run;
}

const mailbox = join(scratch, "mail.mbox");
writeFileSync(mailbox, "From a\n\nfirst\nFrom b\n\nsecond\n");

function parseTask(run: RunDirectory, number: number): ParseTask {
  return {
    kind: "parse",
    unit: { kind: "mbox", path: mailbox, mailbox: "mail", start: number, end: number + 1, dialect: "mboxrd" },
    segmentPath: join(run.staging, `parsed-${number}`),
    attachmentDirectory: null,
    attachmentText: false,
    keepCopies: false,
    redact: [],
    continues: null,
    lost: null,
  };
}

/** Completed tasks, in the order in which they were requested. */
class Work {
  readonly done: string[] = [];
  private readonly journal: TaskJournal;

  constructor(run: RunDirectory, ...setting: [boot?: string | null, syncMs?: number]) {
    this.journal = new TaskJournal(run, ...setting);
  }

  get mailBytes(): number {
    return this.journal.mailBytes;
  }

  parse(task: ParseTask): Promise<PackedUnit> {
    return this.journal.through(task, async () => {
      this.done.push(task.segmentPath.slice(-1));
      const inputs = unitState(task.unit);
      writeFileSync(task.segmentPath, `text of ${task.segmentPath}`, { flag: "wx" });
      return {
        json: task.segmentPath,
        numbers: Int32Array.of(1, -2),
        instants: Float64Array.of(0.5),
        bytes: 7,
        inputs,
      };
    });
  }

  prepare(task: PrepareTask): Promise<PreparedChunk> {
    return this.journal.through(task, async () => {
      this.done.push("chunk");
      for (const part of ["rows", "terms"]) writeFileSync(`${task.base}.${part}`, part, { flag: "wx" });
      return {
        rowsPath: `${task.base}.rows`,
        termsPath: `${task.base}.terms`,
        indexPaths: [] as string[],
        sentiment: Float32Array.of(1, Number.NaN),
      } as unknown as PreparedChunk;
    });
  }

  close(): Promise<void> {
    return this.journal.close();
  }
}

/** A process that resumes with units 1, 2 and 3. */
async function goOn(run: RunDirectory): Promise<readonly string[]> {
  const work = new Work(run);
  for (const number of [1, 2, 3]) {
    const unit = await work.parse(parseTask(run, number));
    expect(unit).toMatchObject({
      json: join(run.staging, `parsed-${number}`),
      numbers: Int32Array.of(1, -2),
      bytes: 7,
    });
    expect(readFileSync(unit.json, "utf8")).toBe(`text of ${unit.json}`);
  }
  await work.close();
  expect(readdirSync(run.staging).sort()).toEqual(["parsed-1", "parsed-2", "parsed-3"]);
  return work.done;
}

/** A run that ended, in any way, after it completed units 1 and 2. */
async function cutShort(): Promise<RunDirectory> {
  const run = newRun();
  const work = new Work(run);
  for (const number of [1, 2]) await work.parse(parseTask(run, number));
  await work.close();
  return run;
}

it("resumes finished tasks, and returns their number", async () => {
  const run = await cutShort();
  const work = new Work(run);
  expect(work.mailBytes).toBe(14);
  await work.close();
  expect(await goOn(run)).toEqual(["3"]);
  expect(await goOn(run)).toEqual([]);
});

it.each<[what: string, harm: (run: RunDirectory) => void, done: readonly string[]]>([
  ["of which the last line is torn", ({ root }) => truncateSync(join(root, "journal"), 700), ["2", "3"]],
  ["behind which something else stands", ({ root }) => appendFileSync(join(root, "journal"), "\x01\x02"), ["3"]],
  ["whose files were cut", ({ staging }) => truncateSync(join(staging, "parsed-1"), 3), ["1", "3"]],
  ["whose files are gone", ({ staging }) => rmSync(join(staging, "parsed-2")), ["2", "3"]],
  ["beside which a task was cut short", ({ staging }) => writeFileSync(join(staging, "parsed-3"), "hal"), ["3"]],
])("ignores an incomplete journal entry: one %s", async (_what, harm, done) => {
  const run = await cutShort();
  harm(run);
  expect(await goOn(run)).toEqual(done);
});

it.each([["another"], [null]])("trusts only synced results after a restart of the machine: %s", async (boot) => {
  const run = newRun();
  const synced = new Work(run, boot === null ? null : "first", 0);
  await synced.parse(parseTask(run, 1));
  await synced.close();
  const unsynced = new Work(run, "first");
  await unsynced.parse(parseTask(run, 2));
  await unsynced.close();
  const work = new Work(run, boot);
  expect(work.mailBytes).toBe(7);
  expect(readdirSync(run.staging)).toEqual(["parsed-1"]);
  await work.close();
});

it("repeats tasks whose source changed", async () => {
  const run = await cutShort();
  appendFileSync(mailbox, "more\n");
  expect(await goOn(run)).toEqual(["1", "2", "3"]);
});

it("reuses a redacted chunk only if its segments are equal", async () => {
  const run = await cutShort();
  const chunk = (ordinals: readonly number[]): PrepareTask => ({
    kind: "prepare",
    segments: [{ path: join(run.staging, "parsed-1"), actions: Int32Array.from(ordinals) }],
    firstOrdinal: ordinalAt(FIRST_MESSAGE),
    base: join(run.staging, "chunk-1"),
    redact: ["ssn"],
    mentions: false,
    range: null,
    unread: [],
  });
  const first = new Work(run);
  await first.parse(parseTask(run, 1));
  await first.prepare(chunk([1]));
  rmSync(join(run.staging, "parsed-1"));
  await first.close();
  const second = new Work(run);
  await second.parse(parseTask(run, 1));
  const known = await second.prepare(chunk([1]));
  expect(known.sentiment).toEqual(Float32Array.of(1, Number.NaN));
  expect(second.done).toEqual([]);
  expect(existsSync(known.rowsPath!)).toBe(true);
  await second.close();
  const third = new Work(run);
  await third.parse(parseTask(run, 1));
  await third.prepare(chunk([2]));
  await third.close();
  expect(third.done, "another number").toEqual(["chunk"]);
  appendFileSync(mailbox, "other text\n");
  const fourth = new Work(run);
  await fourth.parse(parseTask(run, 1));
  await fourth.prepare(chunk([2]));
  await fourth.close();
  expect(fourth.done, "another text").toEqual(["1", "chunk"]);
});
