import { availableParallelism } from "node:os";
import { sourcePath } from "./cli/extracting/extraction-flags.ts";
import { phraseFault } from "./cli/extracting/word-list.ts";
import type { ExtractionWork } from "./cli/terminal/command-work.ts";
import { ArchiveError, type ErrorCode } from "./errors.ts";
import type { ExtractionEvent } from "./extraction/extraction-event.ts";
import type { ExtractionReport, SourceReport } from "./extraction/run/extraction-request.ts";
import type {
  Archive,
  ArchivedMessage,
  ContactReader,
  EncodedMessage,
  EventReader,
  ItemReader,
  Listed,
  ListedMessage,
  MessageFilter,
  MessageReader,
  Page,
  SearchFilter,
  SearchHit,
  SearchReader,
  ThreadReader,
  TopicReader,
} from "./mail/archive.ts";
import type { CalendarEvent } from "./mail/records/calendar-event.ts";
import type { Contact, ContactDetail } from "./mail/records/contact.ts";
import type { ArchivedItem } from "./mail/records/item.ts";
import {
  type ArchiveStatistics,
  type ExtractionOptions,
  PII_TYPES,
  type PiiType,
  type Provenance,
  type Warning,
} from "./mail/records/provenance.ts";
import type { Thread, ThreadDetail } from "./mail/records/thread.ts";
import type { Topic, TopicDetail } from "./mail/records/topic.ts";

export type {
  Archive,
  ArchivedItem,
  ArchivedMessage,
  ArchiveStatistics,
  CalendarEvent,
  Contact,
  ContactDetail,
  ContactReader,
  EncodedMessage,
  ErrorCode,
  EventReader,
  ExtractionEvent,
  ExtractionReport,
  ItemReader,
  Listed,
  ListedMessage,
  MessageFilter,
  MessageReader,
  Page,
  PiiType,
  Provenance,
  SearchFilter,
  SearchHit,
  SearchReader,
  SourceReport,
  Thread,
  ThreadDetail,
  ThreadReader,
  Topic,
  TopicDetail,
  TopicReader,
  Warning,
};
/**
 * The complete public API of `import … from "archivetool"`: docs/reference/library.md describes it, and semantic
 * versioning covers it.
 */
export { ArchiveError };

/** Options of an extraction, in addition to its sources and output. Defaults are those of the command line. */
export interface ExtractSettings {
  /** Also write extraction.json; default false. */
  readonly json?: boolean;
  /** Write emails.csv, contacts.csv and threads.csv; default false. */
  readonly csv?: boolean;
  /** Write the markdown wiki; default true. */
  readonly wiki?: boolean;
  /** Wiki pages for the most active entities (default) or for all. */
  readonly wikiPages?: "main" | "all";
  /** Links in the style of Obsidian (default) or CommonMark. */
  readonly wikiLinks?: "wiki" | "markdown";
  /**
   * Save attachments under wiki/attachments/; false when left out, and with `redact`: only text that was checked is
   * written.
   */
  readonly extractAttachments?: boolean;
  /** Make the text of attachments searchable; default false. */
  readonly attachmentText?: boolean;
  /** Find people, organizations, phone numbers, amounts and more in texts; default false. */
  readonly mentions?: boolean;
  /** Maximum messages per source, at least 1. */
  readonly maxMessages?: number;
  /** Password of protected PST and OST files. */
  readonly password?: string;
  /** Skip protected files instead of failing; default false. */
  readonly skipProtected?: boolean;
  /** Continue if a source loses many files during the run; default false. */
  readonly allowMissing?: boolean;
  /** Add only new messages to the existing archive; default false. */
  readonly incremental?: boolean;
  /** Replace an existing archive of other sources, which is an error by default. */
  readonly replace?: boolean;
  /** Types of personal data to redact; default none. */
  readonly redact?: readonly PiiType[];
  /** Words and phrases to redact; default none. The archive does not store them. */
  readonly redactWords?: readonly string[];
  /** Merge the addresses of one person; default true. */
  readonly mergeContacts?: boolean;
  /** Keep mails that differ only in their Message-ID separate; default false. */
  readonly keepCopies?: boolean;
  /** Worker threads, at least 1; default one per core. */
  readonly jobs?: number;
  /** Ends the run: `extract` then rejects with the reason of the signal, and the output directory is as before. */
  readonly signal?: AbortSignal;
  /** Called with each event; must not throw. */
  readonly onEvent?: (event: ExtractionEvent) => void;
}

