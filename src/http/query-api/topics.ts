import { orNotFound, queryRoute } from "./query-route.ts";
import { topicDetailSchema, topicListSchema } from "./wire.ts";
import { topicDetailWire, topicWire } from "./wire-records.ts";
import { noParameters, topicParameters } from "./wire-requests.ts";

export const topicList = queryRoute({
  path: "/topics",
  summary: "Topics: largest first, or by name",
  parameters: topicParameters,
  data: topicListSchema,
  async answer({ archive, parameters }) {
    const { items, total } = await archive.topics.list(parameters.sort, parameters.limit);
    return { topics: items.map(topicWire), total };
  },
});

export const topicDetail = queryRoute({
  path: "/topics/{topic_id}",
  summary: "One topic with its contacts and messages, newest first",
  parameters: noParameters,
  data: topicDetailSchema,
  async answer({ archive, id }) {
    return topicDetailWire(orNotFound(await archive.topics.get(id), "Topic", id));
  },
});
