import { expect, it } from "vitest";
import { LATEST_INSTANT } from "../../mail/dates/instant.ts";
import { topicId } from "../../mail/records/ids.ts";
import type { TopicOrdinal } from "../../mail/records/ordinal.ts";
import { topicWire } from "./wire-records.ts";

it("writes valid ISO 8601 dates for topics with any clock", () => {
  const topic = {
    id: topicId(1 as TopicOrdinal),
    name: "",
    description: "",
    messageCount: 0,
    topKeywords: [],
    mentionPercent: null,
    createdAt: LATEST_INSTANT + 1,
  };
  expect(topicWire(topic).created_at).toBe("9999-12-31T23:59:59Z");
});
