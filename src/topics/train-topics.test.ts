import { beforeAll, describe, expect, it } from "vitest";
import { partitionsInMemory } from "../../test/partitions-in-memory.ts";
import { type Random, seededRandom } from "../columns/seeded-random.ts";
import { OTHER_TOPIC } from "../mail/records/ids.ts";
import type { TrainingPartitions } from "./partitions.ts";
import type { PooledSegment, PooledTerms } from "./pooled-terms.ts";
import { decodeTermSegment, TermSegmentEncoder } from "./term-segment.ts";
import { describeTopic } from "./topic-description.ts";
import { assignThreads, decodeTopicModel, encodeTopicModel } from "./topic-model.ts";
import { TopicTermScanner } from "./topic-terms.ts";
import { clusterCount, type LearntTopics, trainTopics } from "./train-topics.ts";

/**
 * Invented subjects of a trading house; a message contains one or two words of its subject among everyday words.
 */
const SUBJECTS: readonly string[] = [
  "pipeline tariff compressor shipper interconnect nomination lateral throughput",
  "turbine boiler generator blade maintenance outage megawatt substation",
  "budget forecast accrual ledger audit depreciation variance invoice",
  "recruiting campus candidate internship interview salary onboarding relocation",
  "server password firewall backup router database latency login",
  "lawsuit deposition counsel settlement plaintiff injunction testimony subpoena",
];
const EVERYDAY =
  "meadow kettle window pencil garden ladder bottle carpet mirror candle basket blanket hammer lantern feather pebble ribbon saddle thimble whistle".split(
    " ",
  );

interface LabeledMessage {
  readonly thread: number;
  readonly label: number;
  readonly text: string;
}

function pick<T>(list: readonly T[], random: Random): T {
  return list[Math.floor(random() * list.length)]!;
}

/** Threads of one to six short messages, with a label each. */
function labeledMail(threads: number, seed: number): readonly LabeledMessage[] {
  const random = seededRandom(seed);
  return Array.from({ length: threads }, (_, thread) => {
    const label = thread % SUBJECTS.length;
    return Array.from({ length: 1 + Math.floor(random() * 6) }, () => {
      const telling = Array.from({ length: 1 + Math.floor(random() * 2) }, () =>
        pick(SUBJECTS[label]!.split(" "), random),
      );
      const others = Array.from({ length: 4 }, () => pick(EVERYDAY, random));
      return {
        thread,
        label,
        text: `Confidential notice from the sender's company desk\n${[...telling, ...others].join(" ")}`,
      };
    });
  }).flat();
}

/** Combined messages of the given threads, in segments of `cut` messages. */
function poolOf(messages: readonly LabeledMessage[], threadOf: readonly number[], cut: number): PooledTerms {
  const scanner = new TopicTermScanner();
  const segments: PooledSegment[] = [];
  for (let start = 0; start < messages.length; start += cut) {
    const encoder = new TermSegmentEncoder();
    for (const { text } of messages.slice(start, start + cut)) {
      scanner.scan({ subject: "", ownText: text, quotedText: "", language: "en" });
      encoder.append(scanner);
    }
    segments.push({
      segment: decodeTermSegment(encoder.finish()),
      threadOf: Int32Array.from(threadOf.slice(start, start + cut)),
    });
  }
  return { threads: threadOf.reduce((most, thread) => Math.max(most, thread + 1), 0), segments: () => segments };
}

/** Normalized mutual information of two labelings, 0…1. */
function mutualInformation(a: readonly number[], b: readonly number[]): number {
  const count = (keys: readonly string[]): ReadonlyMap<string, number> => {
    const counts = new Map<string, number>();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts;
  };
  const entropy = (counts: ReadonlyMap<string, number>): number => {
    let sum = 0;
    for (const n of counts.values()) sum -= (n / a.length) * Math.log(n / a.length);
    return sum;
  };
  const [ha, hb] = [entropy(count(a.map(String))), entropy(count(b.map(String)))];
  const joint = entropy(count(a.map((value, index) => `${value} ${b[index]}`)));
  return (2 * (ha + hb - joint)) / (ha + hb);
}

