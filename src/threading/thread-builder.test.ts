import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fewPages } from "../../test/pages-in-memory.ts";
import { Uint8Column, Uint32Column } from "../columns/column.ts";
import { FIRST_MESSAGE } from "../mail/records/ordinal.ts";
import { ThreadBuilder, type ThreadEvidence, type ThreadIds } from "./thread-builder.ts";

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
  const builder = new ThreadBuilder(fewPages());
  for (const message of messages) builder.add(evidence(message));
  builder.joinReferences();
  return [...builder.finish({ contactOf: EACH_ALONE, quotations: null }).values()];
}

/** Each address number is its own contact. */
const EACH_ALONE = (address: number): number => address;

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

  it("accept a loop and a self reference", () => {
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
    const answers = [{ messageId: "yes please" }, { references: ["yes please"] }, { references: ["yes please"] }];
    expect(threadsOf(answers), "what people typed at a prompt").toEqual([0, 1, 2]);
  });
});

describe("the subject signal", () => {
  const first = { messageId: "a@x.example", subjectKey: "ferc filing", participants: [1, 2] };
  const reply = {
    messageId: "b@x.example",
    subjectKey: "ferc filing",
    isReply: true,
    participants: [2, 1],
    sentAt: START + DAY,
  };

  it("joins an answer between the same people", () => expect(threadsOf([first, reply])).toEqual([0, 0]));
  it("does not depend on the order of messages", () => expect(threadsOf([reply, first])).toEqual([0, 0]));
  it("needs a participant in common", () =>
    expect(threadsOf([first, { ...reply, participants: [3, 4] }])).toEqual([0, 1]));
  it("matches a participant by another address", () => {
    const builder = new ThreadBuilder(fewPages());
    for (const message of [first, { ...reply, participants: [3, 4] }]) builder.add(evidence(message));
    builder.joinReferences();
    expect([
      ...builder.finish({ contactOf: (address) => [0, 1, 2, 3, 2][address]!, quotations: null }).values(),
    ]).toEqual([0, 0]);
  });
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
  it("joins by any three letters or digits, and by fewer never", () => {
    for (const [subjectKey, threads] of [
      ["ns50", [0, 0]],
      ["q4!", [0, 1]],
      ["(ok)", [0, 1]],
      ["a-1-b", [0, 0]],
      ["预算", [0, 0]],
      ["", [0, 1]],
    ] as const) {
      const [one, other] = [
        { ...first, subjectKey },
        { ...reply, subjectKey },
      ];
      expect(threadsOf([one, other]), subjectKey).toEqual(threads);
    }
  });
  it("requires the same two people for common subjects", () => {
    const hello = (participants: readonly number[], isReply: boolean) => ({
      ...(isReply ? reply : first),
      subjectKey: "hello",
      participants,
    });
    // Contact 0 owns the archive and is in every message.
    expect(threadsOf([hello([1, 0], false), hello([0, 1], true)])).toEqual([0, 0]);
    expect(threadsOf([hello([1, 0], false), hello([0, 2], true)])).toEqual([0, 1]);
    expect(threadsOf([hello([1, 0, 2], false), hello([0, 2, 1], true)])).toEqual([0, 0]);
    expect(threadsOf([hello([0, 0], false), hello([0, 0], true)])).toEqual([0, 1]);
  });
  it("never joins empty subjects, automated senders or undated messages", () => {
    for (const part of [{ subjectKey: "ok" }, { isAutomatic: true }, { sentAt: null }]) {
      expect(
        threadsOf([
          { ...first, ...part },
          { ...reply, ...part },
        ]),
      ).toEqual([0, 1]);
    }
  });
});

