import { createHash } from "node:crypto";
import { closeSync, fstatSync, ftruncateSync, openSync, readdirSync, rmSync, type Stats, statSync } from "node:fs";
import { basename, join } from "node:path";
import { crc32 } from "node:zlib";
import { systemErrorCode } from "../../errors.ts";
import { atOnce, PRIVATE_FILE, syncDirectoryAsync, syncFileAsync, syncTree } from "../../files/durable-files.ts";
import { encodePath } from "../../files/path-text.ts";
import { identifyMachine } from "../../files/process-identity.ts";
import { readFully, writeFully } from "../../files/read-fully.ts";
import { fileState, unitState } from "../../sources/unit-state.ts";
import type { RunDirectory } from "../publishing/run-directory.ts";
import { packValue, unpackValue } from "../staging/packed-value.ts";
import type { HashFileTask, ParseTask, PrepareTask, Task, TaskResult } from "../staging/task.ts";

/**
 * The results of finished tasks in order, and the files each has written. An interrupted run resumes from it. Only
 * results in the journal count: an interrupted task is repeated from its beginning.
 */
const JOURNAL_FILE = "journal";
/** Before each record: bytes of its head, of its body, and the checksum of both. */
const PREFIX_BYTES = 12;
/**
 * Milliseconds between syncs of results, which make them survive a power failure. What an ended process wrote stays in
 * the system's cache, so a run shorter than this never waits for a disk.
 */
const SYNC_MS = 30_000;

/** A file that a task has written, or a directory that it has filled. */
interface WrittenFile {
  /** Relative to the staging directory. */
  readonly name: string;
  /** Bytes; of a directory, the files in it. */
  readonly size: number;
}

interface DoneHead {
  readonly kind: "done";
  readonly key: string;
  /** Fingerprint of the task's inputs; a different one invalidates the result. */
  readonly inputs: string;
  readonly files: readonly WrittenFile[];
  /** Files of other tasks that are no longer needed after this one. */
  readonly consumes: readonly string[];
  /** Bytes of mail that the task read. */
  readonly mailBytes: number;
}

type Head =
  /** A run starts or resumes. */
  | { readonly kind: "begin"; readonly boot: string | null }
  | DoneHead
  /** Everything before this byte of the journal is on disk, including its files. */
  | { readonly kind: "durable"; readonly end: number };

/** A record in the journal. */
interface Place {
  readonly head: Head;
  readonly bodyAt: number;
  readonly end: number;
  readonly bodyBytes: number;
}

const NO_BODY = new Uint8Array(0);

/** How a task is journaled: its key, and the data to restore its result. */
interface Journaled<T extends Task> {
  readonly key: string;
  /** Current fingerprint of its inputs. */
  inputs(): string;
  /** Recorded fingerprint of its inputs. */
  inputsOf(result: TaskResult<T>): string;
  filesOf(result: TaskResult<T>): readonly string[];
  readonly consumes: readonly string[];
  mailBytesOf(result: TaskResult<T>): number;
}

/** The journal of a run, which may have been begun by another process. */
export class TaskJournal {
  private readonly staging: string;
  private readonly path: string;
  private readonly descriptor: number;
  private readonly known = new Map<string, Place & { readonly head: DoneHead }>();
  /** Inputs of tasks by key: for units, the name of the segment. */
  private readonly inputsOfKeys = new Map<string, string>();
  private end: number;
  private unsynced: string[] = [];
  private syncedAt = performance.now();
  private syncing: Promise<void> = Promise.resolve();
  private isSyncing = false;
  /** Results found when the journal was opened, and their bytes of mail. */
  readonly doneTasks: number;
  readonly mailBytes: number;

  /**
   * Opens the journal of a run directory, and removes staged files that no result names.
   * @param boot identifies the current boot of the machine
   */
  constructor(
    run: RunDirectory,
    boot: string | null = identifyMachine().boot,
    private readonly syncMs: number = SYNC_MS,
  ) {
    this.staging = run.staging;
    this.path = join(run.root, JOURNAL_FILE);
    this.descriptor = openSync(this.path, "a+", PRIVATE_FILE);
    const found = readPlaces(this.descriptor);
    const isSameStart = boot !== null && beginningOf(found) === boot;
    const places = isSameStart ? found : syncedPlaces(found);
    this.end = places.at(-1)?.end ?? 0;
    ftruncateSync(this.descriptor, this.end);
    for (const place of wholeResults(places, this.staging)) this.known.set(place.head.key, place);
    let mailBytes = 0;
    const named = new Set<string>();
    for (const { head } of this.known.values()) {
      mailBytes += head.mailBytes;
      for (const { name } of head.files) named.add(name);
    }
    this.doneTasks = this.known.size;
    this.mailBytes = mailBytes;
    for (const name of readdirSync(this.staging)) if (!named.has(name)) this.remove(name);
    if (!isSameStart) this.append({ kind: "durable", end: this.end }, NO_BODY);
    this.append({ kind: "begin", boot }, NO_BODY);
  }

