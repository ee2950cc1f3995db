import fc from "fast-check";
import { expect, it } from "vitest";
import { communityId, messageId, ordinalOf, topicId } from "./ids.ts";
import type { MessageOrdinal, TopicOrdinal } from "./ordinal.ts";

it("reads the ordinal of every id it writes", () => {
  fc.assert(
    fc.property(fc.nat({ max: 999_999_999_999_999 }), (ordinal) => {
      expect(ordinalOf("msg", messageId(ordinal as MessageOrdinal))).toBe(ordinal);
      expect(ordinalOf("topic", topicId(ordinal as TopicOrdinal))).toBe(ordinal);
      expect(ordinalOf("community", communityId(ordinal))).toBe(ordinal);
    }),
  );
  expect(messageId(123 as MessageOrdinal)).toBe("msg-000123");
  expect(messageId(1_234_567 as MessageOrdinal)).toBe("msg-1234567");
});

it("rejects other forms", () => {
  for (const id of [
    "",
    "msg",
    "msg-",
    "msg-123",
    "msg-0000123",
    "msg_000123",
    "msg-00012a",
    "msg-+00123",
    "msg-١٢٣٤٥٦",
    "topic-000123",
  ]) {
    expect(ordinalOf("msg", id), id).toBe(null);
  }
  expect(ordinalOf("msg", `msg-${"1".repeat(16)}`)).toBe(null);
});
