import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { realData } from "../../test/real-data.ts";
import type { PiiType } from "../mail/provenance.ts";
import { findSpans } from "./redact-text.ts";

const directory = realData("labelled/presidio-tests-data");

const TYPE_OF: Readonly<Record<string, PiiType>> = {
  EMAIL_ADDRESS: "email",
  PHONE_NUMBER: "phone",
  US_SSN: "ssn",
  CREDIT_CARD: "credit_card",
  IP_ADDRESS: "ip",
};

interface Sentence {
  readonly full_text: string;
  readonly spans: readonly { readonly entity_type: string; readonly start_position: number; readonly end_position: number }[];
}

/** Found, right, labelled and covered spans of one type. */
interface Score {
  found: number;
  right: number;
  labelled: number;
  covered: number;
}

/** Positions of the labels count code points. */
function codeUnits(text: string): readonly number[] {
  const starts = [0];
  for (const character of text) starts.push(starts.at(-1)! + character.length);
  return starts;
}

function scoreSentences(sentences: readonly Sentence[]): Readonly<Record<PiiType, Score>> {
  const none = (): Score => ({ found: 0, right: 0, labelled: 0, covered: 0 });
  const scores = { email: none(), phone: none(), ssn: none(), credit_card: none(), ip: none() };
  for (const { full_text: text, spans } of sentences) {
    const units = codeUnits(text);
    const found = findSpans(text).spans;
    const labels = spans.flatMap(({ entity_type, start_position, end_position }) => {
      const type = TYPE_OF[entity_type];
      return type === undefined ? [] : [{ type, start: units[start_position]!, end: units[end_position]! }];
    });
    for (const label of labels) {
      scores[label.type].labelled++;
      const isCovered = found.some((span) => span.type === label.type && span.start <= label.start + 1 && span.end >= label.end - 1);
      if (isCovered) scores[label.type].covered++;
    }
    for (const span of found) {
      scores[span.type].found++;
      if (labels.some((label) => label.type === span.type && label.start < span.end && label.end > span.start)) scores[span.type].right++;
    }
  }
  return scores;
}

describe.skipIf(directory === null)("labelled sentences of Presidio", () => {
  it.each(["generated_small.json", "generated_large.json"])("reaches the precision and recall asked for on %s", (file) => {
    const scores = scoreSentences(JSON.parse(readFileSync(join(directory!, file), "utf8")));
    for (const [type, { found, right, labelled, covered }] of Object.entries(scores)) {
      expect(labelled, type).toBeGreaterThan(0);
      expect(right / found, `precision of ${type}`).toBeGreaterThanOrEqual(0.94);
      expect(covered / labelled, `recall of ${type}`).toBeGreaterThanOrEqual(type === "phone" ? 0.8 : 0.99);
    }
  });
});
