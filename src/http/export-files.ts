import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ZipFile } from "yazl";
import * as z from "zod";
import { ArchiveError } from "../errors.ts";
import { entriesBelow } from "../files/checksummed-files.ts";
import { MAX_NAMED_IDS, WORD_MATCHES } from "../mail/exploration.ts";
import { exportArchive } from "../outputs/export/export-archive.ts";
import { FORMATS } from "../outputs/export/export-formats.ts";
import { EXPORT_FORMATS, type ExportFormatName } from "../outputs/export/export-names.ts";
import { MAX_QUERY_CHARACTERS } from "../search/query/query-syntax.ts";
import { checkedValue, jsonBody, queryOf } from "./checked-request.ts";
import { formatValue } from "./format-value.ts";
import { SILENCE_TIMEOUT_MS } from "./http-server.ts";
import type { OriginalLender, OriginalLoan } from "./original-files.ts";
import { dateFilter } from "./query-api/search.ts";
import { filter, isoDate, mustBe } from "./query-api/wire-requests.ts";
import { queryProblemHeaders } from "./query-problems-header.ts";
import { Semaphore } from "./semaphore.ts";

/** Path of the export on both servers, for GET and POST. */
export const EXPORT_PATH = "/export";

/** Maximum concurrent exports: each reads sources and fills a directory. */
const EXPORTS_AT_ONCE = 1;
/** Permissions of an entry: readable and writable by whoever unpacks it. */
const ENTRY_MODE = 0o100644;

/** Parameters, in the query string of a GET or the JSON body of a POST. */
const exportParameters = z.object({
  format: z.enum(EXPORT_FORMATS, {
    error: ({ input }) => `must be one of ${EXPORT_FORMATS.join(", ")}, not ${formatValue(input)}`,
  }),
  q: z
    .string({ error: ({ input }) => `must be text, not ${formatValue(input)}` })
    .max(MAX_QUERY_CHARACTERS, { error: `must have at most ${MAX_QUERY_CHARACTERS} characters` })
    .optional()
    .describe("only messages that match this query"),
  match: z
    .enum(WORD_MATCHES, { error: mustBe(`one of ${WORD_MATCHES.join(", ")}`) })
    .optional()
    .describe("match all words of q (default) or any"),
  message_ids: filter("only these messages, as comma-separated ids").refine(
    (text) => (text ?? "").split(",").length <= MAX_NAMED_IDS,
    { error: `must have at most ${MAX_NAMED_IDS} ids` },
  ),
  thread_id: filter("only messages in this thread"),
  contact_id: filter("only messages that this contact sent or received"),
  mailbox: filter("only messages in this mailbox"),
  sender: filter("only messages from this sender, under any address"),
  after: isoDate("only messages sent on or after this date or instant"),
  before: isoDate("only messages sent on or before this date or instant"),
});
type ExportParameters = z.infer<typeof exportParameters>;

/** Settings of exports on a server. */
interface ExportSetting {
  readonly lend: OriginalLender;
  /** Path of a new private directory that the caller creates and removes. */
  newDirectory(): string;
}

/**
 * Adds the export of an archive as a zip file with a manifest, using the code of `archivetool export`. It is complete
 * on disk before the first byte is sent, so that errors become responses and not broken files.
 */
