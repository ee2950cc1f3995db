import { existsSync } from "node:fs";
import { availableParallelism, homedir } from "node:os";
import { basename, join, resolve } from "node:path";
import type { Command } from "commander";
import { ArchiveError, type ErrorCode } from "../../errors.ts";
import type { ListenAddress } from "../../http/http-server.ts";
import { DEFAULT_OPTIONS } from "../../mail/records/provenance.ts";
import { listSources } from "../../mail/records/source-formats.ts";
import {
  archiveIn,
  displaySource,
  isArchivePath,
  isArchiveThere,
  isServerUrl,
} from "../../store/contract/archive-location.ts";
import { limitHeapGrowth } from "../../v8-flags.ts";
import { archiveHome, isUpToDate } from "../extracting/archive-home.ts";
import {
  PASSWORD_VARIABLE,
  type PasswordFlags,
  passwordFromFlags,
  sourcePath,
} from "../extracting/extraction-flags.ts";
import { printFindings, withTypedPaths } from "../extracting/extraction-report.ts";
import { extractWithProgress } from "../extracting/format-extraction.ts";
import type { ExtractionWork } from "../terminal/command-work.ts";
import { openPage, unopened } from "../terminal/open-page.ts";
import type { Session } from "../terminal/session.ts";
import { type LocalArchive, openLocalArchive } from "./local-archive.ts";
import { privateDirectory } from "./original-flags.ts";
import { portNumber, serverLog } from "./served-archive.ts";

interface OpenFlags extends PasswordFlags {
  readonly output?: string;
  readonly browser: boolean;
  readonly port?: string;
}

/** `open` serves this machine only. */
const HOST = "127.0.0.1";
/** The port tried first, so that a page keeps its URL. */
const USUAL_PORT = 8080;
/** Directory in the user's home for archives of `open`. */
const HOME_DIRECTORY = "Archives";

/** Declares `archivetool open`. */
export function declareOpen(program: Command, session: () => Session): void {
  program
    .command("open")
    .description("read mail and show it in the browser")
    .argument("<files...>", `${listSources()}; also compressed or in directories`)
    .option(
      "-o, --output <dir>",
      `archive directory (default: a directory named after the source in ~/${HOME_DIRECTORY})`,
    )
    .option("--no-browser", "print the address without opening the browser")
    .option("--port <n>", `port to listen on (default: ${USUAL_PORT} or a free port)`)
    .option("--password <pass>", "password for protected PST/OST files")
    .option("--password-file <file>", `file whose first line is the password (or set ${PASSWORD_VARIABLE})`)
    .action(async (files: string[], flags: OpenFlags) => {
      limitHeapGrowth();
      await open(files, flags, session());
    });
}

/** Arguments of `open`. */
interface Opening {
  readonly files: readonly string[];
  /** Null for the usual port, or a free one. */
  readonly port: number | null;
  readonly password: string | null;
  readonly opensBrowser: boolean;
  readonly session: Session;
}

async function open(files: readonly string[], flags: OpenFlags, session: Session): Promise<void> {
  if (flags.output === "") throw new ArchiveError("INVALID_ARGUMENT", '--output must be a directory, not ""');
  const opening: Opening = {
    ...{ files, session, opensBrowser: flags.browser },
    port: flags.port === undefined ? null : portNumber(flags.port),
    password: passwordFromFlags(flags, session.log),
  };
  if (files.length === 1 && isArchive(files[0]!)) return showArchive(files[0]!, opening);
  const { findReplacedArchive } = await import("../../extraction/run/replaced-archive.ts");
  const directory = flags.output ?? (await archiveHome(join(homedir(), HOME_DIRECTORY), files, findReplacedArchive));
  const record = await findReplacedArchive(directory);
  const isCurrent = record !== null && isArchive(directory) && isUpToDate(files, record);
  if (!isCurrent) await requireMail(opening);
  session.print(`Archive: ${directory}`);
  return isCurrent ? showArchive(directory, opening) : extractAndShow(directory, opening);
}

/** Reports errors in the names of sources before anything is printed or served. Throws as `openInputs`. */
async function requireMail({ files, password }: Opening): Promise<void> {
  const { openInputs } = await import("../../extraction/reading/resolve-inputs.ts");
  const { SourceWatch } = await import("../../extraction/reading/source-watch.ts");
  await openInputs(files.map(sourcePath), { password, skipProtected: false }, new SourceWatch());
}

