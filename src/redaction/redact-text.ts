import { NO_REDACTIONS, type PiiType, type RedactionCounts } from "../mail/records/provenance.ts";
import { undisguisedText } from "./disguises.ts";
import { NOTHING, type PlainText, plainText } from "./lookalikes.ts";
import { markerOf } from "./marker.ts";
import { type PiiSpan, type ScanResult, scanText } from "./scan-text.ts";

/** A text without personal data, and how many spans of each type were replaced. */
export interface Redaction {
  /** The very same string when nothing was found. */
  readonly text: string;
  readonly counts: RedactionCounts;
}

/**
 * Passes after which redaction stops even when a marker has brought out something new. A marker is a cleaner neighbour
 * than the number it replaced (`1.2.3.4.555.123.4567`), so a second pass may find more; no known text needs a third.
 */
const MAX_PASSES = 8;

/** What one reading finds in a text, with spans as indexes into the text as it was given. */
function scanReading({ text, starts, ends }: PlainText, types: ReadonlySet<PiiType>): ScanResult {
  const found = scanText(text, types);
  if (starts === null || ends === null) return found;
  return {
    ...found,
    spans: found.spans.map(({ start, end, type }) => ({ start: starts[start]!, end: ends[end - 1]!, type })),
  };
}

/**
 * The spans of one reading with those of another that overlap none of them, or are longer and hold all that they
 * overlap; both are in order, and so is the result. The very same spans when the other adds nothing.
 */
function withOthers(spans: readonly PiiSpan[], others: readonly PiiSpan[]): readonly PiiSpan[] {
  const merged: PiiSpan[] = [];
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

const length = ({ start, end }: PiiSpan): number => end - start;

/**
 * All personal data of a text, of types that need not be named and of those that are, seen through lookalikes and
 * disguises.
 */
export function findSpans(text: string, types: ReadonlySet<PiiType>): ScanResult {
  const found = scanReading(plainText(text, NOTHING), types);
  const other = undisguisedText(text);
  if (other === null) return found;
  // The marker of one reading is another neighbour in the other.
  const spans = withOthers(found.spans, scanReading(other, types).spans);
  return { spans, isSettled: spans.length === 0 };
}

/**
 * Replaces personal data of the given types by markers such as `[REDACTED:email]`. The text must be decoded (no
 * quoted-printable, no HTML entities); characters without width, fullwidth digits and typographic spaces or dashes
 * inside a number or address do not hide it, nor do the end of a line and percent-encoding. Time is linear in the
 * length, redacting twice changes nothing, and markers are never matched.
 */
export function redactText(text: string, types: ReadonlySet<PiiType>): Redaction {
  let counts = NO_REDACTIONS;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const { spans: found, isSettled } = findSpans(text, types);
    const spans = found.filter((span) => types.has(span.type));
    if (spans.length === 0) break;
    const total: Record<PiiType, number> = { ...counts };
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
    if (isSettled) break;
  }
  return { text, counts };
}
