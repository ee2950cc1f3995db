import { describe, expect, it } from "vitest";
import { sentimentLabel, toneOfSender } from "./contact-sentiment.ts";
import { ToneScorer } from "./score-text.ts";
import { templateKey } from "./template-key.ts";

const scorer = new ToneScorer();
const scoreText = (text: string, language: string | null): number | null => scorer.score(text, language);

describe("ToneScorer", () => {
  it("is the mean of the sentences", () => {
    const mean = scoreText("This is great.", "en")! / 2;
    expect(scoreText("This is great. The rest\nis a table.", "en")).toBe(mean);
  });

  it("ignores greeting and closing", () => {
    expect(
      scoreText("Dear wonderful friends,\n\nThe plan is attached.\n\nThanks and best regards,\nJoy Love", "en"),
    ).toBe(0);
    expect(scoreText("Good morning!\nThe plan is attached.\nMany thanks", null)).toBe(0);
    expect(scoreText("Good results this quarter.", "en")).toBeGreaterThan(0);
  });

  it("reads words of any length", () => {
    expect(scoreText(`This is great ${"é".repeat(300_000)}.`, "en")).toBeGreaterThan(0);
  });

  it("returns no score for other languages and for texts without words", () => {
    expect(scoreText("Das ist wunderbar, super.", "de")).toBeNull();
    expect(scoreText("", "en")).toBeNull();
    expect(scoreText("12 / 34 ... !!", "en")).toBeNull();
    expect(scoreText("Hi Ann,\n\nThanks,\nBob", "en")).toBeNull();
  });
});

describe("the template of a text", () => {
  const report = (number: number, date: string): string =>
    `The report named: Berths ${number} of the northern quay was published as of ${date} and needs your attention. ${date}`;

  it("is identified by its first words, without numbers", () => {
    expect(templateKey(report(17, "05/06/2001"))).toBe(templateKey(report(4, "11/12/2001")));
    expect(templateKey("The barge is late.")).not.toBe(templateKey("The barge is not late."));
    expect(templateKey("THE BARGE")).toBe(templateKey("the barge!"));
    expect([templateKey(""), templateKey("12 / 34")]).toEqual([0, 0]);
  });
});

describe("toneOfSender", () => {
  const labels = (
    tones: readonly (readonly number[])[],
    templateOf: (message: number) => number = () => 0,
  ): readonly string[] => {
    return tones.map((own) =>
      toneOfSender({
        tones: Float32Array.from(own),
        templates: Int32Array.from(own, (_, message) => templateOf(message)),
      }),
    );
  };
  const around = (tone: number): readonly number[] => Array.from({ length: 10 }, (_, message) => tone + message / 1000);

  it("labels on evidence only", () => {
    expect(labels([around(0.5), around(-0.3), [1, 0.9]])).toEqual(["positive", "negative", "neutral"]);
  });

  it("counts a template once, however often it was sent", () => {
    const template = Array.from({ length: 500 }, () => -0.75);
    expect(labels([template, [...around(0.3), ...template], [...template, ...around(-0.2)]])).toEqual([
      "neutral",
      "positive",
      "negative",
    ]);
    // Messages without text are not a template: ten warm ones among five hundred do not make a contact positive.
    expect(labels([[...around(0.6), ...Array.from({ length: 500 }, () => 0)]])).toEqual(["neutral"]);
  });

  it("does not score automated senders", () => {
    const logs = Array.from({ length: 100 }, (_, message) => -0.5 - message / 1000);
    expect(labels([logs], (message) => 1 + (message % 25))).toEqual(["neutral"]);
    expect(labels([logs], (message) => 1 + (message % 26))).toEqual(["negative"]);
    expect(labels([logs], (message) => 1 + message)).toEqual(["negative"]);
    // A few messages are inconclusive.
    expect(labels([logs.slice(0, 11)], (message) => 1 + (message % 3))).toEqual(["negative"]);
    expect(labels([logs.slice(0, 12)], (message) => 1 + (message % 3))).toEqual(["neutral"]);
  });

  it("counts the mean of a template, in any order", () => {
    const warm = around(0.4);
    const reports = Array.from({ length: 30 }, (_, message) => -0.9 + message / 1000);
    const all = [...warm, ...reports];
    const templateOf = (message: number): number => (message < warm.length ? 100 + message : 7);
    expect(labels([all], templateOf)).toEqual(["positive"]);
    expect(labels([all.toReversed()], (message) => templateOf(all.length - 1 - message))).toEqual(["positive"]);
    expect(labels([all])).toEqual(["negative"]);
  });

  it("shrinks towards neutral", () => {
    expect(sentimentLabel(3 * 0.25, 3)).toBe("neutral");
    expect(sentimentLabel(100 * 0.25, 100)).toBe("positive");
    expect(sentimentLabel(0, 0)).toBe("neutral");
  });
});