/** True for an output directory, its archive.db, or a collection, which `open` shows without extracting. */
function isArchive(path: string): boolean {
  return isServerUrl(path) || isArchiveThere(archiveIn(path)) || (isArchivePath(path) && existsSync(path));
}

async function serverOf(source: string, { password, session }: Opening): Promise<LocalArchive> {
  const originals = { directories: [], password, unpackedDirectory: privateDirectory() };
  const setting = {
    host: HOST,
    allowedHosts: [],
    basePath: "",
    isReadOnly: false,
    originals,
    log: await serverLog(session),
  };
  return openLocalArchive(source, setting, session);
}

/** Call directly before listening: another program may take a free port. */
async function listenAddress({ port }: Opening): Promise<ListenAddress> {
  const { usualOrFreePort } = await import("../../http/http-server.ts");
  return { host: HOST, port: port ?? (await usualOrFreePort(HOST, USUAL_PORT)) };
}

async function showArchive(source: string, opening: Opening): Promise<void> {
  const { session } = opening;
  const { serveUntil } = await import("../../http/http-server.ts");
  const served = await serverOf(source, opening);
  try {
    const onReady = (url: string): void => {
      session.print(`${displaySource(source)} is served on ${url} (Ctrl-C to stop)`);
      showPage(url, opening);
      served.warm();
    };
    await serveUntil(served.app, await listenAddress(opening), { signal: session.signal, onReady });
  } finally {
    await served.close();
  }
}

/** Serves the progress of the extraction, then the archive. */
async function extractAndShow(directory: string, opening: Opening): Promise<void> {
  const { session } = opening;
  const { serveUntil } = await import("../../http/http-server.ts");
  const { createOpeningServer } = await import("../../http/local-server/opening-server.ts");
  const name = basename(resolve(directory));
  const front = await createOpeningServer({ name, host: HOST }, await serverLog(session));
  const ending = new AbortController();
  let served: LocalArchive | null = null;
  let work: Promise<void> = Promise.resolve();
  let fault: unknown = null;
  const prepare = async (url: string): Promise<void> => {
    let isShown = false;
    const { report, warnings } = await extractWithProgress(workOf(directory, opening), session, (event) => {
      // Only after the sources are found: an error in their names needs no page.
      if (!isShown) showPage(url, opening);
      isShown = true;
      front.show(event);
    });
    served = await serverOf(directory, opening);
    await front.serve(served.app);
    if (!isShown) showPage(url, opening);
    printFindings(withTypedPaths(report, opening.files), warnings, session);
    session.print(`${directory} is served on ${url} (Ctrl-C to stop)`);
    served.warm();
  };
  try {
    const onReady = (url: string): void => {
      session.print(`Progress: ${url} (Ctrl-C to stop)`);
      work = prepare(url).catch(async (error: unknown) => {
        fault = error;
        await front.fail(faultOf(error));
        ending.abort();
      });
    };
    const signal = AbortSignal.any([session.signal, ending.signal]);
    await serveUntil(front.app, await listenAddress(opening), { signal, onReady });
  } finally {
    await work;
    await (served as LocalArchive | null)?.close();
  }
  if (fault !== null) throw fault;
}

function showPage(url: string, { opensBrowser, session }: Opening): void {
  if (opensBrowser) openPage(url, process.platform, unopened(session.log, url));
}

function faultOf(error: unknown): { readonly code: ErrorCode; readonly message: string } {
  if (error instanceof ArchiveError) return error;
  return { code: "INTERNAL_ERROR", message: error instanceof Error ? error.message : String(error) };
}

/** An incremental extraction without wiki pages: users read the archive in the browser. */
function workOf(directory: string, { files, password, session }: Opening): ExtractionWork {
  const request = {
    paths: files.map(sourcePath),
    outputDirectory: directory,
    replacesOthers: false,
    allowMissing: false,
    options: { ...DEFAULT_OPTIONS, attachmentText: true, incremental: true },
    limits: { password, skipProtected: false },
    jobs: availableParallelism(),
    startedAt: Date.now(),
    processId: process.pid,
  };
  // Keep the pages of an earlier run up to date.
  const wiki = existsSync(join(directory, "wiki"));
  const formats = { json: false, csv: false, wiki, allPages: false, wikiLinks: "wiki" } as const;
  return { kind: "extract", request, formats, tellsRedactions: session.log.level === "debug" };
}
