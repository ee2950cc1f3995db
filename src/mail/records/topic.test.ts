import { expect, it } from "vitest";
import { topicId } from "./ids.ts";
import type { TopicOrdinal } from "./ordinal.ts";
import { subjectsFirst } from "./topic.ts";

it("lists the topic of other threads last", () => {
  const topic = (ordinal: number, messageCount: number) => ({
    id: topicId(ordinal as TopicOrdinal),
    name: "",
    description: "",
    messageCount,
    topKeywords: [],
    mentionPercent: null,
    createdAt: 0,
  });
  const ids = subjectsFirst([topic(0, 90), topic(2, 9), topic(1, 5)]).map(({ id }) => id);
  expect(ids).toEqual(["topic-002", "topic-001", "topic-000"]);
});
