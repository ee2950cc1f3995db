import * as z from "zod";
import { type Archive, TOPIC_SORTS } from "../../../mail/archive.ts";
import { MENTIONED_KEYWORDS, type Topic } from "../../../mail/records/topic.ts";
import { orNotFound, type QueryRoute, queryRoute } from "../../query-api/query-route.ts";
import { limit, noParameters, sortBy } from "../../query-api/wire-requests.ts";
import { disambiguateLabels } from "../setting/disambiguate-labels.ts";
import { facetWire, timelineWire } from "../setting/facet-wire.ts";
import { type TopicDetailWire, type TopicRowWire, topicDetailSchema, topicsSchema } from "../wire/wire-people.ts";
import { conversationsOf } from "./conversations.ts";
import { figuresWire } from "./people-routes.ts";

/** Facet values of a topic, and largest conversations, per response. */
const VALUES = 12;
const LARGEST = 12;

export const topicRoutes: readonly QueryRoute[] = [
  queryRoute({
    path: "/topics",
    summary: "Topics, sorted by size, name or coherence",
    parameters: z.object({ sort: sortBy(TOPIC_SORTS), limit: limit(100) }),
    data: topicsSchema,
    async answer({ archive, parameters: { sort, limit: most } }) {
      const { items, total } = await archive.topics.list(sort, most);
      const hits = await archive.explore.hits(items.map(({ id }) => ({ query: clauseOf(id), match: "all" })));
      return { total, topics: items.map((topic, at) => topicWire(topic, hits[at]!.messages)) };
    },
  }),
  queryRoute({
    path: "/topics/{topic_id}",
    summary: "One topic: mail by month, people and largest conversations",
    parameters: noParameters,
    data: topicDetailSchema,
    async answer({ archive, id }) {
      return detailWire(archive, orNotFound(await archive.topics.get(id), "Topic", id));
    },
  }),
];

const clauseOf = (id: string): string => `topic:${id}`;

function topicWire({ id, name, topKeywords, mentionPercent }: Topic, messages: number): TopicRowWire {
  const mentioned =
    mentionPercent === null ? null : { keywords: topKeywords.slice(0, MENTIONED_KEYWORDS), percent: mentionPercent };
  return { id, name, keywords: [...topKeywords], mentioned, messages, clause: clauseOf(id) };
}

async function detailWire(archive: Archive, topic: Topic): Promise<TopicDetailWire> {
  const clause = clauseOf(topic.id);
  const own = { query: clause, match: "all" } as const;
  const [[hits], timeline, facets, { threads }] = await Promise.all([
    archive.explore.hits([own]),
    archive.explore.timeline({ ...own, by: "month" }),
    archive.explore.facets({ ...own, of: ["from", "to", "mailbox"], limit: VALUES }),
    conversationsOf(archive, { ...own, sort: "largest", offset: 0, limit: LARGEST }),
  ]);
  return {
    ...topicWire(topic, hits!.messages),
    figures: figuresWire(clause, hits!),
    timeline: timelineWire(timeline),
    facets: (await disambiguateLabels(archive, facets)).map(facetWire),
    threads,
  };
}