const mail = labeledMail(900, 7);
const labels = mail.map(({ label }) => label);
const threads = mail.map(({ thread }) => thread);
const partitions = (): TrainingPartitions => ({ words: partitionsInMemory(), vectors: partitionsInMemory() });
const learn = (pool: PooledTerms): LearntTopics =>
  trainTopics({ pool, partitions: partitions(), names: new Set(["ann"]), firstOrdinal: 1 });

describe("trainTopics", () => {
  let learnt: LearntTopics;
  beforeAll(() => {
    learnt = learn(poolOf(mail, threads, 100));
  });

  it("finds labeled subjects, far better by thread than by message", () => {
    const pooled = mutualInformation(
      labels,
      threads.map((thread) => learnt.topicOfThread[thread]!),
    );
    const single = learn(
      poolOf(
        mail,
        mail.map((_, index) => index),
        100,
      ),
    );
    const perMessage = mutualInformation(
      labels,
      mail.map((_, index) => single.topicOfThread[index]!),
    );
    expect(pooled).toBeGreaterThan(0.6);
    expect(pooled).toBeGreaterThan(perMessage + 0.1);
  });

  it("is bit-identical for any division into segments", () => {
    const other = learn(poolOf(mail, threads, 37));
    expect(other.topics).toEqual(learnt.topics);
    expect([...other.topicOfThread]).toEqual([...learnt.topicOfThread]);
    expect(encodeTopicModel(other.model)).toEqual(encodeTopicModel(learnt.model));
  });

  it("numbers topics by messages, and gives unique names from their subjects", () => {
    expect(learnt.topics.map(({ ordinal }) => ordinal)).toEqual(learnt.topics.map((_, index) => index + 1));
    const sizes = learnt.topics.map(({ messages }) => messages);
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    expect(new Set(learnt.topics.map(({ name }) => name)).size).toBe(learnt.topics.length);
    for (const { name, keywords } of learnt.topics) {
      expect(SUBJECTS.some((subject) => subject.includes(keywords[0]!.replace(/s$/, "")))).toBe(true);
      expect(name).toMatch(/^[A-Z]/);
      expect(keywords.length).toBeLessThanOrEqual(10);
      // The first line is in every message: boilerplate.
      expect(keywords).not.toContain("notice");
    }
  });

  it("adds up", () => {
    const messages = learnt.topics.reduce((sum, topic) => sum + topic.messages, 0);
    const others = mail.filter(({ thread }) => learnt.topicOfThread[thread] === OTHER_TOPIC).length;
    expect(messages + others).toBe(mail.length);
  });

  it("moves no old thread when a fifth of new mail is assigned by the frozen model", () => {
    const more = labeledMail(1080, 7);
    const assigned = assignThreads(
      learnt.model,
      poolOf(
        more,
        more.map(({ thread }) => thread),
        64,
      ),
      partitionsInMemory(),
    );
    expect([...assigned.subarray(0, 900)]).toEqual([...learnt.topicOfThread]);
    const fresh = more.filter(({ thread }) => thread >= 900);
    expect(
      mutualInformation(
        fresh.map(({ label }) => label),
        fresh.map(({ thread }) => assigned[thread]!),
      ),
    ).toBeGreaterThan(0.5);
  });

  it("excludes words written as names, and keeps them in lower case", () => {
    const texts = Array.from({ length: 55 }, (_, thread) => {
      const extra = ["Rosegarden", "stone"][thread % 5] ?? "";
      return { thread, label: 0, text: `${extra} ${SUBJECTS[thread % 5]}` };
    });
    const pool = (): PooledTerms =>
      poolOf(
        texts,
        texts.map(({ thread }) => thread),
        55,
      );
    const keywordsOf = (names: readonly string[]): readonly string[] =>
      trainTopics({ pool: pool(), partitions: partitions(), names: new Set(names), firstOrdinal: 1 }).topics.flatMap(
        ({ keywords }) => keywords,
      );
    expect(keywordsOf([])).toContain("rosegarden");
    expect(keywordsOf(["rosegarden", "stone"])).not.toContain("rosegarden");
    expect(keywordsOf(["rosegarden", "stone"])).toContain("stone");
  });

  it("excludes words next to the other half of a full name, and capitalizes acronyms, not headings in capitals", () => {
    const texts = Array.from({ length: 55 }, (_, thread) => {
      const extra = ["bino oetomo", "stone wall", thread % 2 === 0 ? "GPU" : "gpu", "", "an entry"][thread % 5];
      const heading = thread % 5 === 4 ? "CALENDAR ENTRY: " : "";
      return { thread, label: 0, text: `${heading}${extra} ${SUBJECTS[thread % 5]}` };
    });
    const pool = poolOf(
      texts,
      texts.map(({ thread }) => thread),
      55,
    );
    const names = ["Bino Oetomo", "Wall Richard"];
    const { topics } = trainTopics({ pool, partitions: partitions(), names, firstOrdinal: 1 });
    const keywords = topics.flatMap(({ keywords }) => keywords);
    for (const name of ["bino", "oetomo"]) expect(keywords).not.toContain(name);
    for (const word of ["wall", "GPU", "entry"]) expect(keywords).toContain(word);
  });

  it("counts the threads of a topic that mention one of its first two keywords", () => {
    const { topics, topicOfThread } = learnt;
    for (const { ordinal, keywords, mentionPercent } of topics) {
      const own = topicOfThread.reduce((count, topic) => count + (topic === ordinal ? 1 : 0), 0);
      const mentioning = new Set(
        mail
          .filter(
            ({ thread, text }) =>
              topicOfThread[thread] === ordinal && keywords.slice(0, 2).some((word) => text.includes(word)),
          )
          .map(({ thread }) => thread),
      );
      expect(mentionPercent).toBe(Math.round((100 * mentioning.size) / own));
    }
  });

  it("accepts an empty archive and a tiny one", () => {
    expect(learn(poolOf([], [], 1))).toMatchObject({ topics: [] });
    const empty = learn(poolOf([{ thread: 0, label: 0, text: "" }], [0], 1));
    expect(empty.topics).toEqual([]);
    expect([...empty.topicOfThread]).toEqual([OTHER_TOPIC]);
    expect([
      ...assignThreads(
        decodeTopicModel(encodeTopicModel(empty.model)),
        poolOf(mail.slice(0, 3), [0, 0, 0], 3),
        partitionsInMemory(),
      ),
    ]).toEqual([OTHER_TOPIC]);
    const counts = [9, 10, 83, 300, 400, 5_600, 18_000, 1_000_000].map(clusterCount);
    expect(counts).toEqual([1, 5, 14, 26, 30, 30, 54, 60]);
  });

  it("gives a retrained archive new ordinals", () => {
    const again = trainTopics({
      pool: poolOf(mail, threads, 100),
      partitions: partitions(),
      names: new Set<string>(),
      firstOrdinal: 41,
    });
    expect(again.topics[0]!.ordinal).toBe(41);
    expect(Math.min(...again.topicOfThread.filter((topic) => topic !== OTHER_TOPIC))).toBeGreaterThanOrEqual(41);
  });
});

describe("topic model", () => {
  it("is read back from its bytes; others are rejected", () => {
    const { model } = learn(poolOf(mail, threads, 100));
    const bytes = encodeTopicModel(model);
    expect(decodeTopicModel(bytes)).toEqual(model);
    expect(() => decodeTopicModel(bytes.subarray(0, bytes.length - 4))).toThrow(RangeError);
    expect(() => decodeTopicModel(new Uint8Array(8))).toThrow(RangeError);
  });
});

describe("describeTopic", () => {
  it("describes number, period, people and keywords", () => {
    const figures = {
      messages: 1234,
      earliest: Date.UTC(2001, 0, 2),
      latest: Date.UTC(2001, 2, 4),
      people: ["A", "B", "C", "D"],
      keywords: ["x", "y"],
    };
    expect(describeTopic(figures)).toBe(
      "1,234 messages, 2001-01-02 to 2001-03-04, mainly between A, B and C; about x, y.",
    );
    expect(describeTopic({ messages: 1, earliest: null, latest: null, people: ["A"], keywords: [] })).toBe(
      "1 message, undated, mainly with A; short texts and texts that fit no other topic.",
    );
  });
});