/**
 * Opens an archive for reading: an output directory, its archive.db, or an extraction.json alone. Close it when you are
 * done.
 * @throws ArchiveError SOURCE_NOT_FOUND, NOT_AN_ARCHIVE, ARCHIVE_VERSION or DOCUMENT_INVALID; methods of the archive
 * INVALID_ARGUMENT for a call that does not fit their types
 */
export async function openArchive(source: string): Promise<Archive> {
  if (typeof source !== "string") throw new ArchiveError("INVALID_ARGUMENT", "the archive path is not a string");
  const { openNamedArchive } = await import("./cli/extracting/open-archive.ts");
  const { checkedArchive } = await import("./cli/reading/checked-archive.ts");
  const archive = await openNamedArchive(source, {
    signal: new AbortController().signal,
    log: { warning: (line) => process.emitWarning(line) },
  });
  return checkedArchive(archive);
}

/**
 * Reads mail and writes an archive, like `archivetool extract`. All or nothing: the directory does not change until
 * the new output is complete, nor after an error. @param paths files and directories of mail, as on the command line.
 * @throws ArchiveError with a `code` and a `hint`
 */
export async function extract(
  paths: readonly string[],
  outputDirectory: string,
  settings: ExtractSettings = {},
): Promise<ExtractionReport> {
  if (!Array.isArray(paths) || !paths.every((path) => typeof path === "string"))
    throw new ArchiveError("INVALID_ARGUMENT", "the source paths are not an array of strings");
  if (paths.length === 0)
    throw new ArchiveError("INVALID_ARGUMENT", "no source specified", {
      hint: "specify a file or directory that contains mail",
    });
  if (typeof outputDirectory !== "string" || outputDirectory === "")
    throw new ArchiveError("INVALID_ARGUMENT", "no output directory specified");
  refuseUnknownSettings(settings);
  const work = workOf(paths, outputDirectory, settings);
  // Loaded on demand: a program that only opens archives does not need it.
  const { performExtraction } = await import("./cli/extracting/extraction-work.ts");
  return performExtraction(work, {
    signal: settings.signal ?? new AbortController().signal,
    onEvent: settings.onEvent ?? (() => undefined),
  });
}

/** Allowed types of settings, for untyped programs; counts and redaction types are checked where they are read. */
const SETTINGS: Readonly<Record<keyof ExtractSettings, (value: unknown) => boolean>> = {
  json: isBoolean,
  csv: isBoolean,
  wiki: isBoolean,
  wikiPages: (value) => value === "main" || value === "all",
  wikiLinks: (value) => value === "wiki" || value === "markdown",
  extractAttachments: isBoolean,
  attachmentText: isBoolean,
  mentions: isBoolean,
  maxMessages: (value) => typeof value === "number",
  password: (value) => typeof value === "string",
  skipProtected: isBoolean,
  incremental: isBoolean,
  replace: isBoolean,
  redact: Array.isArray,
  redactWords: (value) => Array.isArray(value) && value.every((phrase) => typeof phrase === "string"),
  allowMissing: isBoolean,
  mergeContacts: isBoolean,
  keepCopies: isBoolean,
  jobs: (value) => typeof value === "number",
  signal: (value) => value instanceof AbortSignal,
  onEvent: (value) => typeof value === "function",
};

function isBoolean(value: unknown): boolean {
  return typeof value === "boolean";
}