export function addExport(app: FastifyInstance, path: string, setting: ExportSetting): void {
  const turnstile = new Semaphore(EXPORTS_AT_ONCE);
  // If the server ends right after an export, no mail may be left on disk.
  const directories = new Set<string>();
  const remove = async (directory: string): Promise<void> => {
    await rm(directory, { recursive: true, force: true });
    directories.delete(directory);
  };
  app.addHook("onClose", async () => {
    await Promise.all([...directories].map(remove));
  });
  const answer =
    (parametersOf: (request: FastifyRequest) => ExportParameters) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const parameters = parametersOf(request);
      requireMessages(parameters);
      // Nothing is sent while the export is created, however long that takes.
      request.raw.socket.setTimeout(0);
      const left = new AbortController();
      reply.raw.once("close", () => left.abort(new ArchiveError("INVALID_QUERY", "the client disconnected")));
      const directory = setting.newDirectory();
      directories.add(directory);
      reply.raw.once("close", () => void remove(directory));
      const problems = await turnstile
        .pass(async () => {
          left.signal.throwIfAborted();
          await mkdir(directory, { recursive: true, mode: 0o700 });
          return setting.lend(request, (loan) => makeExport(loan, parameters, { directory, signal: left.signal }));
        })
        .catch(async (error: unknown) => {
          await remove(directory);
          throw error;
        });
      request.raw.socket.setTimeout(SILENCE_TIMEOUT_MS);
      return reply
        .headers(queryProblemHeaders(problems))
        .header("content-disposition", `attachment; filename="export-${parameters.format}.zip"`)
        .header("cache-control", "private, no-store")
        .type("application/zip")
        .send(await zipOf(directory));
    };
  app.get(
    path,
    { compress: false, exposeHeadRoute: false },
    answer((request) => queryOf(exportParameters, request)),
  );
  app.post(
    path,
    { compress: false },
    answer(({ body, headers }) => checkedValue(exportParameters, jsonBody(body, headers["content-type"]), "body")),
  );
}

/** Contacts, events and graphs are always exported completely. */
function requireMessages({ format, ...conditions }: ExportParameters): void {
  if (FORMATS[format].ofMessages || Object.values(conditions).every((value) => value === undefined || value === ""))
    return;
  throw new ArchiveError("INVALID_QUERY", `format ${format} contains no messages and accepts no filters`);
}

/** Creates the export. Returns one sentence per part of the query that could not be interpreted. */
async function makeExport(
  { archive, originals }: OriginalLoan,
  parameters: ExportParameters,
  { directory, signal }: { readonly directory: string; readonly signal: AbortSignal },
): Promise<readonly string[]> {
  const { format, q, match, message_ids, thread_id, contact_id, mailbox, sender, after, before } = parameters;
  const { problems } = await exportArchive(archive, {
    format,
    path: join(directory, nameOf(format)),
    selection: {
      query: q || null,
      match: match ?? "all",
      withheld: null,
      filter: {
        ...(sender ? { from: sender } : {}),
        ...dateFilter({ name: "after", text: after }, { name: "before", text: before }),
      },
      threadId: thread_id || null,
      messageIds: message_ids ? message_ids.split(",") : null,
      contactId: contact_id || null,
      mailbox: mailbox || null,
    },
    query: chosenBy(parameters),
    production: null,
    names: "id",
    bag: null,
    exportedAt: Date.now(),
    signal,
    readOriginal: (place) => originals.read(place),
    onSelected: async () => undefined,
    onProgress: () => undefined,
  });
  return problems;
}

/** The selection of the messages as requested, for the manifest. */
function chosenBy({ format: _, ...conditions }: ExportParameters): string {
  return Object.entries(conditions)
    .filter(([, value]) => value !== undefined && value !== "")
    .map(([name, value]) => `${name}=${value}`)
    .join(" ");
}

/** A single file if the format allows it. */
function nameOf(format: ExportFormatName): string {
  const { shape, extension } = FORMATS[format];
  return shape === "directory" ? "export" : `export${extension}`;
}

/** The files of a directory as a zip, one read and packed after the other. */
async function zipOf(directory: string): Promise<NodeJS.ReadableStream> {
  const zip = new ZipFile();
  zip.on("error", (error: Error) =>
    (zip.outputStream as NodeJS.ReadableStream & { destroy(error: Error): void }).destroy(error),
  );
  for (const name of (await entriesBelow(directory)).files.toSorted())
    zip.addFile(join(directory, name), name, { mode: ENTRY_MODE });
  zip.end();
  return zip.outputStream;
}