  /** Result of a task: from an earlier process, or from `perform`, and then recorded. */
  async through<T extends Task>(task: T, perform: () => Promise<TaskResult<T>>): Promise<TaskResult<T>> {
    const journaled = journaledOf(task, this.inputsOfKeys);
    if (journaled === null) return perform();
    const known = this.recall(journaled);
    if (known !== null) return known;
    const result = await perform();
    this.record(journaled, result);
    return result;
  }

  /** State of the unit of a segment; "" if unknown. */
  inputsOf(segment: string): string {
    return this.inputsOfKeys.get(segment) ?? "";
  }

  /** Closes the journal after pending syncs. */
  async close(): Promise<void> {
    await this.syncing;
    closeSync(this.descriptor);
  }

  private recall<T extends Task>(task: Journaled<T>): TaskResult<T> | null {
    const place = this.known.get(task.key);
    if (place === undefined) return null;
    this.known.delete(task.key);
    const { inputs } = place.head;
    if (inputs !== task.inputs()) {
      for (const { name } of place.head.files) this.remove(name);
      return null;
    }
    this.inputsOfKeys.set(task.key, inputs);
    const body = Buffer.allocUnsafe(place.bodyBytes);
    readFully(this.descriptor, body, place.bodyAt);
    return unpackValue(body) as TaskResult<T>;
  }

  private record<T extends Task>(task: Journaled<T>, result: TaskResult<T>): void {
    const { key, consumes } = task;
    const files = task.filesOf(result).map((path) => writtenFile(this.staging, basename(path)));
    const inputs = task.inputsOf(result);
    this.inputsOfKeys.set(key, inputs);
    this.append({ kind: "done", key, inputs, files, consumes, mailBytes: task.mailBytesOf(result) }, packValue(result));
    this.unsynced.push(...files.map(({ name }) => join(this.staging, name)));
    if (!this.isSyncing && performance.now() - this.syncedAt > this.syncMs) this.syncing = this.outlivePowerCut();
  }

  /** Results so far survive a power cut once this is done. A disk that cannot sync leaves them to the system. */
  private async outlivePowerCut(): Promise<void> {
    this.isSyncing = true;
    const { end, unsynced: paths } = this;
    this.unsynced = [];
    try {
      await atOnce(paths, syncIfThere);
      await syncDirectoryAsync(this.staging);
      this.append({ kind: "durable", end }, NO_BODY);
      await syncFileAsync(this.path);
    } catch {
      // The run continues; a failing disk is reported when its output is written.
    }
    this.syncedAt = performance.now();
    this.isSyncing = false;
  }

  private append(head: Head, body: Uint8Array): void {
    const headBytes = Buffer.from(JSON.stringify(head));
    const prefix = Buffer.alloc(PREFIX_BYTES);
    prefix.writeUInt32LE(headBytes.length, 0);
    prefix.writeUInt32LE(body.length, 4);
    prefix.writeUInt32LE(crc32(body, crc32(headBytes)), 8);
    const record = Buffer.concat([prefix, headBytes, body]);
    writeFully(this.descriptor, record);
    this.end += record.length;
  }

  private remove(name: string): void {
    rmSync(join(this.staging, name), { recursive: true, force: true });
  }
}

async function syncIfThere(path: string): Promise<void> {
  try {
    if (statSync(path).isDirectory()) await syncTree(path);
    else await syncFileAsync(path);
  } catch (error) {
    // A later task has consumed it.
    if (systemErrorCode(error) !== "ENOENT") throw error;
  }
}

/** The records before the first incomplete one. */
function readPlaces(descriptor: number): readonly Place[] {
  const places: Place[] = [];
  const size = fstatSync(descriptor).size;
  const prefix = Buffer.alloc(PREFIX_BYTES);
  for (let at = 0; at + PREFIX_BYTES <= size; ) {
    readFully(descriptor, prefix, at);
    const [headBytes, bodyBytes] = [prefix.readUInt32LE(0), prefix.readUInt32LE(4)];
    const headAt = at + PREFIX_BYTES;
    const end = headAt + headBytes + bodyBytes;
    if (end > size) break;
    const bytes = Buffer.allocUnsafe(headBytes + bodyBytes);
    readFully(descriptor, bytes, headAt);
    if (crc32(bytes) !== prefix.readUInt32LE(8)) break;
    const head = JSON.parse(bytes.toString("utf8", 0, headBytes)) as Head;
    places.push({ head, bodyAt: headAt + headBytes, bodyBytes, end });
    at = end;
  }
  return places;
}

