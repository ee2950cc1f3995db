import { describe, expect, it } from "vitest";
import { seededRandom } from "../columns/seeded-random.ts";
import { KeywordCoherence, keywordCoherence } from "./keyword-coherence.ts";
import { type SharedPhrase, SubjectSample } from "./subject-phrases.ts";
import { ADJACENT, LetterCase, packToken, termHash } from "./token.ts";
import { KEYWORDS } from "./topic-keyword-terms.ts";
import { nameTopics, type TopicKeywords } from "./topic-names.ts";

/** Keywords; the given pairs occur together. */
function topicOf(
  words: string,
  together: readonly (readonly [number, number])[],
  phrases: Partial<TopicKeywords> = {},
): TopicKeywords {
  const keywords = words.split(" ").map((text) => ({ text, hasOwnCapitals: text === text.toUpperCase() }));
  const information = new Float64Array(KEYWORDS * KEYWORDS);
  for (const [a, b] of together) {
    information[a * KEYWORDS + b] = 0.5;
    information[b * KEYWORDS + a] = 0.5;
  }
  return {
    keywords,
    coherence: new KeywordCoherence(keywords.length, information, 1),
    subjectPhrase: null,
    textPhrase: null,
    subjectParts: [],
    mentionPercent: 50,
    ...phrases,
  };
}

describe("nameTopics", () => {
  it("adds a co-occurring word to the leading word", () => {
    expect(
      nameTopics([
        topicOf("gas kettle storage tariff", [
          [0, 2],
          [0, 3],
        ]),
      ]),
    ).toEqual(["Gas / Storage / Tariff"]);
    expect(nameTopics([topicOf("gas storage kettle price", [[0, 3]], { textPhrase: [0, 1] })])).toEqual([
      "Gas Storage / Price",
    ]);
    expect(nameTopics([topicOf("gas FERC ISO meter reading", [], { textPhrase: [3, 4] })])).toEqual([
      "Gas / Meter Reading",
    ]);
  });

  it("uses a subject phrase if one of its words is a keyword", () => {
    const words = ["outage", "report"].map((text) => ({ text, hasOwnCapitals: false }));
    const phrase = { words, share: 0.08 };
    expect(nameTopics([topicOf("server outage backup", [[1, 2]], { subjectPhrase: phrase })])).toEqual([
      "Outage Report / Backup",
    ]);
    expect(nameTopics([topicOf("server backup router disk tape outage", [[0, 1]], { subjectPhrase: phrase })])).toEqual(
      ["Server / Backup / Router"],
    );
    expect(nameTopics([topicOf("server backup router", [[0, 1]], { subjectPhrase: phrase })])).toEqual([
      "Server / Backup / Router",
    ]);
  });

  it("uses a phrase of a few subjects only with two keywords, one of them a first one", () => {
    const words = ["fun", "daily"].map((text) => ({ text, hasOwnCapitals: false }));
    const nameOf = (keywords: string): string | undefined =>
      nameTopics([topicOf(keywords, [[0, 1]], { subjectPhrase: { words, share: 0.07 } })])[0];
    expect(nameOf("friends fun kids")).toBe("Friends / Fun / Kids");
    expect(nameOf("friends kids wine fun daily")).toBe("Friends / Kids / Wine");
    expect(nameOf("friends fun kids wine daily")).toBe("Fun Daily / Friends");
  });

  it("uses the subjects of a small topic, and adds keywords to equal names", () => {
    const parts = [["kittiwake", "hull"], ["mooring"]].map((words) =>
      words.map((text) => ({ text, hasOwnCapitals: false })),
    );
    const topic = topicOf("buoy mooring seal", [], { subjectParts: parts });
    expect(nameTopics([topic, topic])).toEqual(["Kittiwake Hull / Mooring", "Kittiwake Hull / Mooring / Buoy"]);
  });

  it("skips further forms of a word in the name", () => {
    const together = [1, 2, 3].map((at) => [0, at] as const);
    expect(nameTopics([topicOf("request FERC requested data", together)])).toEqual(["Request / FERC / Data"]);
    expect(nameTopics([topicOf("interviewers interview resume", together, { textPhrase: [0, 2] })])).toEqual([
      "Interviewers Resume",
    ]);
    expect(nameTopics([topicOf("port portfolio report", together)])).toEqual(["Port / Portfolio / Report"]);
    expect(nameTopics([topicOf("investment investors fund", together)])).toEqual(["Investment / Fund"]);
    expect(nameTopics([topicOf("callback addcallback error", together)])).toEqual(["Callback / Error"]);
    expect(nameTopics([topicOf("community communication", together)])).toEqual(["Community / Communication"]);
  });

  it("gives unique names", () => {
    const topic = topicOf("gas price", [[0, 1]]);
    expect(nameTopics([topic, topic])).toEqual(["Gas / Price", "Gas / Price (2)"]);
  });
});

