import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ArchiveError } from "../../errors.ts";
import { TOOL_VERSION } from "../../version.ts";
import { addressOf, LOCAL_ARCHIVE, viewOfPath } from "../../web/shell/addresses.ts";
import type { ShellArchive, ShellData } from "../../web/shell/shell-data.ts";
import { formatText } from "../format-value.ts";
import { pathOf } from "../http-server.ts";
import { plainAddressOf } from "../plain-pages/mount-plain.ts";
import { FILES_PATH, renderShell, WEB_POLICY } from "./shell.ts";
import { readManifest, readWebFile, type WebManifest } from "./web-files.ts";

/** Access to archives for the web application. */
interface WebArchives {
  readonly server: ShellData["server"];
  /** The path that the application is published under, such as `/mail`; empty for the root. */
  readonly basePath: string;
  /** True if everything requires a token. */
  needsToken(): Promise<boolean>;
  /** True if every archive has a notebook. */
  readonly hasNotebook: boolean;
  /** Upload settings; null if uploads are not allowed. */
  readonly intake: ShellData["intake"];
  /** Data of an archive to embed in the page, or null. Throws if the archive does not exist. */
  archiveOf(id: string, request: FastifyRequest): Promise<ShellArchive | null>;
  /** API paths that the overview of an archive requests first. */
  firstAnswers(id: string): readonly string[];
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
};

/** Paths of the application; other paths are errors. */
export const WEB_PATHS: readonly string[] = ["/", "/a/{archive}", "/a/{archive}/*", `${FILES_PATH}/{name}`];

/** Seconds that browsers keep files whose names change with their content: a year. */
const KEPT_SECONDS = 31_536_000;

const ARCHIVE_PATHS = ["/a/:archive", "/a/:archive/*"];
/** Paths that show the application. A server of one archive redirects to it, because there is no choice. */
const PAGE_PATHS: Readonly<Record<ShellData["server"], readonly string[]>> = {
  local: ARCHIVE_PATHS,
  service: ["/", ...ARCHIVE_PATHS],
  opening: [addressOf("opening", {})],
};

/** Adds the application for people: its files, and its page under every address of a view. */
export function mountWeb(app: FastifyInstance, archives: WebArchives): void {
  let manifest: WebManifest | null = null;
  const known = (): WebManifest => (manifest ??= readManifest());
  const files = new Map<string, Buffer>();
  const show = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const found = viewOfPath(pathOf(request));
    const id = archives.server === "opening" ? LOCAL_ARCHIVE : found?.names.archive;
    const archive = id === undefined ? null : await archives.archiveOf(id, request);
    // Reveals nothing about an archive that the caller may not see.
    const hasFirstAnswers = archive !== null && found?.view === "overview";
    const { basePath } = archives;
    const plainAddress = archives.server === "opening" ? null : plainAddressOf(basePath, request.url);
    const data: ShellData = {
      server: archives.server,
      needsToken: await archives.needsToken(),
      hasNotebook: archives.hasNotebook,
      intake: archives.intake,
      version: TOOL_VERSION,
      archive,
      answers: hasFirstAnswers ? await answersOf(app, archives, { id: archive.id, request }) : {},
    };
    return reply
      .code(found === null ? 404 : 200)
      .header("content-security-policy", WEB_POLICY)
      .header("cache-control", "private, no-cache")
      .type("text/html; charset=utf-8")
      .send(renderShell(data, found?.view ?? null, { manifest: known(), basePath, plainAddress }));
  };
  for (const path of PAGE_PATHS[archives.server]) app.get(path, show);
  app.get<{ Params: { readonly name: string } }>(`${FILES_PATH}/:name`, (request, reply) => {
    const { name } = request.params;
    if (!known().files.includes(name)) throw new ArchiveError("NOT_FOUND", `page file ${formatText(name)} not found`);
    const content = files.get(name) ?? readWebFile(name);
    files.set(name, content);
    return reply
      .header("cache-control", `public, max-age=${KEPT_SECONDS}, immutable`)
      .type(CONTENT_TYPES[name.split(".").at(-1)!] ?? "application/octet-stream")
      .send(content);
  });
}

/** The server's own responses to some paths, so that the first picture needs no further request. */
async function answersOf(
  app: FastifyInstance,
  { firstAnswers, basePath }: WebArchives,
  { id, request }: { readonly id: string; readonly request: FastifyRequest },
): Promise<Readonly<Record<string, unknown>>> {
  const { host = "", cookie = "" } = request.headers;
  const answers = await Promise.all(
    firstAnswers(id).map(async (url) => {
      const { statusCode, payload } = await app.inject({ url, headers: { host, cookie } });
      return statusCode === 200
        ? [[basePath + url, (JSON.parse(payload) as { readonly data: unknown }).data] as const]
        : [];
    }),
  );
  return Object.fromEntries(answers.flat());
}
