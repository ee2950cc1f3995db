import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod";
import { ArchiveError } from "../../errors.ts";
import type { Archive } from "../../mail/archive.ts";
import { EXPLORED_SORTS } from "../../mail/exploration.ts";
import type { ShellArchive } from "../../web/shell/shell-data.ts";
import { queryOf } from "../checked-request.ts";
import { ArchiveTags, matchesTag } from "../entity-tag.ts";
import { queryParameters } from "../explore-api/setting/query-parameters.ts";
import { formatText } from "../format-value.ts";
import { isSecure } from "../host-check.ts";
import { startRefusal } from "../http-server.ts";
import { requireMessage } from "../original-files.ts";
import { filter, integerBetween, offset, sortBy } from "../query-api/wire-requests.ts";
import { atomFeed } from "./atom-feed.ts";
import { type Markup, markup } from "./markup.ts";
import {
  PLAIN_PATH,
  PLAIN_POLICY,
  type PlainPage,
  type PlainRoutes,
  plainAddresses,
  plainPage,
} from "./plain-layout.ts";
import type { PlainArchive } from "./plain-parts.ts";
import { messagePage, readingOf, threadPage } from "./plain-reading.ts";
import { searchPage } from "./plain-search.ts";

/** Path of the sign-in form without scripts. */
export const PLAIN_SESSION_PATH = `${PLAIN_PATH}/session`;

/** Pages for browsers without JavaScript, and the feed. */
export const PLAIN_PATHS = [
  PLAIN_PATH,
  ...["search", "feed", "thread/{thread_id}", "message/{message_id}", "id/{Message-ID}"].map(
    (path) => `${PLAIN_PATH}/{archive}/${path}`,
  ),
] as const;

/** The archives that plain pages show. */
export interface PlainArchives {
  /** The path that they are published under, such as `/mail`; empty for the root. */
  readonly basePath: string;
  /** Archives that the sender of a request may read. */
  list(request: FastifyRequest): Promise<readonly ShellArchive[]>;
  /** Lends the archive of an id. Throws NOT_FOUND. */
  lend<T>(id: string, request: FastifyRequest, use: (archive: Archive, name: string) => Promise<T>): Promise<T>;
  routesOf(id: string): PlainRoutes;
  /** Creates the session cookie of a token; null without sign-in. Throws UNAUTHORIZED. */
  readonly signIn: ((token: string, request: FastifyRequest) => Promise<string>) | null;
}

/** Maximum pieces of a text. */
const MAX_PIECE = 1_000_000;
const HTML_TYPE = "text/html; charset=utf-8";
const FEED_TYPE = "application/atom+xml; charset=utf-8";

const searchParameters = z.object({ ...queryParameters, sort: sortBy(EXPLORED_SORTS), offset });
const feedParameters = z.object(queryParameters);
const threadParameters = z.object({
  q: queryParameters.q,
  offset,
  message: filter("id of one of its messages: the page that shows it"),
});
const messageParameters = z.object({ q: queryParameters.q, part: integerBetween(0, MAX_PIECE, 0) });

/** A response: a page, or a document of another type. */
interface PlainAnswer {
  readonly type: string;
  readonly content: Markup;
}

const pageAnswer = (page: PlainPage): PlainAnswer => ({ type: HTML_TYPE, content: plainPage(page) });

interface PlainRequest extends PlainArchive {
  readonly request: FastifyRequest;
  readonly id: string;
}

/** The pages of an archive by subpath. */
const PAGES: Readonly<Record<string, (asked: PlainRequest) => Promise<PlainAnswer>>> = {
  search: async ({ request, ...shown }) => pageAnswer(await searchPage(shown, queryOf(searchParameters, request))),
  async feed({ request, ...shown }) {
    const origin = `${isSecure(request) ? "https" : "http"}://${request.headers.host ?? "localhost"}`;
    return { type: FEED_TYPE, content: await atomFeed(shown, queryOf(feedParameters, request), origin) };
  },
  async "thread/:thread_id"({ request, id, ...shown }) {
    const { q, ...place } = queryOf(threadParameters, request);
    return pageAnswer(await threadPage(await readingOf(shown, q), { id, ...place }));
  },
  "message/:message_id": async ({ request, id, ...shown }) => messageAnswer(shown, id, request),
  async "id/:message_id"({ request, id, ...shown }) {
    const [found] = await shown.archive.messages.ofMessageIds([id]);
    if (found === null || found === undefined)
      throw new ArchiveError("NOT_FOUND", `no message has the Message-ID ${formatText(id)}`);
    return messageAnswer(shown, found, request);
  },
};

