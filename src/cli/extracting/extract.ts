import { availableParallelism } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import type { Command } from "commander";
import { ArchiveError } from "../../errors.ts";
import { listSources } from "../../mail/records/source-formats.ts";
import {
  archiveAtUrl,
  archiveIn,
  archiveOnServer,
  type CollectionLocation,
  isServerUrl,
  nameOfArchive,
} from "../../store/contract/archive-location.ts";
import { type ExtractionWork, performWork } from "../terminal/command-work.ts";
import { choiceOf, positiveInteger } from "../terminal/flag-values.ts";
import type { Session } from "../terminal/session.ts";
import { requireFree } from "./copy.ts";
import {
  PASSWORD_VARIABLE,
  parseCharset,
  passwordFromFlags,
  piiTypes,
  REDACT_DESCRIPTION,
  REDACT_WORDS_DESCRIPTION,
  sourcePath,
} from "./extraction-flags.ts";
import { printReport, withTypedPaths } from "./extraction-report.ts";
import { extractWithProgress } from "./format-extraction.ts";
import { readWordList } from "./word-list.ts";

/** Milliseconds during which the server of a collection is retried after reading mail. */
const AWAY_MS = 300_000;
/** Milliseconds between attempts. */
const RETRY_MS = 1_000;

interface ExtractFlags {
  readonly output: string;
  readonly json?: true;
  readonly csv?: true;
  readonly wiki: boolean;
  readonly wikiPages: string;
  readonly wikiLinks: string;
  readonly extractAttachments?: true;
  readonly attachmentText?: true;
  readonly mentions?: true;
  readonly maxMessages?: string;
  readonly password?: string;
  readonly passwordFile?: string;
  readonly charset?: string;
  readonly skipProtected?: true;
  readonly allowMissing?: true;
  readonly incremental?: true;
  readonly replace?: true;
  readonly redact?: true | readonly string[];
  readonly redactWords?: string;
  readonly mergeContacts: boolean;
  readonly keepCopies?: true;
  readonly jobs?: string;
  readonly store?: string;
  readonly collection?: string;
}

/** Declares `archivetool extract`. */
export function declareExtract(program: Command, session: () => Session): void {
  program
    .command("extract")
    .description("extract mail into an archive and a wiki")
    .argument("<files...>", `${listSources()}; also compressed or in directories`)
    .option("-o, --output <dir>", "output directory", "./pikoclaw-output")
    .option("--json", "also write extraction.json")
    .option("--csv", "write emails.csv, contacts.csv and threads.csv")
    .option("--wiki", "generate the markdown wiki", true)
    .option("--no-wiki", "skip the markdown wiki")
    .option("--wiki-pages <which>", "entity pages: `main` (the most active) or `all`", "main")
    .option("--wiki-links <style>", "link style: `wiki` (Obsidian) or `markdown` (GitHub, editors)", "wiki")
    .option("--extract-attachments", "save attachments under wiki/attachments/")
    .option("--attachment-text", "make the text of attachments searchable")
    .option("--mentions", "find people, organizations, phone numbers, amounts and more that texts mention")
    .option("--max-messages <n>", "maximum messages to process per source")
    .option("--password <pass>", "password for protected PST/OST files")
    .option("--password-file <file>", `file whose first line is the password (or set ${PASSWORD_VARIABLE})`)
    .option("--charset <name>", "charset of mail that does not declare one, such as windows-1250")
    .option("--skip-protected", "skip password-protected files instead of failing")
    .option("--allow-missing", "continue when many files of a source disappear during the run")
    .option("--incremental", "add new messages to the existing archive")
    .option("--replace", "replace an archive of other sources in the output directory")
    .option("--redact [types...]", REDACT_DESCRIPTION)
    .option("--redact-words <file>", REDACT_WORDS_DESCRIPTION)
    .option("--no-merge-contacts", "keep every address as a separate contact")
    .option("--keep-copies", "keep messages that differ only in Message-ID as separate messages")
    .option("--jobs <n>", "worker threads (default: one per core)")
    .option("--store <url>", "PostgreSQL database to copy the completed archive to")
    .option("--collection <name>", "collection name in that database")
    .action(async (files: string[], flags: ExtractFlags) => {
      await extract(files, flags, session());
    });
}

