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
    expect(scoreText("Dear wonderful friends,\n\nThe plan is attached.\n\nThanks and best regards,\nJoy Love", "en")).toBe(0);
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
  it("labels on evidence only", () => {
    const tally = new SentimentTally(3);
    for (let message = 0; message < 10; message++) {
      tally.add(0, 0.5);
      tally.add(1, -0.3);
    }
    tally.add(2, 1);
    tally.add(2, 1);
    tally.add(2, null);
    expect([0, 1, 2].map((contact) => tally.labelOf(contact))).toEqual(["positive", "negative", "neutral"]);
  });

  it("shrinks towards neutral", () => {
    expect(sentimentLabel(3 * 0.25, 3)).toBe("neutral");
    expect(sentimentLabel(100 * 0.25, 100)).toBe("positive");
    expect(sentimentLabel(0, 0)).toBe("neutral");
  });
});
