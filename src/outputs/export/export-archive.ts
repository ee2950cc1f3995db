import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { ArchiveError, systemErrorCode } from "../../errors.ts";
import { replaceFile, syncDirectory, syncTree, UNFINISHED_SUFFIX } from "../../files/durable-files.ts";
import { makeDirectories, removeDirectories } from "../../files/make-directories.ts";
import { outputFault } from "../../files/output-fault.ts";
import type { Archive } from "../../mail/archive.ts";
import type { Instant } from "../../mail/dates/instant.ts";
import { MANIFEST_NAME } from "../../mail/export-manifest.ts";
import { countOf } from "../../text/tokens/format-count.ts";
import { TOOL_VERSION } from "../../version.ts";
import { type CustodianName, custodianNames } from "../custodians.ts";
import { BAG_PAYLOAD, Bag } from "./bag.ts";
import type { BagField } from "./bag-info.ts";
import { DEFAULT_NUMBERING, type Numbering } from "./control-numbers.ts";
import { FORMATS } from "./export-formats.ts";
import type { EmlNames, ExportFormatName } from "./export-names.ts";
import { ExportTarget } from "./export-target.ts";
import { Manifest } from "./manifest.ts";
import { messageBytes, type OriginalReader } from "./message-bytes.ts";
import { maxPathLength } from "./path-length.ts";
import { queryProblems, type Selection, selectMessages, walkSelected } from "./selection.ts";

export interface ExportRequest {
  readonly format: ExportFormatName;
  /** The file or directory to create; it must not exist, except as an empty directory. */
  readonly path: string;
  readonly selection: Selection;
  /** The query as the user wrote it, for the manifest and titles. */
  readonly query: string;
  /** Numbering and custodians of a load file; null for the defaults. */
  readonly production: Production | null;
  /** How `eml` files are named. */
  readonly names: EmlNames;
  /** The metadata of a bag (RFC 8493), a directory with the hashes of all its files; null for no bag. */
  readonly bag: readonly BagField[] | null;
  readonly exportedAt: Instant;
  readonly signal: AbortSignal;
  /** Reads originals; null when messages are always composed. */
  readonly readOriginal: OriginalReader | null;
  /**
   * Called before anything is written. An error ends the export. @param count messages to write @param problems one
   * sentence per part of the query that could not be interpreted
   */
  onSelected(selected: {
    readonly count: number;
    readonly withheldCount: number;
    readonly problems: readonly string[];
  }): Promise<void>;
  onProgress(done: number, total: number): void;
}

/** The documents of a load file. */
export interface Production {
  readonly numbering: Numbering;
  readonly custodians: readonly CustodianName[];
  /** Whether they have tags, review states, notes and the query. */
  readonly hasReview: boolean;
}

export interface ExportReport {
  /** One sentence per part of the query that could not be interpreted. */
  readonly problems: readonly string[];
  readonly messages: number;
  /** Messages identical to the source. */
  readonly exact: number;
  readonly composed: number;
  /** Reasons why messages had to be composed, with the count of each. */
  readonly reasons: ReadonlyMap<string, number>;
  /** Created files, the manifest last. */
  readonly paths: readonly string[];
}

/** Suffix of the name of a directory under construction: an export, or the archive of mail that is converted. */
const STAGING = /^(?:archive\.)?([1-9]\d{0,9})\.tmp$/;

/**
 * Exports messages, contacts, events or the graph of an archive in another format. Everything is written under
 * temporary names and renamed when complete and on disk. Memory does not grow with the archive, except for the ids of a
 * selection.
 * @throws ArchiveError OUTPUT_NOT_OURS if the target exists, INVALID_ARGUMENT, NOT_FOUND, OUTPUT_UNWRITABLE, DISK_FULL;
 * the signal's reason.
 */
export async function exportArchive(archive: Archive, request: ExportRequest): Promise<ExportReport> {
  const places = placesOf(request);
  for (const { final } of places.moves) refuseWhatIsThere(final);
  const staging = `${places.base}.${process.pid}${UNFINISHED_SUFFIX}`;
  let parents: readonly string[] = [];
  try {
    removeAbandoned(places.base);
    removeTree(staging);
    parents = makeDirectories(staging).slice(1);
    const report = await buildExport(archive, request, {
      root: staging,
      base: places.base,
      payload: places.payload,
      fileName: places.fileName,
    });
    await syncTree(staging, request.signal);
    request.signal.throwIfAborted();
    for (const { built, final } of places.moves) {
      // An empty target directory is allowed. Only most systems let rename replace it, so remove it first.
      if (existsSync(final)) rmSync(final, { recursive: true });
      replaceFile(join(staging, built), final);
    }
    removeTree(staging);
    syncDirectory(dirname(places.base));
    return { ...report, paths: places.moves.map(({ final }) => final) };
  } catch (error) {
    removeTree(staging);
    removeDirectories(parents);
    throw outputFault(error, request.path, "a writable directory with --output");
  }
}

/** Unlike `rmSync` with `force`, accepts a path below a file. */
function removeTree(path: string): void {
  if (existsSync(path)) rmSync(path, { recursive: true, force: true });
}