/** Boot of the machine in which the journal was last written. */
function beginningOf(places: readonly Place[]): string | null {
  const last = places.findLast(({ head }) => head.kind === "begin")?.head;
  return last?.kind === "begin" ? last.boot : null;
}

/** Content synced before a crash; later content may be incomplete. */
function syncedPlaces(places: readonly Place[]): readonly Place[] {
  const last = places.findLast(({ head }) => head.kind === "durable")?.head;
  return last?.kind === "durable" ? places.filter(({ end }) => end <= last.end) : [];
}

/** Last result of each task whose files are unchanged, or were consumed by a completed task. */
function wholeResults(places: readonly Place[], staging: string): readonly (Place & { readonly head: DoneHead })[] {
  const used = new Set<string>();
  const seen = new Set<string>();
  const whole: (Place & { readonly head: DoneHead })[] = [];
  for (const place of places.toReversed()) {
    const { head } = place;
    if (head.kind !== "done" || seen.has(head.key)) continue;
    seen.add(head.key);
    if (!head.files.every((file) => used.has(file.name) || isAsWritten(staging, file))) continue;
    for (const name of head.consumes) used.add(name);
    whole.push({ ...place, head });
  }
  return whole;
}

function isAsWritten(staging: string, { name, size }: WrittenFile): boolean {
  const path = join(staging, name);
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && sizeOf(path, stats) === size;
}

function writtenFile(staging: string, name: string): WrittenFile {
  const path = join(staging, name);
  return { name, size: sizeOf(path, statSync(path)) };
}

function sizeOf(path: string, stats: Stats): number {
  return stats.isDirectory() ? readdirSync(path).length : stats.size;
}

/** How each kind of task is journaled; null if repeating it is as fast. */
function journaledOf<T extends Task>(task: T, inputsOfKeys: ReadonlyMap<string, string>): Journaled<T> | null {
  const lasting: Task = task;
  switch (lasting.kind) {
    case "parse":
      return journaledUnit(lasting) as Journaled<Task> as Journaled<T>;
    case "prepare":
      return journaledChunk(lasting, inputsOfKeys) as Journaled<Task> as Journaled<T>;
    case "hash-file":
      return journaledHash(lasting) as Journaled<Task> as Journaled<T>;
    case "learn":
    case "hash":
      return null;
  }
}

function journaledUnit({ unit, segmentPath, attachmentDirectory }: ParseTask): Journaled<ParseTask> {
  return {
    key: basename(segmentPath),
    inputs: () => unitState(unit),
    // As the worker read it: checking here would delay other tasks.
    inputsOf: ({ inputs }) => inputs,
    filesOf: () => (attachmentDirectory === null ? [segmentPath] : [segmentPath, attachmentDirectory]),
    consumes: [],
    mailBytesOf: ({ bytes }) => bytes,
  };
}

function journaledChunk(
  { segments, firstOrdinal, base, redact }: PrepareTask,
  inputsOfKeys: ReadonlyMap<string, string>,
): Journaled<PrepareTask> {
  const inputs = (): string => {
    const hash = createHash("sha256").update(`${firstOrdinal}\n`);
    for (const { path, actions } of segments) {
      // A segment of another text may have the same actions.
      hash.update(`${inputsOfKeys.get(basename(path))} ${actions.length}\n`).update(actions);
    }
    return hash.digest("hex");
  };
  return {
    key: basename(base),
    inputs,
    inputsOf: inputs,
    filesOf: ({ rowsPath, termsPath, indexPaths }) => [
      ...(rowsPath === null ? [] : [rowsPath]),
      termsPath,
      ...indexPaths,
    ],
    consumes: redact.length > 0 ? segments.map(({ path }) => basename(path)) : [],
    mailBytesOf: () => 0,
  };
}

function journaledHash({ path, sizeBytes }: HashFileTask): Journaled<HashFileTask> {
  const inputs = (): string => `${sizeBytes} ${fileState(encodePath(path))}`;
  const before = inputs();
  return { key: `hash ${path}`, inputs, inputsOf: () => before, filesOf: () => [], consumes: [], mailBytesOf: () => 0 };
}
