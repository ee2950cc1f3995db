import { realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ArchiveError, systemErrorCode } from "../../../errors.ts";
import { formatText } from "../../format-value.ts";
import { type RefusalBody, sendRefusal } from "../../http-server.ts";
import { GRAPH_POLICY } from "../../security-headers.ts";
import { GRAPH_PAGE_FILE } from "../base/data-directory.ts";
import type { ViewSource } from "../service/service-view.ts";
import { WIKI_ZIP, WikiZips } from "../storage/wiki-zip.ts";

/** A downloadable file of an upload. */
interface Artifact {
  readonly name: string;
  readonly place: "archive" | "cache";
  readonly type: string;
  /** True if a browser shows the file instead of saving it. */
  readonly isPage: boolean;
}

const JSON_TYPE = "application/json; charset=utf-8";
const CSV_TYPE = "text/csv; charset=utf-8";
const MARKDOWN_TYPE = "text/markdown; charset=utf-8";

export const ARTIFACTS: readonly Artifact[] = [
  { name: "extraction.json", place: "archive", type: JSON_TYPE, isPage: false },
  { name: "emails.csv", place: "archive", type: CSV_TYPE, isPage: false },
  { name: "contacts.csv", place: "archive", type: CSV_TYPE, isPage: false },
  { name: "threads.csv", place: "archive", type: CSV_TYPE, isPage: false },
  { name: "contacts.json", place: "archive", type: JSON_TYPE, isPage: false },
  { name: "provenance.json", place: "archive", type: JSON_TYPE, isPage: false },
  { name: GRAPH_PAGE_FILE, place: "cache", type: "text/html; charset=utf-8", isPage: true },
  { name: WIKI_ZIP, place: "cache", type: "application/zip", isPage: false },
];

/** Prevents a wiki page from running or loading anything if a browser treats it as HTML. */
const INERT_POLICY = "default-src 'none'; sandbox";

/** A file below a directory. */
interface SentFile {
  readonly root: string;
  /** Relative, with `/`. */
  readonly path: string;
  readonly type: string;
  readonly policy: string;
  readonly disposition: string;
}

type ArtifactRequest = FastifyRequest<{ Params: { readonly upload_id: string; readonly "*"?: string } }>;

/** Adds the routes of files: with ranges (RFC 9110 section 14), entity tags and accurate types. */
export async function addArtifacts(app: FastifyInstance, views: ViewSource, bodyOf: RefusalBody): Promise<void> {
  const zips = new WikiZips();
  await app.register(async (scope) => {
    await scope.register(fastifyStatic, { serve: false });
    scope.setErrorHandler((error, request, reply) => refuseFile(error, request, reply, bodyOf));
    for (const artifact of ARTIFACTS) {
      scope.get(`/uploads/:upload_id/${artifact.name}`, { compress: false }, (request: ArtifactRequest, reply) =>
        views.of(request).lendFiles(request.params.upload_id, async ({ upload, archiveDirectory, cacheDirectory }) => {
          const file = sentArtifact(artifact, { archive: archiveDirectory, cache: cacheDirectory });
          if (artifact.name !== WIKI_ZIP) return sendFile(reply, file);
          const { completedAt, createdAt } = upload;
          const wiki = { archiveDirectory, cacheDirectory, completedAt: completedAt ?? createdAt };
          await zips.ensure(wiki);
          return sendFile(reply, file).catch(async () => {
            // The cache may have been replaced since.
            await zips.ensure(wiki);
            return sendFile(reply, file);
          });
        }),
      );
    }
    for (const url of ["/uploads/:upload_id/wiki", "/uploads/:upload_id/wiki/*"]) {
      scope.get(url, { compress: false }, (request: ArtifactRequest, reply) =>
        views.of(request).lendFiles(request.params.upload_id, async ({ archiveDirectory: root }) => {
          const path = request.params["*"] || "index.md";
          if (!isPagePath(path)) throw noSuchFile(path);
          return sendFile(reply, { root, path, type: MARKDOWN_TYPE, policy: INERT_POLICY, disposition: "inline" });
        }),
      );
    }
  });
}

/** @param roots the directories of an upload. */
function sentArtifact(
  { name, place, type, isPage }: Artifact,
  roots: Readonly<Record<Artifact["place"], string>>,
): SentFile {
  const policy = isPage ? GRAPH_POLICY : INERT_POLICY;
  const disposition = isPage ? "inline" : `attachment; filename="${name}"`;
  return { root: roots[place], path: name, type, policy, disposition };
}

/** A markdown page below the output directory, with a safe path. */
function isPagePath(path: string): boolean {
  return (
    path.endsWith(".md") &&
    !/[\\\0]/.test(path) &&
    path.split("/").every((name) => name !== "" && !name.startsWith("."))
  );
}

async function sendFile(
  reply: FastifyReply,
  { root, path, type, policy, disposition }: SentFile,
): Promise<FastifyReply> {
  if (!(await isPlainFile(root, path))) throw noSuchFile(path);
  return reply
    .headers({
      "cache-control": "private, no-cache",
      "content-security-policy": policy,
      "content-disposition": disposition,
    })
    .type(type)
    .sendFile(path, root, { cacheControl: false, contentType: false, index: false, dotfiles: "deny" });
}

/** True for a regular file at exactly its path, without symbolic links on the way. */
async function isPlainFile(root: string, path: string): Promise<boolean> {
  try {
    const real = await realpath(join(root, path));
    return real === (await realpath(root)) + sep + path.split("/").join(sep) && (await stat(real)).isFile();
  } catch (error) {
    const code = systemErrorCode(error) ?? "";
    if (["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ELOOP", "ERR_INVALID_ARG_VALUE"].includes(code)) return false;
    throw error;
  }
}

function noSuchFile(path: string): ArchiveError {
  return new ArchiveError("NOT_FOUND", `File ${formatText(path)} not found`);
}

/** Our messages for errors of the static file library. */
const FILE_REFUSALS: ReadonlyMap<unknown, string> = new Map([
  [412, "the file changed since the request"],
  [416, "the requested range is outside the file"],
]);

function refuseFile(error: unknown, request: FastifyRequest, reply: FastifyReply, bodyOf: RefusalBody): FastifyReply {
  const status = error instanceof Error && "statusCode" in error ? error.statusCode : null;
  const message = FILE_REFUSALS.get(status);
  if (message === undefined) return sendRefusal(error, request, reply, bodyOf);
  const headers = error instanceof Error && "headers" in error ? (error.headers as Record<string, string>) : {};
  reply.removeHeader("content-disposition");
  return reply
    .code(Number(status))
    .headers({ ...headers, "cache-control": "no-store" })
    .type(JSON_TYPE)
    .send(JSON.stringify(bodyOf({ status: Number(status), code: "INVALID_QUERY", message })));
}
