import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GroupCounter } from "./group-counter.ts";
import { decodeTermSegment, lookUpWords, TermSegmentEncoder } from "./term-segment.ts";
import { caseOfToken, hashOfToken, isAdjacent, LetterCase, LINE_END, termHash } from "./token.ts";
import { TopicTermScanner } from "./topic-terms.ts";

interface TopicTerms {
  readonly tokens: readonly number[];
  /** The word of each token, "" for LINE_END. */
  readonly words: readonly string[];
}

const scanner = new TopicTermScanner();

function topicTerms(subject: string, text: string, language: string | null, quotedText = ""): TopicTerms {
  scanner.scan({ subject, ownText: text, quotedText, language });
  const { spelling, wordEnds, count } = scanner;
  const ends = [...wordEnds.subarray(0, count)];
  const wordOf = (end: number, index: number): string =>
    String.fromCharCode(...spelling.subarray(ends[index - 1] ?? 0, end));
  return { tokens: [...scanner.tokens.subarray(0, count)], words: ends.map(wordOf) };
}

const words = (subject: string, text: string, language: string | null = "en"): readonly string[] =>
  topicTerms(subject, text, language).words.filter((word) => word !== "");

describe("TopicTermScanner", () => {
  it("keeps characteristic words, subject first", () => {
    expect(
      words("Re: Pipeline capacities", "Dear Ann,\nthe pipelines' tariff was filed on Monday.\nThanks, Bob"),
    ).toEqual(["pipeline", "capacity", "ann", "pipeline", "tariff", "filed", "bob"]);
  });

  it("omits addresses, links, codes and redaction markers", () => {
    expect(
      words(
        "",
        "see http://example.org/tariff ann@example.org [REDACTED:phone], Kim/HOU/ECT@ECT q3x bcdfghjk C:\\tariff x86",
      ),
    ).toEqual([]);
    expect(words("", `${"z".repeat(26)} turbine`)).toEqual(["turbine"]);
  });

  it("ignores words in paths of Notes names", () => {
    expect(words("", "Kim/HOU/ECT Kim/Corp/Example (Kim/NA/Example) turbine/boiler and/or Gas/Power")).toEqual([
      "turbine",
      "boiler",
      "gas",
      "power",
    ]);
  });

  it("ignores words in absolute and relative paths", () => {
    expect(words("", 'see "/usr/lib/kai/tariff.py", ../tariff/x or ~/kai/ - quay/boiler/turbine')).toEqual([
      "quay",
      "boiler",
      "turbine",
    ]);
  });

  it("reads the beginning of quoted text after the author's text", () => {
    const { tokens, words: found } = topicTerms("", "turbine", "en", `boiler\n${"x ".repeat(800)} generator`);
    expect(found).toEqual(["", "turbine", "", "boiler", ""]);
    expect(tokens.filter((token) => token === LINE_END).length).toBe(3);
  });

  it("treats words as adjacent across a hyphen, not across a dash or stop word", () => {
    const { tokens } = topicTerms("", "tern-firmware - turbine and boiler: valve", "en");
    expect(tokens.filter((token) => token !== LINE_END).map(isAdjacent)).toEqual([false, true, false, false, false]);
  });

  it("uses the stop words of the language", () => {
    expect(words("", "Der Vertrag about the Leitung", "de")).toEqual(["vertrag", "leitung"]);
    expect(words("", "Der Vertrag und die Leitung", "de")).toEqual(["vertrag", "leitung"]);
    expect(words("", "天然气合同", "zh").length).toBeGreaterThan(2);
  });

  it("remembers capitals, neighbors and lines", () => {
    const { tokens } = topicTerms("", "FERC tariff eBay\n the Tariff", "en");
    expect(tokens.map((token) => (token === LINE_END ? "|" : caseOfToken(token)))).toEqual([
      "|",
      LetterCase.upper,
      LetterCase.lower,
      LetterCase.mixed,
      "|",
      LetterCase.title,
      "|",
    ]);
    expect(tokens.map(isAdjacent)).toEqual([false, false, true, true, false, false, false]);
    expect(hashOfToken(tokens[2]!)).toBe(hashOfToken(tokens[5]!));
    expect(hashOfToken(tokens[2]!)).toBe(termHash("tariff"));
  });

  it("never throws, and returns a word for every token", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        fc.string({ unit: "binary" }),
        fc.constantFrom("en", "de", "zh", "xx", null),
        (subject, text, language) => {
          const terms = topicTerms(subject, text, language);
          expect(terms.words.length).toBe(terms.tokens.length);
          terms.tokens.forEach((token, index) => {
            expect(token === LINE_END).toBe(terms.words[index] === "");
          });
        },
      ),
    );
  });
});

const TEXTS = fc.array(
  fc
    .array(fc.constantFrom("gas", "pipeline", "FERC", "eBay", "Tariffs", "\n"), { maxLength: 12 })
    .map((list) => list.join(" ")),
  { maxLength: 12 },
);

describe("segments of terms", () => {
  it("are read back as written", () => {
    fc.assert(
      fc.property(TEXTS, (texts) => {
        const terms: readonly TopicTerms[] = texts.map((text) => topicTerms("", text, "en"));
        const encoder = new TermSegmentEncoder();
        for (const text of texts) {
          scanner.scan({ subject: "", ownText: text, quotedText: "", language: "en" });
          encoder.append(scanner);
        }
        const segment = decodeTermSegment(encoder.finish());
        expect(segment.messages).toBe(terms.length);
        terms.forEach((message, index) => {
          expect([...segment.tokens.subarray(segment.starts[index]!, segment.starts[index + 1]!)]).toEqual(
            message.tokens,
          );
        });
        const known = lookUpWords(
          [segment.wordTable],
          new Set(terms.flatMap((message) => message.tokens.map(hashOfToken))),
        );
        for (const message of terms) {
          message.tokens.forEach((token, index) => {
            if (token === LINE_END) return;
            const { normal, mixed } = known.get(hashOfToken(token))!;
            expect(caseOfToken(token) === LetterCase.mixed ? mixed : normal).toBe(message.words[index]);
          });
        }
      }),
    );
  });

  it("rejects other bytes", () => {
    expect(() => decodeTermSegment(new Uint8Array(3))).toThrow(RangeError);
    expect(() => decodeTermSegment(new Uint8Array(64))).toThrow(RangeError);
    const encoder = new TermSegmentEncoder();
    scanner.scan({ subject: "gas pipeline", ownText: "", quotedText: "", language: "en" });
    encoder.append(scanner);
    expect(() => decodeTermSegment(encoder.finish().subarray(0, 20))).toThrow(RangeError);
  });
});

describe("GroupCounter", () => {
  it("counts the groups that contain a key, group by group", () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.integer({ min: 1, max: 40 })), { maxLength: 40 }), (groups) => {
        const counter = new GroupCounter(4);
        const counts = new Map<number, number>();
        groups.forEach((keys, group) => {
          for (const key of keys) counter.add(key, group - 1);
          for (const key of new Set(keys)) counts.set(key, (counts.get(key) ?? 0) + 1);
        });
        expect(new Map(counter.entries())).toEqual(counts);
      }),
    );
  });
});
