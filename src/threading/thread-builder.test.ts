import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ThreadBuilder, type ThreadEvidence } from "./thread-builder.ts";

const DAY = 86_400_000;
const START = Date.UTC(2001, 4, 14);

function evidence(part: Partial<ThreadEvidence>): ThreadEvidence {
  return {
    messageId: null,
    references: [],
    conversationIndexRoot: null,
    gmailThreadId: null,
    subjectKey: "",
    isReply: false,
    isAutomatic: false,
    sentAt: START,
    participants: [],
    ...part,
  };
}

function threadsOf(messages: readonly Partial<ThreadEvidence>[]): number[] {
  const builder = new ThreadBuilder();
  for (const message of messages) builder.add(evidence(message));
  return [...builder.finish()];
}

describe("the three signals", () => {
  it("follows References and In-Reply-To, also through a message that is missing", () => {
    expect(
      threadsOf([
        { messageId: "a@x.example" },
        { messageId: "c@x.example", references: ["a@x.example", "b@x.example"] },
        { references: ["b@x.example"] },
        { messageId: "d@x.example" },
      ]),
    ).toEqual([0, 0, 0, 3]);
  });

  it("bears a loop and a self reference", () => {
    expect(
      threadsOf([
        { messageId: "a@x.example", references: ["b@x.example"] },
        { messageId: "b@x.example", references: ["a@x.example", "b@x.example"] },
      ]),
    ).toEqual([0, 0]);
  });

  it("joins by conversation root and Gmail thread, which do not mix", () => {
    expect(
      threadsOf([
        { conversationIndexRoot: "ff01" },
        { gmailThreadId: "ff01" },
        { conversationIndexRoot: "ff01" },
        { gmailThreadId: "ff01" },
      ]),
    ).toEqual([0, 1, 0, 1]);
  });

  it("ignores filler msg-ids", () => {
    expect(threadsOf([{ references: ["1"] }, { references: ["1"] }])).toEqual([0, 1]);
  });
});

describe("the subject signal", () => {
  const first = { messageId: "a@x.example", subjectKey: "ferc filing", participants: [1, 2] };
  const reply = { messageId: "b@x.example", subjectKey: "ferc filing", isReply: true, participants: [2, 1], sentAt: START + DAY };

  it("joins an answer between the same people", () => expect(threadsOf([first, reply])).toEqual([0, 0]));
  it("does not depend on the order of messages", () => expect(threadsOf([reply, first])).toEqual([0, 0]));
  it("needs a participant in common", () => expect(threadsOf([first, { ...reply, participants: [3, 4] }])).toEqual([0, 1]));
  it("needs 60 days or less", () => {
    expect(threadsOf([first, { ...reply, sentAt: START + 60 * DAY }])).toEqual([0, 0]);
    expect(threadsOf([first, { ...reply, sentAt: START + 60 * DAY + 1 }])).toEqual([0, 1]);
  });
  it("needs a reply mark on the later one", () => {
    expect(threadsOf([first, { ...reply, isReply: false }])).toEqual([0, 1]);
    expect(
      threadsOf([
        { ...first, isReply: true },
        { ...reply, isReply: false },
      ]),
    ).toEqual([0, 1]);
  });
  it("or one that has no Message-ID", () => {
    expect(threadsOf([first, { ...reply, isReply: false, messageId: null }])).toEqual([0, 0]);
    expect(
      threadsOf([
        { ...first, messageId: null },
        { ...reply, isReply: false },
      ]),
    ).toEqual([0, 0]);
  });
  it("never joins generic subjects, robots or undated messages", () => {
    for (const part of [{ subjectKey: "meeting" }, { isAutomatic: true }, { sentAt: null }]) {
      expect(
        threadsOf([
          { ...first, ...part },
          { ...reply, ...part },
        ]),
      ).toEqual([0, 1]);
    }
  });
});

it("gives the same sets in any order of messages", () => {
  const message = fc.record({
    messageId: fc.option(fc.constantFrom("id-000001", "id-000002", "id-000003", "id-000004"), { nil: null }),
    references: fc.array(fc.constantFrom("id-000001", "id-000002", "id-000005"), { maxLength: 3 }),
    subjectKey: fc.constantFrom("ferc filing", "pipeline", "hi"),
    isReply: fc.boolean(),
    sentAt: fc.integer({ min: 0, max: 20 }).map((n) => START + n * 10 * DAY),
    participants: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 3 }),
  });
  fc.assert(
    fc.property(fc.array(message, { maxLength: 12 }), fc.infiniteStream(fc.nat()), (messages, noise) => {
      const shuffled = messages.map((value, index) => ({
        value: { ...value, sentAt: value.sentAt + index },
        index,
        key: noise.next().value as number,
      }));
      const plain = threadsOf(shuffled.map((entry) => entry.value));
      shuffled.sort((a, b) => a.key - b.key);
      const other = threadsOf(shuffled.map((entry) => entry.value));
      for (let a = 0; a < shuffled.length; a += 1) {
        for (let b = 0; b < a; b += 1) {
          const together = plain[shuffled[a]?.index as number] === plain[shuffled[b]?.index as number];
          expect(other[a] === other[b]).toBe(together);
        }
      }
    }),
  );
});

it("bears 100,000 messages of one subject and a reference to each of them", () => {
  const builder = new ThreadBuilder();
  for (let index = 0; index < 100_000; index += 1) {
    builder.add(
      evidence({
        messageId: `m-${index}@x.example`,
        references: index === 0 ? [] : [`m-${index - 1}@x.example`],
        subjectKey: "ferc filing",
        isReply: true,
        participants: [index % 50],
        sentAt: START + index,
      }),
    );
  }
  expect(new Set(builder.finish())).toEqual(new Set([0]));
});
