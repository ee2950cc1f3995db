import { join } from "node:path";
import { PagedInt32Column } from "../../columns/paged-column.ts";
import type { PagedMemory } from "../../columns/paged-memory.ts";
import { ArchiveError } from "../../errors.ts";
import type { Instant } from "../../mail/dates/instant.ts";
import { LOST_FILE_CODES } from "../../sources/maildir/message-files.ts";
import type { OpenedSource, WorkUnit } from "../../sources/reading/source.ts";
import { DirectoryHash } from "../../sources/reading/source-hash.ts";
import type { EventListener } from "../extraction-event.ts";
import type { Ledger } from "../ledger/deduplicate.ts";
import type { FileHashes, ParsedRecord } from "../staging/message-header-record.ts";
import { type PackedUnit, unpackUnit } from "../staging/packed-unit.ts";
import { SegmentActions, type StagedSegment } from "../staging/staged-segment.ts";
import type { HashFileTask, HashTask, ParseTask } from "../staging/task.ts";
import type { Errand, TaskRunner } from "../workers/worker-pool.ts";
import { addFileHashes } from "./file-hashes.ts";
import { KnownFilesBuilder } from "./known-files.ts";
import type { NumberedSource } from "./numbered-source.ts";
import { LostFiles } from "./source-watch.ts";
import type { SourceToRead } from "./stored-files.ts";

export interface ParsedSources {
  /** SHA-256 (hex) of each source of the run, in their order. */
  readonly hashes: readonly string[];
  /** Files that vanished or were lost with their disk, by source. */
  readonly lostFiles: LostFiles;
  /** Values of `KnownFilesBuilder` for directories, by source. */
  readonly knownFiles: ReadonlyMap<number, Uint8Array>;
}

interface ParsingRequest {
  readonly sources: readonly SourceToRead[];
  /** Before the sources were listed. */
  readonly startedAt: Instant;
  /** Memory for every record, and every file of a directory. */
  readonly memory: PagedMemory;
  readonly stagingDirectory: string;
  readonly saveAttachments: boolean;
  readonly attachmentText: boolean;
  /** Maximum items per source. */
  readonly maxMessages: number;
  readonly keepCopies: boolean;
  /** Charset of mail without a label, or null. */
  readonly charset: string | null;
  readonly redact: ParseTask["redact"];
  readonly redactWords?: readonly string[] | undefined;
  readonly onEvent: EventListener;
  /** Called with each segment as soon as the actions of its records are known. */
  readonly onSegment: (segment: StagedSegment) => void;
}

/** With less mail than this, parsing threads are reused: new threads would need more memory. */
const LITTLE_MAIL_BYTES = 2 << 20;

type SourceErrand = Errand<ParseTask | HashTask | HashFileTask, NumberedSource>;

/**
 * First pass: every byte of every source is read, hashed, parsed and accounted for, in the order of the sources.
 */
export async function parseSources(
  request: ParsingRequest,
  ledger: Ledger,
  runner: TaskRunner,
): Promise<ParsedSources> {
  const pass = new FirstPass(request, ledger);
  for await (const { task, about, result } of runner.inOrder(errandsOf(request, pass.taken))) {
    if (task.kind === "hash-file") pass.takeHash(about, result as FileHash);
    else if (task.kind === "hash") pass.takeFileHashes(about, task.unit, result as FileHashes);
    else pass.takeUnit(about, task, result as PackedUnit);
  }
  await runner.endReading(pass.mailBytes > LITTLE_MAIL_BYTES);
  return pass.parsed();
}

/** Hash of a whole file. */
interface FileHash {
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** Processes the results of tasks in order. */
class FirstPass {
  /** Items of each source so far. */
  readonly taken = new Map<number, number>();
  readonly lostFiles = new LostFiles();
  mailBytes = 0;
  private readonly actions: PagedInt32Column;
  private readonly directoryHashes = new Map<number, DirectoryHash>();
  private readonly knownFiles = new Map<number, KnownFilesBuilder>();
  private readonly hashes = new Map<number, string>();
  private readonly progress: Progress;