/** A misspelled setting would silently omit a requested option, such as redaction. */
function refuseUnknownSettings(settings: ExtractSettings): void {
  if (typeof settings !== "object" || settings === null || Array.isArray(settings))
    throw new ArchiveError("INVALID_ARGUMENT", "the extract options are not an object");
  for (const [name, value] of Object.entries(settings) as [string, unknown][]) {
    if (!Object.hasOwn(SETTINGS, name))
      throw new ArchiveError("INVALID_ARGUMENT", `unknown extract option "${name}"`, {
        hint: `settings: ${Object.keys(SETTINGS).join(", ")}`,
      });
    if (value !== undefined && !SETTINGS[name as keyof ExtractSettings](value))
      throw new ArchiveError("INVALID_ARGUMENT", `option "${name}" has the wrong type`, {
        hint: "see the type definitions of the package",
      });
  }
}

function workOf(paths: readonly string[], outputDirectory: string, settings: ExtractSettings): ExtractionWork {
  const redactWords = redactablePhrases(settings.redactWords ?? []);
  const request = {
    paths: paths.map(sourcePath),
    outputDirectory,
    replacesOthers: settings.replace ?? false,
    allowMissing: settings.allowMissing ?? false,
    options: optionsOf(settings),
    ...(redactWords.length === 0 ? {} : { redactWords }),
    limits: { password: settings.password ?? null, skipProtected: settings.skipProtected ?? false },
    jobs: countOf("jobs", settings.jobs) ?? availableParallelism(),
    startedAt: Date.now(),
    processId: process.pid,
  };
  return { kind: "extract", request, formats: formatsOf(settings), tellsRedactions: settings.onEvent !== undefined };
}

function optionsOf(settings: ExtractSettings): ExtractionOptions {
  const {
    maxMessages,
    redactWords = [],
    mergeContacts,
    keepCopies,
    extractAttachments,
    attachmentText,
    mentions,
    incremental,
  } = settings;
  const redact = [...knownTypes(settings.redact ?? []), ...(redactWords.length === 0 ? [] : (["word"] as const))];
  return {
    maxMessages: countOf("maxMessages", maxMessages),
    redact,
    mergeContacts: mergeContacts ?? true,
    keepCopies: keepCopies ?? false,
    extractAttachments: (extractAttachments ?? false) && redact.length === 0,
    attachmentText: attachmentText ?? false,
    incremental: incremental ?? false,
    ...(mentions === true ? { mentions } : {}),
  };
}

/** A phrase that would never match is an error. */
function redactablePhrases(phrases: readonly string[]): readonly string[] {
  for (const phrase of phrases) {
    const fault = phraseFault(phrase);
    if (fault !== null) throw new ArchiveError("INVALID_ARGUMENT", `redactWords: "${phrase}" ${fault}`);
  }
  return phrases;
}

/** In table order. Untyped programs may pass any word: unknown types are rejected. */
function knownTypes(redact: readonly PiiType[]): readonly PiiType[] {
  const unknown = redact.find((type) => !PII_TYPES.includes(type));
  if (unknown === undefined) return PII_TYPES.filter((type) => redact.includes(type));
  throw new ArchiveError("INVALID_ARGUMENT", `redact does not support type "${unknown}"`, {
    hint: `types: ${PII_TYPES.join(", ")}`,
  });
}

function formatsOf({ json, csv, wiki, wikiPages, wikiLinks }: ExtractSettings): ExtractionWork["formats"] {
  return {
    json: json ?? false,
    csv: csv ?? false,
    wiki: wiki ?? true,
    allPages: wikiPages === "all",
    wikiLinks: wikiLinks ?? "wiki",
  };
}

function countOf(name: string, value: number | undefined): number | null {
  if (value === undefined) return null;
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new ArchiveError("INVALID_ARGUMENT", `${name} must be a positive integer, not ${value}`);
}
