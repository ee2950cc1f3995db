import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { ArchiveError } from "../../errors.ts";
import { PublishGate } from "../../extraction/publishing/publish-gate.ts";
import type { ExtractionReport } from "../../extraction/run/extraction-request.ts";
import type { OutputFormats } from "../../outputs/write-outputs.ts";
import {
  type CommandWork,
  type ExtractionWork,
  REDACTED,
  STOP,
  type WorkFault,
  type WorkOrder,
  type WorkReply,
} from "./command-work.ts";

/** Entry of a command's thread: runs one piece of work and posts its events, then the result or error. */
const port = parentPort!;
const { work, gate } = workerData as WorkOrder;
const abort = new AbortController();

function send(reply: WorkReply): void {
  port.postMessage(reply);
}

async function perform(work: CommandWork): Promise<unknown> {
  // Each kind loads its own code.
  switch (work.kind) {
    case "extract":
      return extract(work);
    case "import": {
      const { storeOfDocument } = await import("../../store/archive/document-cache.ts");
      return storeOfDocument(work.documentPath, work.cacheDirectory, work.name);
    }
    case "copy": {
      const { copyToPlace } = await import("../../store/archive/copy-archive.ts");
      return copyToPlace(work.from, work.to, work.isVerified);
    }
  }
}

async function extract({ request, formats, tellsRedactions }: ExtractionWork): Promise<ExtractionReport> {
  const { runExtraction } = await import("../../extraction/run/run-extraction.ts");
  const { writeOutputs } = await import("../../outputs/write-outputs.ts");
  const { MAIN_THREADS } = await import("../../outputs/wiki/write-wiki.ts");
  return runExtraction({
    ...request,
    signal: abort.signal,
    gate: new PublishGate(gate),
    onEvent: (event) => {
      if (tellsRedactions || event.kind !== "warning" || event.warning.code !== REDACTED)
        send({ kind: "event", event });
    },
    writeOutputs: async (archive, directory, earlier, grown) => {
      const { totalMessages: total, multiMessageThreads } = await archive.stats();
      const onMessages = (done: number): void =>
        send({ kind: "event", event: { kind: "phase", phase: "outputs", state: "progress", done, total } });
      const written = formatsOver(earlier, {
        request,
        formats,
        mainThreads: Math.min(multiMessageThreads, MAIN_THREADS),
      });
      await writeOutputs(archive, directory, { ...written, jobs: request.jobs, onMessages }, grown);
    },
  });
}

/** An incremental run also updates existing files of these kinds. */
function formatsOver(
  earlier: ReadonlySet<string>,
  { request, formats, mainThreads }: Pick<ExtractionWork, "request" | "formats"> & { readonly mainThreads: number },
): ExtractionWork["formats"] {
  const { outputDirectory, options } = request;
  const has = (file: string): boolean =>
    options.incremental && (earlier.has(file) || existsSync(join(outputDirectory, file)));
  const wiki = request.paths.length === 0 ? wikiOver(earlier, outputDirectory, mainThreads) : formats;
  return { ...formats, ...wiki, json: formats.json || has("extraction.json"), csv: formats.csv || has("emails.csv") };
}

/**
 * The pages of an earlier output, in the form that they have. @param mainThreads pages of threads without `--wiki-pages
 * all`
 */
function wikiOver(
  earlier: ReadonlySet<string>,
  directory: string,
  mainThreads: number,
): Pick<OutputFormats, "wiki" | "allPages" | "wikiLinks"> {
  const index = join(directory, "index.md");
  if (!earlier.has("index.md") || !existsSync(index)) return { wiki: false, allPages: false, wikiLinks: "wiki" };
  const threads = [...earlier].filter((path) => path.startsWith("wiki/threads/")).length;
  return {
    wiki: true,
    allPages: threads > mainThreads,
    wikiLinks: readFileSync(index, "utf8").includes("[[") ? "wiki" : "markdown",
  };
}

function faultOf(thrown: unknown): WorkFault {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const cause =
    error.cause instanceof Error ? error.cause.message : error.cause === undefined ? null : String(error.cause);
  return {
    code: error instanceof ArchiveError ? error.code : null,
    message: error.message,
    hint: error instanceof ArchiveError ? error.hint : "",
    cause,
    stack: error.stack ?? "",
  };
}

port.on("message", (message) => {
  if (message === STOP) abort.abort(new DOMException("stopped", "AbortError"));
});
try {
  send({ kind: "result", result: await perform(work) });
} catch (error) {
  send({ kind: "fault", fault: faultOf(error) });
} finally {
  port.close();
}