  constructor(
    private readonly request: ParsingRequest,
    private readonly ledger: Ledger,
  ) {
    this.progress = new Progress(request);
    this.actions = new PagedInt32Column(request.memory);
    for (const { source, index, stored } of request.sources) {
      if (!source.isFile) {
        const [directory, files] = [new DirectoryHash(request.memory), new KnownFilesBuilder(request.startedAt)];
        this.directoryHashes.set(index, directory);
        this.knownFiles.set(index, files);
        for (const { relativePath, sha256, state } of stored) {
          directory.add(relativePath, sha256);
          if (state !== null) files.addFile(state, sha256);
        }
      }
      this.lostFiles.add(source, 0, stored.length);
      this.taken.set(index, ledger.addNotes(source.notes, index));
    }
  }

  takeHash({ source, index }: NumberedSource, { sha256, sizeBytes }: FileHash): void {
    if (sizeBytes !== source.sizeBytes)
      throw new ArchiveError("SOURCE_CHANGED", `${source.path} changed while it was read`);
    this.hashes.set(index, sha256);
  }

  /** Files that are skipped are only hashed. */
  takeFileHashes(about: NumberedSource, unit: WorkUnit, fileHashes: FileHashes): void {
    this.addHashes(about, unit, fileHashes);
    this.progress.advance(about.source, { messages: this.ledger.messageCount, mailbox: "" });
  }

  takeUnit(about: NumberedSource, task: ParseTask, packed: PackedUnit): void {
    const { source, index } = about;
    const unit = unpackUnit(packed);
    if (task.unit.kind === "files") this.lostFiles.add(source, unit.records.filter(isLost).length, unit.records.length);
    this.addHashes(about, task.unit, unit.fileHashes);
    const taken = this.taken.get(index)!;
    const { actions, count } = this.ledger.addUnit(unit, index, this.request.maxMessages - taken);
    this.taken.set(index, taken + count);
    const { segmentPath: path, attachmentDirectory } = task;
    this.request.onSegment({
      path,
      actions: new SegmentActions(this.actions, actions),
      source: index,
      attachmentDirectory,
    });
    this.mailBytes += unit.bytes;
    const mailbox = unit.records.at(-1)?.mailbox ?? "";
    this.progress.advance(source, { messages: this.ledger.messageCount, mailbox });
  }

  parsed(): ParsedSources {
    for (const [index, hash] of this.directoryHashes) this.hashes.set(index, hash.digest());
    const hashes = this.request.sources.map(({ index }) => this.hashes.get(index)!);
    const knownFiles = new Map([...this.knownFiles].map(([index, files]) => [index, files.bytes()]));
    return { hashes, lostFiles: this.lostFiles, knownFiles };
  }

  private addHashes({ index }: NumberedSource, unit: WorkUnit, fileHashes: FileHashes): void {
    const directory = this.directoryHashes.get(index);
    if (directory === undefined) return;
    addFileHashes(directory, unit, fileHashes);
    this.knownFiles.get(index)!.add(unit, fileHashes);
  }
}

function isLost(record: ParsedRecord): boolean {
  return record.kind === "damaged" && LOST_FILE_CODES.has(record.code);
}

/**
 * One task per unit. Directory files excluded by `--max-messages` are still hashed; a file is hashed as a whole at
 * the end.
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
      const { keepCopies, attachmentText, redact, redactWords } = request;
      const work = {
        unit: withCharset(unit, request.charset),
        segmentPath,
        attachmentDirectory,
        attachmentText,
        keepCopies,
        redact,
        redactWords,
      };
      yield { task: { kind: "parse", ...work, continues: null, lost: null }, about: numbered };
    }
    const { isFile, path, sizeBytes } = numbered.source;
    if (isFile) yield { task: { kind: "hash-file", path, sizeBytes }, about: numbered };
  }
}

/** Outlook stores determine it when they are opened. */
function withCharset(unit: WorkUnit, charset: string | null): WorkUnit {
  return charset === null || "charset" in unit ? unit : { ...unit, charset };
}

/** Progress of reading. A unit counts for its share of the bytes of its source. */
class Progress {
  private bytes = 0;
  private readonly totalBytes: number;
  private readonly onEvent: EventListener;

  constructor(request: ParsingRequest) {
    this.totalBytes = request.sources.reduce((sum, { source }) => sum + source.sizeBytes, 0);
    this.onEvent = request.onEvent;
  }

  advance(
    { sizeBytes, unitCount }: OpenedSource,
    where: { readonly messages: number; readonly mailbox: string },
  ): void {
    this.bytes += sizeBytes / unitCount;
    this.onEvent({ kind: "reading", bytes: Math.round(this.bytes), totalBytes: this.totalBytes, ...where });
  }
}
