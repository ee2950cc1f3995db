import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import { graphPayload } from "../../../document/contact-graph.ts";
import { DEFAULT_NODES } from "../../../outputs/graph-page/network-cut.ts";
import { collectGraphPayload } from "../../../outputs/graph-payload.ts";
import { ArchiveTags, matchesTag } from "../../entity-tag.ts";
import { answerJson, MessagePage } from "../../query-api/message-page.ts";
import { messageFilter } from "../../query-api/messages.ts";
import { dateFilter } from "../../query-api/search.ts";
import { contactWire, searchResultWire, topicWire } from "../../query-api/wire-records.ts";
import { queryProblemHeaders } from "../../query-problems-header.ts";
import { checkedRequest, type RouteDefinition, type RouteRow, routeRow } from "../../route-row.ts";
import { GRAPH_DATA_FILE } from "../base/data-directory.ts";
import {
  exploreContactParameters,
  exploreGraphParameters,
  exploreMessageParameters,
  exploreSearchParameters,
  exploreTopicParameters,
} from "../base/wire.ts";
import type { ServiceView, ViewSource } from "../service/service-view.ts";

/** Response of a route: a JSON value, and the number of items on all pages. */
interface ExploreAnswer {
  readonly body: object;
  readonly total: number | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A row of the explore routes. */
interface ExploreRoute extends RouteRow<null, ExploreAnswer> {
  /** The response until an upload is completed. */
  readonly empty: ExploreAnswer;
}

interface RouteOf<Q extends z.ZodObject> extends RouteDefinition<null, ExploreAnswer, Q, z.ZodUndefined> {
  readonly empty?: ExploreAnswer;
}

const NOTHING: ExploreAnswer = { body: [], total: 0 };

function exploreRoute<Q extends z.ZodObject>(route: RouteOf<Q>): ExploreRoute {
  return { ...routeRow(route), empty: route.empty ?? NOTHING };
}

export const EXPLORE_ROUTES: readonly ExploreRoute[] = [
  exploreRoute({
    path: "/contacts",
    summary: "contacts, most messages first",
    parameters: exploreContactParameters,
    async answer({ archive, parameters }) {
      const { items, total } = await archive.contacts.list("frequency", parameters);
      return { body: items.map(contactWire), total };
    },
  }),
  exploreRoute({
    path: "/messages",
    summary: "messages, newest first",
    parameters: exploreMessageParameters,
    async answer({ archive, parameters }) {
      const { items, total } = await archive.messages.list("sent_at", parameters, messageFilter(parameters));
      return { body: new MessagePage(items, (messages) => messages), total };
    },
  }),
  exploreRoute({
    path: "/topics",
    summary: "topics, largest first",
    parameters: exploreTopicParameters,
    async answer({ archive, parameters: { limit } }) {
      const { items, total } = await archive.topics.list("frequency", limit);
      return { body: items.map(topicWire), total };
    },
  }),
  exploreRoute({
    path: "/search",
    summary: "matching messages, best first",
    parameters: exploreSearchParameters,
    async answer({ archive, parameters }) {
      const { q, limit, sender, topic, after, before, match } = parameters;
      const filter = {
        ...(sender ? { from: sender } : {}),
        ...(topic ? { topicId: topic } : {}),
        ...dateFilter({ name: "after", text: after }, { name: "before", text: before }),
      };
      const { hits, matched, problems } = await archive.search.search(q.trim(), limit, filter, match);
      // The response body is only the list of results.
      const headers = { "x-matched": matched, ...queryProblemHeaders(problems) };
      return { body: hits.map(searchResultWire), total: hits.length, headers };
    },
  }),
  exploreRoute({
    path: "/graph",
    summary: "the contact network of the most active contacts",
    parameters: exploreGraphParameters,
    empty: { body: graphPayload({ contacts: [], edges: [], totalContacts: 0, totalEdges: 0 }), total: null },
    async answer({ archive, parameters: { limit } }) {
      return { body: await collectGraphPayload(archive, limit), total: null };
    },
  }),
];

const JSON_TYPE = "application/json; charset=utf-8";

/** Adds the routes over the archive of one upload: plain JSON, without envelope. */
export function addExploreRoutes(app: FastifyInstance, views: ViewSource): void {
  const tags = new ArchiveTags();
  for (const route of EXPLORE_ROUTES) {
    app.get(route.path, async (request, reply) => {
      const checked = checkedRequest(route, request);
      const parameters = checked.parameters as Readonly<Record<string, unknown>>;
      const view = views.of(request);
      const uploadId = await view.explored(parameters["upload_id"] as string | undefined);
      if (uploadId === null) return sendAnswer(reply.header("cache-control", "no-store"), route.empty);
      return view.lend(uploadId, async (archive) => {
        if (isKnown(request, reply, await tags.tagOf(archive))) return reply.code(304).send();
        const cached =
          route.path === "/graph" && parameters["limit"] === DEFAULT_NODES ? await cachedGraph(view, uploadId) : null;
        if (cached !== null) return reply.type(JSON_TYPE).send(cached);
        return sendAnswer(reply, await route.answer({ archive, setting: null, ...checked }));
      });
    });
  }
}

function sendAnswer(reply: FastifyReply, { body, total, headers = {} }: ExploreAnswer): FastifyReply {
  reply.headers(headers);
  if (total !== null) reply.header("x-total-count", String(total));
  return reply.type(JSON_TYPE).send(answerJson(body));
}

function isKnown(request: FastifyRequest, reply: FastifyReply, tag: string): boolean {
  reply.header("etag", tag).header("cache-control", "private, no-cache");
  return matchesTag(tag, request.headers["if-none-match"]);
}

/**
 * The graph that the job wrote for the default limit; null if it is missing. Read synchronously: it is about a megabyte
 * in the page cache, and the background threads may all be busy with uploads.
 */
async function cachedGraph(view: ServiceView, uploadId: string): Promise<Buffer | null> {
  const { cacheDirectory } = await view.files(uploadId);
  const path = join(cacheDirectory, GRAPH_DATA_FILE);
  return existsSync(path) ? readFileSync(path) : null;
}