async function extract(files: readonly string[], flags: ExtractFlags, session: Session): Promise<void> {
  const collection = collectionOf(flags);
  const work = requestOf(files, flags, session);
  // Before any mail is read: detects an unreachable server, or an archive that would be lost.
  if (collection !== null) await requireFree(collection, flags.incremental === true || flags.replace === true);
  const { report, warnings } = await extractWithProgress(work, session);
  if (collection !== null) await publishTo(collection, work, session);
  printReport(withTypedPaths(report, files), warnings, session);
  if (collection !== null) session.print(`Collection: ${nameOfArchive(collection)}`);
}

/** The collection that `--store` and `--collection` name; null without them. */
function collectionOf({ store, collection }: ExtractFlags): CollectionLocation | null {
  if (store === undefined && collection === undefined) return null;
  if (store === undefined || !isServerUrl(store))
    throw new ArchiveError("INVALID_ARGUMENT", "--store must be a database URL: postgres://user@host/database");
  return collection === undefined ? archiveAtUrl(store) : archiveOnServer(store, collection);
}

/**
 * Publishes the archive of a finished output to a collection: readers see the earlier one until then. Retries for
 * some minutes if the server is unreachable, like reading does.
 */
async function publishTo(collection: CollectionLocation, work: ExtractionWork, session: Session): Promise<void> {
  const { signal, log } = session;
  const name = nameOfArchive(collection);
  const from = archiveIn(work.request.outputDirectory);
  const watch = { signal, onEvent: () => undefined, cleanUp: () => undefined };
  const begun = performance.now();
  for (let tries = 1; ; tries++) {
    try {
      await performWork({ kind: "copy", from, to: collection, isVerified: false }, watch);
      return;
    } catch (error) {
      signal.throwIfAborted();
      const isAway = error instanceof ArchiveError && error.code === "STORE_UNREACHABLE";
      if (!isAway || performance.now() - begun > AWAY_MS) {
        log.warning(`${work.request.outputDirectory} is complete, but ${name} was not updated`);
        throw error;
      }
      if (tries === 1) log.warning(`${error.message}: retried for five minutes`);
      await pause(RETRY_MS, undefined, { signal });
    }
  }
}

function requestOf(files: readonly string[], flags: ExtractFlags, session: Session): ExtractionWork {
  if (flags.output === "") throw new ArchiveError("INVALID_ARGUMENT", '--output must be a directory, not ""');
  if (flags.replace && flags.incremental)
    throw new ArchiveError("INVALID_ARGUMENT", "--replace and --incremental cannot be combined");
  const redactWords = flags.redactWords === undefined ? null : readWordList(flags.redactWords);
  const redact = [...piiTypes(flags.redact), ...(redactWords === null ? [] : (["word"] as const))];
  if (redact.length > 0 && flags.extractAttachments) {
    session.log.warning("attachments are not saved: with redaction, only redacted text is written");
  }
  const formats = {
    json: flags.json === true,
    csv: flags.csv === true,
    wiki: flags.wiki,
    allPages: choiceOf("--wiki-pages", ["main", "all"], flags.wikiPages) === "all",
    wikiLinks: choiceOf("--wiki-links", ["wiki", "markdown"], flags.wikiLinks),
  };
  const charset = flags.charset === undefined ? {} : { charset: parseCharset(flags.charset) };
  const request = {
    paths: files.map(sourcePath),
    outputDirectory: flags.output,
    replacesOthers: flags.replace === true,
    allowMissing: flags.allowMissing === true,
    options: {
      maxMessages: flags.maxMessages === undefined ? null : positiveInteger("--max-messages", flags.maxMessages),
      redact,
      mergeContacts: flags.mergeContacts,
      keepCopies: flags.keepCopies === true,
      extractAttachments: flags.extractAttachments === true && redact.length === 0,
      attachmentText: flags.attachmentText === true,
      incremental: flags.incremental === true,
      ...charset,
      ...(flags.mentions === true ? { mentions: true } : {}),
    },
    ...(redactWords === null ? {} : { redactWords }),
    limits: {
      password: passwordFromFlags(flags, session.log),
      skipProtected: flags.skipProtected === true,
      ...charset,
    },
    ...rangesOfTrial(),
    jobs: flags.jobs === undefined ? availableParallelism() : positiveInteger("--jobs", flags.jobs),
    startedAt: Date.now(),
    processId: process.pid,
  };
  return { kind: "extract", request, formats, tellsRedactions: session.log.level === "debug" };
}

/** Small ranges of the search index, for tests and trials. */
function rangesOfTrial(): { readonly rangeMessages?: number } {
  const given = process.env["ARCHIVETOOL_RANGE_MESSAGES"];
  return given === undefined || given === ""
    ? {}
    : { rangeMessages: positiveInteger("ARCHIVETOOL_RANGE_MESSAGES", given) };
}