describe("keywordCoherence", () => {
  it("is 1 for words that always meet, -1 for those that never do, and near 0 by chance", () => {
    const rows = Array.from({ length: 400 }, (_, row) => [row % 2, 2 + (row % 2), 4 + (Math.floor(row / 2) % 2)]);
    const table = {
      rows: rows.length,
      starts: Uint32Array.from({ length: rows.length + 1 }, (_, row) => 3 * row),
      terms: Int32Array.from(rows.flat()),
      weights: new Float32Array(3 * rows.length),
    };
    const grouped = { vectors: () => [{ first: 0, table }], topicOfThread: new Int32Array(400), topics: 3, terms: 6 };
    const [always, never, chance] = keywordCoherence(grouped, [
      [0, 2],
      [0, 1],
      [0, 4],
    ]).map(({ mean }) => mean);
    expect(always).toBeCloseTo(1, 6);
    expect(never).toBe(-1);
    expect(chance).toBeCloseTo(0, 6);
  });

  it("is the share of threads with two keywords", () => {
    const rows = [[0, 1], [0, 1, 2], [0], [3], [0, 1]];
    const table = {
      rows: rows.length,
      starts: Uint32Array.from([0, 2, 5, 6, 7, 9]),
      terms: Int32Array.from(rows.flat()),
      weights: new Float32Array(9),
    };
    const topicOfThread = Int32Array.from([0, 0, 0, 0, 1]);
    const grouped = { vectors: () => [{ first: 0, table }], topicOfThread, topics: 2, terms: 4 };
    expect(keywordCoherence(grouped, [[0, 1, 2], [3]]).map(({ coverage }) => coverage)).toEqual([0.5, 0]);
    // A single keyword is the name.
    expect(keywordCoherence(grouped, [[0], [1]]).map(({ coverage }) => coverage)).toEqual([0.75, 1]);
  });
});

describe("SubjectSample", () => {
  const tokensOf = (subject: string): Uint32Array =>
    Uint32Array.from(subject.split(" ").filter(Boolean), (word, at) =>
      packToken(termHash(word), LetterCase.lower, at === 0 ? 0 : ADJACENT),
    );

  function phrasesOf(
    subjects: readonly string[],
    topicOfThread: Int32Array,
    topics: number,
  ): readonly (SharedPhrase | null)[] {
    const sample = new SubjectSample(subjects.length, seededRandom(1));
    subjects.forEach((subject, thread) => {
      const tokens = tokensOf(subject);
      sample.offer(thread, tokens, 0, tokens.length);
      // A reply with another subject: the first one counts.
      sample.offer(thread, tokensOf("kettle meadow"), 0, 2);
    });
    return sample.phrases(topicOfThread, topics, (token) => token !== tokensOf("ann")[0]);
  }

  it("finds phrases frequent in the subjects of one topic and rare in others", () => {
    const subjects = Array.from({ length: 400 }, (_, at) =>
      at % 20 === 0
        ? at % 3 === 0
          ? "weekend outage report ann"
          : "weekend outage report"
        : at % 2 === 0
          ? "monthly status"
          : "",
    );
    const topics = Int32Array.from(subjects, (_, at) => (at % 20 === 0 ? 0 : at % 40 === 1 ? -1 : 1));
    const [outages, others] = phrasesOf(subjects, topics, 2);
    expect(outages?.share).toBe(1);
    expect(outages?.tokens.map((token) => token >>> 4)).toEqual(["weekend", "outage", "report"].map(termHash));
    // A phrase that occurs everywhere has no lift.
    expect(others).toBeNull();
  });

  it("ignores words that are not adjacent, and names", () => {
    expect(
      phrasesOf(
        Array.from({ length: 60 }, (_, at) => (at < 3 ? "ann report" : "gas")),
        Int32Array.from({ length: 60 }, (_, at) => (at < 3 ? 0 : 1)),
        2,
      ),
    ).toEqual([null, null]);
  });
});
