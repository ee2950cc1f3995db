import { join } from "node:path";
import { ArchiveError } from "../../errors.ts";
import { LOST_FILE_CODES } from "../../sources/message-files.ts";
import { DirectoryHash } from "../../sources/source-hash.ts";
import type { EventListener } from "../extraction-event.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { type PackedUnit, unpackUnit } from "../staging/packed-unit.ts";
import type { FileHashes, ParsedRecord, ParsedUnit } from "../staging/skeleton.ts";
import type { StagedSegment } from "../staging/staged-segment.ts";
import type { HashFileTask, HashTask, ParseTask } from "../staging/task.ts";
import type { Errand, TaskRunner } from "../workers/worker-pool.ts";
import { addFileHashes } from "./file-hashes.ts";
import type { NumberedSource } from "./numbered-source.ts";
import { LostFiles } from "./source-watch.ts";

export interface ParsedSources {
  readonly segments: readonly StagedSegment[];
  /** SHA-256 (hex) of each source of the run, in their order. */
  readonly hashes: readonly string[];
}

export interface ParsingRequest {
  readonly sources: readonly NumberedSource[];
  readonly stagingDirectory: string;
  readonly saveAttachments: boolean;
  readonly attachmentText: boolean;
  /** Items taken of each source at most. */
  readonly maxMessages: number;
  readonly keepCopies: boolean;
  readonly redact: ParseTask["redact"];
  readonly onEvent: EventListener;
}

/**
 * Bytes of mail up to which the threads that have parsed it are kept for what comes next: what they hold of so little is
 * less than what new ones would take.
 */
const LITTLE_MAIL_BYTES = 2 << 20;

type SourceErrand = Errand<ParseTask | HashTask | HashFileTask, NumberedSource>;

/**
 * First pass: every byte of every source is read, hashed, parsed and accounted for, in the order of the sources. Where
 * that was much, the threads end: what they hold would wait through two phases that need none, and what comes then
 * needs other code.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the three kinds of tasks come back in one order, which the counts depend on
export async function parseSources(
  request: ParsingRequest,
  ledger: Ledger,
  runner: TaskRunner,
): Promise<ParsedSources> {
  const progress = new Progress(request);
  const taken = new Map<number, number>();
  const segments: StagedSegment[] = [];
  const directoryHashes = new Map<number, DirectoryHash>();
  const hashes = new Map<number, string>();
  for (const { source, index } of request.sources) {
    if (!source.isFile) directoryHashes.set(index, new DirectoryHash());
    taken.set(index, ledger.addNotes(source.notes, index));
  }
  const lostFiles = new LostFiles();
  for await (const { task, about, result } of runner.inOrder(errandsOf(request, taken))) {
    const { source, index } = about;
    if (task.kind === "hash-file") {
      const { sha256, sizeBytes } = result as { readonly sha256: string; readonly sizeBytes: number };
      if (sizeBytes !== source.sizeBytes)
        throw new ArchiveError("SOURCE_CHANGED", `${source.path} changed while it was read`);
      hashes.set(index, sha256);
      continue;
    }
    const directory = directoryHashes.get(index);
    if (task.kind === "hash") {
      if (directory !== undefined) addFileHashes(directory, task.unit, result as FileHashes);
      continue;
    }
    const unit = unpackUnit(result as PackedUnit);
    if (task.unit.kind === "files") lostFiles.add(source, unit.records.filter(isLost).length, unit.records.length);
    if (directory !== undefined) addFileHashes(directory, task.unit, unit.fileHashes);
    const room = request.maxMessages - taken.get(index)!;
    const { actions, count } = ledger.addUnit(unit, index, room);
    taken.set(index, taken.get(index)! + count);
    segments.push({ path: task.segmentPath, actions, source: index, attachmentDirectory: task.attachmentDirectory });
    progress.advance(unit, ledger.messageCount);
  }
  lostFiles.requireFew();
  if (progress.bytes > LITTLE_MAIL_BYTES) await runner.close();
  for (const [index, hash] of directoryHashes) hashes.set(index, hash.digest());
  return { segments, hashes: request.sources.map(({ index }) => hashes.get(index)!) };
}

function isLost(record: ParsedRecord): boolean {
  return record.kind === "damaged" && LOST_FILE_CODES.has(record.code);
}

/**
 * One task a unit. What `--max-messages` leaves out of a directory is still hashed; a file is hashed as a whole, last.
 */
function* errandsOf(request: ParsingRequest, taken: ReadonlyMap<number, number>): Generator<SourceErrand> {
  let number = 0;
  for (const numbered of request.sources) {
    for (const unit of numbered.source.units()) {
      const isFull = taken.get(numbered.index)! >= request.maxMessages;
      if (isFull && unit.kind !== "files") break;
      number++;
      if (isFull) {
        yield { task: { kind: "hash", unit }, about: numbered };
        continue;
      }
      const attachmentDirectory = request.saveAttachments
        ? join(request.stagingDirectory, `attachments-${number}`)
        : null;
      const segmentPath = join(request.stagingDirectory, `parsed-${number}`);
      const { keepCopies, attachmentText, redact } = request;
      const work = { unit, segmentPath, attachmentDirectory, attachmentText, keepCopies, redact };
      yield { task: { kind: "parse", ...work, continues: null, lost: null }, about: numbered };
    }
    const { isFile, path, sizeBytes } = numbered.source;
    if (isFile) yield { task: { kind: "hash-file", path, sizeBytes }, about: numbered };
  }
}

class Progress {
  /** Read so far, of all sources. */
  bytes = 0;
  private readonly totalBytes: number;
  private readonly onEvent: EventListener;

  constructor(request: ParsingRequest) {
    this.totalBytes = request.sources.reduce((sum, { source }) => sum + source.sizeBytes, 0);
    this.onEvent = request.onEvent;
  }

  advance(unit: ParsedUnit, messages: number): void {
    this.bytes += unit.bytes;
    const mailbox = unit.records.at(-1)?.mailbox ?? "";
    this.onEvent({ kind: "phase", phase: "parsing", state: "progress", done: messages, total: null });
    this.onEvent({ kind: "reading", bytes: this.bytes, totalBytes: this.totalBytes, messages, mailbox });
  }
}
