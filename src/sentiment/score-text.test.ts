import { describe, expect, it } from "vitest";
import { SentimentTally, sentimentLabel } from "./contact-sentiment.ts";
import { ToneScorer } from "./score-text.ts";

const scorer = new ToneScorer();
const scoreText = (text: string, language: string | null): number | null => scorer.score(text, language);

describe("ToneScorer", () => {
  it("is the mean of the sentences", () => {
    const mean = scoreText("This is great.", "en")! / 2;
    expect(scoreText("This is great. The rest\nis a table.", "en")).toBe(mean);
  });

  it("leaves greeting and closing out", () => {
    expect(
      scoreText("Dear wonderful friends,\n\nThe plan is attached.\n\nThanks and best regards,\nJoy Love", "en"),
    ).toBe(0);
    expect(scoreText("Good morning!\nThe plan is attached.\nMany thanks", null)).toBe(0);
    expect(scoreText("Good results this quarter.", "en")).toBeGreaterThan(0);
  });

  it("reads words of any length", () => {
    expect(scoreText(`This is great ${"é".repeat(300_000)}.`, "en")).toBeGreaterThan(0);
  });

  it("says nothing about other languages and about texts without words", () => {
    expect(scoreText("Das ist wunderbar, super.", "de")).toBeNull();
    expect(scoreText("", "en")).toBeNull();
    expect(scoreText("12 / 34 ... !!", "en")).toBeNull();
    expect(scoreText("Hi Ann,\n\nThanks,\nBob", "en")).toBeNull();
  });
});

describe("SentimentTally", () => {
  const labels = (tones: readonly (readonly number[])[]): readonly string[] => {
    const tally = new SentimentTally(Uint32Array.from(tones, ({ length }) => length));
    tones.forEach((own, contact) => {
      for (const tone of own) tally.add(contact, tone);
    });
    return tones.map((_, contact) => tally.labelOf(contact));
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
    // Messages that say nothing are no template: ten warm ones among five hundred make nobody warm.
    expect(labels([[...around(0.6), ...Array.from({ length: 500 }, () => 0)]])).toEqual(["neutral"]);
  });

  it("shrinks towards neutral", () => {
    expect(sentimentLabel(3 * 0.25, 3)).toBe("neutral");
    expect(sentimentLabel(100 * 0.25, 100)).toBe("positive");
    expect(sentimentLabel(0, 0)).toBe("neutral");
  });
});