/** Removes the directories of killed exports with this name. */
function removeAbandoned(base: string): void {
  const directory = dirname(base);
  if (!existsSync(directory)) return;
  const prefix = `${basename(base)}.`;
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (!entry.isDirectory() || !entry.name.startsWith(prefix)) continue;
    const processId = STAGING.exec(entry.name.slice(prefix.length))?.[1];
    if (processId === undefined || isRunning(Number(processId))) continue;
    rmSync(join(directory, entry.name), { recursive: true, force: true });
  }
}

function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return systemErrorCode(error) !== "ESRCH";
  }
}

interface ExportPlaces {
  /** Absolute path without its extension. */
  readonly base: string;
  /** Prefix of the exported files within the build directory. */
  readonly payload: string;
  /** Name of the one file, "" for a directory. */
  readonly fileName: string;
  /** Paths under the staging directory, and their final paths. */
  readonly moves: readonly { readonly built: string; readonly final: string }[];
}

function placesOf({ format, path, bag }: ExportRequest): ExportPlaces {
  const { shape, extension } = FORMATS[format];
  const base = resolve(path);
  const isOneFile = shape === "file" || (shape === "either" && base.toLowerCase().endsWith(extension));
  const name = basename(base);
  if (bag !== null)
    return {
      base,
      payload: BAG_PAYLOAD,
      fileName: isOneFile ? fileNameIn(name, extension) : "",
      moves: [{ built: "", final: base }],
    };
  if (!isOneFile) return { base, payload: "", fileName: "", moves: [{ built: "", final: base }] };
  const moves = [
    { built: MANIFEST_NAME, final: `${base}.${MANIFEST_NAME}` },
    { built: name, final: base },
  ];
  return { base, payload: "", fileName: name, moves };
}

/** The one file of a bag is named after the bag. */
function fileNameIn(name: string, extension: string): string {
  return name.toLowerCase().endsWith(extension) ? name : name + extension;
}

function refuseWhatIsThere(path: string): void {
  if (!existsSync(path)) return;
  if (statSync(path).isDirectory() && readdirSync(path).length === 0) return;
  throw new ArchiveError("OUTPUT_NOT_OURS", `${path} already exists`, {
    hint: "select another name with --output, or remove the file first",
  });
}

interface BuiltPlace {
  readonly root: string;
  /** Final path of the root. */
  readonly base: string;
  readonly payload: string;
  readonly fileName: string;
}

async function buildExport(
  archive: Archive,
  request: ExportRequest,
  place: BuiltPlace,
): Promise<Omit<ExportReport, "paths">> {
  const format = FORMATS[request.format];
  const provenance = await archive.provenance();
  const { ids, withheldCount } = format.ofMessages
    ? await selectMessages(archive, request.selection)
    : { ids: null, withheldCount: 0 };
  const total = format.ofMessages ? (ids?.length ?? provenance.statistics.totalMessages) : 0;
  const problems = await queryProblems(archive, request.selection.query, request.selection.match);
  if (format.ofMessages) await request.onSelected({ count: total, withheldCount, problems });
  const target = new ExportTarget(place.root);
  const bag = request.bag === null ? null : new Bag(place.root);
  const list = target.openFile(MANIFEST_NAME);
  const hasReview = request.production?.hasReview ?? true;
  // A query can name tags and review states.
  const query = hasReview ? request.query : "";
  const occasion = { query, toolVersion: TOOL_VERSION, exportedAt: request.exportedAt };
  const tally = new Map<string, number>();
  const count = { done: 0, exact: 0, composed: 0 };
  let lastId = "";
  await format.write(
    {
      archive,
      provenance,
      count: total,
      title: request.query === "" ? "All messages" : request.query,
      exportedAt: request.exportedAt,
      numbering: request.production?.numbering ?? DEFAULT_NUMBERING,
      hasReview,
      custodians: custodianNames(
        provenance.sources.map(({ path }) => path),
        request.production?.custodians ?? [],
      ),
      names: request.names,
      messages: () => walkSelected(archive, ids),
      async bytesOf(message) {
        request.signal.throwIfAborted();
        const read = await messageBytes(message, provenance, request.readOriginal);
        count[read.origin]++;
        if (read.origin === "composed") tally.set(reasonOf(read.note), (tally.get(reasonOf(read.note)) ?? 0) + 1);
        return read;
      },
    },
    {
      target: bag?.payload ?? target,
      fileName: place.fileName,
      room: maxPathLength(place.base) - place.payload.length,
      manifest: new Manifest(list, occasion, (path, id) => {
        request.signal.throwIfAborted();
        // Attachments follow their message and have its id.
        if (id !== lastId) count.done++;
        lastId = id;
        request.onProgress(count.done, total);
        return place.payload + path;
      }),
    },
  );
  target.closeFile(list);
  bag?.close(
    `${countOf(count.done, "record")} of an archive of email${hasReview ? `: ${query || "all of it"}` : ""}`,
    request.exportedAt,
    request.bag ?? [],
  );
  const { exact, composed } = count;
  return { problems, messages: format.ofMessages ? count.done : 0, exact, composed, reasons: tally };
}

/** The kind of a reason, without details of one message. */
function reasonOf(note: string): string {
  return note.split(/[:;]/, 1)[0] ?? "";
}