describe("the header of a quoted mail", () => {
  /** Joins messages by pairs of a message and one that it quotes. */
  function joined(
    messages: readonly Partial<ThreadEvidence>[],
    pairs: readonly (readonly [by: number, quoted: number, isFirst: boolean])[],
  ): number[] {
    const builder = new ThreadBuilder(fewPages());
    for (const message of messages) builder.add(evidence(message));
    builder.joinReferences();
    const quotations = {
      unknown: FIRST_MESSAGE,
      message: new Uint32Column(),
      quoted: new Uint32Column(),
      isFirst: new Uint8Column(),
    };
    for (const [by, quoted, isFirst] of pairs) {
      quotations.message.push(by);
      quotations.quoted.push(quoted);
      quotations.isFirst.push(isFirst ? 1 : 0);
    }
    return [...builder.finish({ contactOf: EACH_ALONE, quotations }).values()];
  }

  it("joins a message to the first mail it quotes", () => {
    expect(joined([{}, {}, {}], [[2, 1, true]])).toEqual([0, 1, 1]);
  });
  it("joins no conversations that a digest quotes", () => {
    expect(
      joined(
        [{}, {}, {}],
        [
          [2, 0, true],
          [2, 1, false],
        ],
      ),
    ).toEqual([0, 1, 0]);
  });
  it("never overrides a reference in the archive, and ignores automated senders", () => {
    const answer = { references: ["a@x.example"] };
    expect(joined([{ messageId: "a@x.example" }, {}, answer], [[2, 1, true]])).toEqual([0, 1, 0]);
    expect(joined([{ messageId: "b@x.example" }, {}, answer], [[2, 1, true]])).toEqual([0, 1, 1]);
    expect(joined([{}, {}, { isAutomatic: true }], [[2, 1, true]])).toEqual([0, 1, 2]);
  });
  it("uses a duplicate to identify an answered message", () => {
    const builder = new ThreadBuilder(fewPages());
    for (const message of [{ messageId: "a@x.example" }, {}, {}]) builder.add(evidence(message));
    builder.addCopy(2, {
      messageId: null,
      references: ["a@x.example"],
      conversationIndexRoot: null,
      gmailThreadId: null,
    });
    builder.joinReferences();
    const quotations = {
      unknown: FIRST_MESSAGE,
      message: new Uint32Column(),
      quoted: new Uint32Column(),
      isFirst: new Uint8Column(),
    };
    for (const [column, value] of [
      [quotations.message, 2],
      [quotations.quoted, 1],
      [quotations.isFirst, 1],
    ] as const)
      column.push(value);
    expect([...builder.finish({ contactOf: EACH_ALONE, quotations }).values()]).toEqual([0, 1, 0]);
  });
});

it("returns the same sets in any order of messages", () => {
  const message = fc.record({
    messageId: fc.option(fc.constantFrom("1@x.example", "2@x.example", "3@x.example", "4@x.example"), { nil: null }),
    references: fc.array(fc.constantFrom("1@x.example", "2@x.example", "5@x.example"), { maxLength: 3 }),
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
      for (let a = 0; a < shuffled.length; a++) {
        for (let b = 0; b < a; b++) {
          const together = plain[shuffled[a]!.index] === plain[shuffled[b]!.index];
          expect(other[a] === other[b]).toBe(together);
        }
      }
    }),
  );
});

describe("threads by message ids", () => {
  const ids = fc.constantFrom("1@x.example", "2@x.example", "3@x.example", "4@x.example", "5@x.example");
  const carried = fc.record({
    messageId: fc.option(ids, { nil: null }),
    references: fc.array(ids, { maxLength: 3 }),
    conversationIndexRoot: fc.option(fc.constantFrom("ff", "fe"), { nil: null, freq: 5 }),
    gmailThreadId: fc.option(fc.constantFrom("ff", "fe"), { nil: null, freq: 5 }),
  });

  /** The sets according to a map from ids to messages, message by message. */
  function joinedByMap(messages: readonly (readonly ThreadIds[])[]): number[] {
    const threadOf = messages.map((_, message) => message);
    const firstOf = new Map<string, number>();
    for (const [message, carriers] of messages.entries())
      for (const { messageId, references, conversationIndexRoot, gmailThreadId } of carriers)
        for (const key of [messageId, ...references, `c ${conversationIndexRoot}`, `g ${gmailThreadId}`]) {
          if (key === null || key.endsWith(" null")) continue;
          const [one, other] = [threadOf[firstOf.get(key) ?? message]!, threadOf[message]!];
          for (const [at, thread] of threadOf.entries())
            if (thread === one || thread === other) threadOf[at] = Math.min(one, other);
          if (!firstOf.has(key)) firstOf.set(key, message);
        }
    return threadOf;
  }

  it("agree with a simple map, including duplicates", () => {
    const message = fc.array(carried, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 14 }), (messages) => {
        const builder = new ThreadBuilder(fewPages());
        for (const [first] of messages) builder.add(evidence({ ...first!, sentAt: null }));
        for (const [number, [, ...copies]] of messages.entries())
          for (const copy of copies) builder.addCopy(number, copy);
        builder.joinReferences();
        expect([...builder.finish({ contactOf: EACH_ALONE, quotations: null }).values()]).toEqual(
          joinedByMap(messages),
        );
      }),
    );
  });
});

it("accepts 100,000 messages with one subject and references to each", () => {
  const builder = new ThreadBuilder(fewPages());
  for (let index = 0; index < 100_000; index++) {
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
  builder.joinReferences();
  expect(new Set(builder.finish({ contactOf: EACH_ALONE, quotations: null }).values())).toEqual(new Set([0]));
});
