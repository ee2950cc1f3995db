import { PII_TYPES, type PiiType } from "../src/mail/records/provenance.ts";
import { findSpans } from "../src/redaction/redact-text.ts";

const TYPE_OF: Readonly<Record<string, PiiType>> = {
  EMAIL_ADDRESS: "email",
  PHONE_NUMBER: "phone",
  US_SSN: "ssn",
  CREDIT_CARD: "credit_card",
  IP_ADDRESS: "ip",
  IBAN_CODE: "iban",
};

const TYPES: ReadonlySet<PiiType> = new Set(PII_TYPES);

/** A sentence of the labeled sets of Presidio. */
export interface LabelledSentence {
  readonly full_text: string;
  readonly spans: readonly {
    readonly entity_type: string;
    readonly start_position: number;
    readonly end_position: number;
  }[];
}

/** Found, correct, labeled and covered spans of one type. */
export interface SpanScore {
  found: number;
  right: number;
  labeled: number;
  covered: number;
}

/** Positions of the labels count code points. */
function codeUnits(text: string): readonly number[] {
  const starts = [0];
  for (const character of text) starts.push(starts.at(-1)! + character.length);
  return starts;
}

/** Counts the labeled values that the scan finds, and the share of found values that are labeled. */
export function scoreSentences(sentences: readonly LabelledSentence[]): Readonly<Record<PiiType, SpanScore>> {
  const none = (): SpanScore => ({ found: 0, right: 0, labeled: 0, covered: 0 });
  const scores = { email: none(), phone: none(), ssn: none(), credit_card: none(), ip: none(), iban: none() };
  for (const { full_text: text, spans } of sentences) {
    const units = codeUnits(text);
    const found = findSpans(text, TYPES).spans;
    const labels = spans.flatMap(({ entity_type, start_position, end_position }) => {
      const type = TYPE_OF[entity_type];
      return type === undefined ? [] : [{ type, start: units[start_position]!, end: units[end_position]! }];
    });
    for (const label of labels) {
      scores[label.type].labeled++;
      const isCovered = found.some(
        (span) => span.type === label.type && span.start <= label.start + 1 && span.end >= label.end - 1,
      );
      if (isCovered) scores[label.type].covered++;
    }
    for (const span of found) {
      scores[span.type].found++;
      if (labels.some((label) => label.type === span.type && label.start < span.end && label.end > span.start))
        scores[span.type].right++;
    }
  }
  return scores;
}
