import { NO_REDACTIONS, type RedactedType, type RedactionCounts } from "../mail/records/provenance.ts";
import type { Span } from "./characters.ts";
import { undisguisedText } from "./disguises.ts";
import { NOTHING, type PlainText, plainText } from "./lookalikes.ts";
import { markerOf } from "./marker.ts";
import { type ScanResult, scanText } from "./scan-text.ts";
import { findWords, wordTable } from "./words.ts";

/** A text without personal data, and how many spans of each type were replaced. */
export interface Redaction {
  /** The identical string if nothing was found. */
  readonly text: string;
  readonly counts: RedactionCounts;
}

/**
 * Maximum passes. A marker separates numbers better than the number it replaced (`1.2.3.4.555.123.4567`), so a second
 * pass may find more; no known text needs a third.
 */
const MAX_PASSES = 8;

interface RedactedSpan extends Span {
  readonly type: RedactedType;
}

/** Scans one reading of a text; spans are indexes into the original text. */
function scanReading({ text, starts, ends }: PlainText, types: ReadonlySet<RedactedType>): ScanResult {
  const found = scanText(text, types);
  return { ...found, spans: inOriginal(found.spans, { text, starts, ends }) };
}

/** Converts spans of a reading to the original text. */
function inOriginal<S extends Span>(spans: readonly S[], { starts, ends }: PlainText): readonly S[] {
  if (starts === null || ends === null) return spans;
  return spans.map((span) => ({ ...span, start: starts[span.start]!, end: ends[span.end - 1]! }));
}

/**
 * Merges the spans of two readings in order: adds spans of the second that do not overlap, or that are longer and
 * contain all they overlap. Returns the first list itself if nothing is added.
 */
function withOthers<S extends Span>(spans: readonly S[], others: readonly S[]): readonly S[] {
  const merged: S[] = [];
  let isSame = true;
  let next = 0;
  for (const other of others) {
    while (next < spans.length && spans[next]!.end <= other.start) merged.push(spans[next++]!);
    const first = next;
    let covered = 0;
    while (next < spans.length && spans[next]!.start < other.end) covered += length(spans[next++]!);
    const isWhole = next === first || (spans[first]!.start >= other.start && spans[next - 1]!.end <= other.end);
    if (isWhole && covered < length(other)) {
      merged.push(other);
      isSame = false;
    } else {
      next = first;
    }
  }
  return isSame ? spans : [...merged, ...spans.slice(next)];
}

const length = ({ start, end }: Span): number => end - start;

/** All personal data of a text, of default types and of requested ones, including lookalikes and disguises. */
export function findSpans(text: string, types: ReadonlySet<RedactedType>): ScanResult {
  const found = scanReading(plainText(text, NOTHING), types);
  const other = undisguisedText(text);
  if (other === null) return found;
  // A marker of one reading changes the context in the other.
  const spans = withOthers(found.spans, scanReading(other, types).spans);
  return { spans, isSettled: spans.length === 0 };
}

/** Occurrences of the listed words in a text, including lookalikes and disguises. */
function wordSpans(text: string, words: readonly string[]): readonly RedactedSpan[] {
  if (words.length === 0) return [];
  const table = wordTable(words);
  const found = (reading: PlainText): readonly RedactedSpan[] =>
    inOriginal(
      findWords(reading.text, table).map((span) => ({ ...span, type: "word" as const })),
      reading,
    );
  const spans = found(plainText(text, NOTHING));
  const other = undisguisedText(text);
  return other === null ? spans : withOthers(spans, found(other));
}

/**
 * Replaces personal data of the given types and the words of a list by markers such as `[REDACTED:email]`. The text
 * must be decoded (no quoted-printable, no HTML entities). Zero-width characters, full-width digits, typographic
 * spaces and dashes, line breaks and percent-encoding do not hide numbers or addresses. Linear time; idempotent;
 * markers are never matched.
 */
export function redactText(text: string, types: ReadonlySet<RedactedType>, words: readonly string[] = []): Redaction {
  let counts = NO_REDACTIONS;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const { spans: found, isSettled } = findSpans(text, types);
    const listed = wordSpans(text, words);
    const spans = withOthers<RedactedSpan>(
      found.filter((span) => types.has(span.type)),
      listed,
    );
    if (spans.length === 0) break;
    const total: Record<RedactedType, number> = { ...counts };
    const pieces: string[] = [];
    let end = 0;
    for (const span of spans) {
      pieces.push(text.slice(end, span.start), markerOf(span.type));
      end = span.end;
      total[span.type]++;
    }
    pieces.push(text.slice(end));
    text = pieces.join("");
    counts = total;
    if (isSettled && listed.length === 0) break;
  }
  return { text, counts };
}