async function messageAnswer(shown: PlainArchive, id: string, request: FastifyRequest): Promise<PlainAnswer> {
  const { q, part } = queryOf(messageParameters, request);
  const message = await requireMessage(shown.archive, id);
  return pageAnswer(await messagePage(await readingOf(shown, q), message, part));
}

/** Adds search results, conversations and messages as plain HTML, and searches as Atom feeds. */
export async function mountPlain(app: FastifyInstance, archives: PlainArchives): Promise<void> {
  const { basePath, signIn } = archives;
  const tags = new ArchiveTags();
  await app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => sendError(error, request, reply, archives));
    scope.get(PLAIN_PATH, async (request, reply) => {
      const list = await archives.list(request);
      const [only] = list;
      if (list.length === 1) return reply.redirect(`${basePath}${PLAIN_PATH}/${encodeURIComponent(only!.id)}/search`);
      return send(reply, pageAnswer(listPage(list, archives)));
    });
    for (const [path, answer] of Object.entries(PAGES))
      scope.get(`${PLAIN_PATH}/:archive/${path}`, async (request, reply) => {
        const [archiveId = "", id = ""] = Object.values(request.params as Readonly<Record<string, string>>);
        return archives.lend(archiveId, request, async (archive, name) => {
          const addresses = plainAddresses(basePath, archiveId, archives.routesOf(archiveId));
          const tag = await tags.tagOf(archive);
          const content = await answer({ request, id, archive, name, addresses });
          reply.header("etag", tag);
          if (matchesTag(tag, request.headers["if-none-match"])) return reply.code(304).send();
          return send(reply, content);
        });
      });
    if (signIn !== null)
      scope.post(PLAIN_SESSION_PATH, async (request, reply) => {
        const token = new URLSearchParams(String(request.body ?? "")).get("token") ?? "";
        const cookie = await signIn(token, request);
        return reply
          .header("set-cookie", cookie)
          .header("cache-control", "no-store")
          .redirect(basePath + PLAIN_PATH, 303);
      });
  });
}

/** The plain page that corresponds to a URL of the application. */
export function plainAddressOf(basePath: string, url: string): string {
  const [path = "", query = ""] = url.split("?", 2);
  const [, archive, view, id] = /^\/a\/([^/]+)(?:\/(search|thread|message|id)(?:\/([^/]+))?)?/.exec(path) ?? [];
  if (archive === undefined) return basePath + PLAIN_PATH;
  const root = `${basePath}${PLAIN_PATH}/${archive}`;
  if (view === "search") return `${root}/search${plainQuery(query)}`;
  return view === undefined || id === undefined ? `${root}/search` : `${root}/${view}/${id}`;
}

/** The parameters of a search that plain pages also support. */
function plainQuery(query: string): string {
  const parameters = [...new URLSearchParams(query)].filter(([name]) => ["q", "match", "sort"].includes(name));
  return parameters.length === 0 ? "" : `?${new URLSearchParams(parameters)}`;
}

function listPage(list: readonly ShellArchive[], { basePath }: PlainArchives): PlainPage {
  const rows = list.map(
    ({ id, name }) =>
      markup`<li><a href="${basePath}${PLAIN_PATH}/${encodeURIComponent(id)}/search"><bdi>${name}</bdi></a></li>\n`,
  );
  return {
    title: "Archives",
    body: markup`<h1>Archives</h1>\n${list.length === 0 ? markup`<p>No archives</p>` : markup`<ul>\n${rows}</ul>`}`,
  };
}

function send(reply: FastifyReply, { type, content }: PlainAnswer): FastifyReply {
  return withHeaders(reply).header("cache-control", "private, no-cache").type(type).send(content.text);
}

/** With this referrer policy, browsers send the origin of forms; without it they send `null`. */
function withHeaders(reply: FastifyReply): FastifyReply {
  return reply.headers({ "content-security-policy": PLAIN_POLICY, "referrer-policy": "same-origin" });
}

function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { basePath, signIn }: PlainArchives,
): FastifyReply {
  const { status, code, message } = startRefusal(error, request, reply);
  const form =
    code === "UNAUTHORIZED" && signIn !== null
      ? markup`<form method="post" action="${basePath}${PLAIN_SESSION_PATH}">
<input type="password" name="token" aria-label="Access token" autocomplete="current-password" required>
<button>Sign in</button>
</form>`
      : markup`<p><a href="${basePath}${PLAIN_PATH}">Archives</a></p>`;
  const page = plainPage({ title: code, body: markup`<h1>${status} ${code}</h1>\n<p>${message}</p>\n${form}` });
  return withHeaders(reply).type(HTML_TYPE).send(page.text);
}
