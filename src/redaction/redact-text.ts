import { NO_REDACTIONS, type PiiType, type RedactionCounts } from "../mail/provenance.ts";
import { plainText } from "./lookalikes.ts";
import { markerOf } from "./marker.ts";
import { type ScanResult, scanText } from "./scan-text.ts";

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

/**
 * All personal data of a text, of types that need not be named and of those that are, seen through lookalikes, with
 * spans as indexes into the text as it was given.
 */
export function findSpans(text: string, types: ReadonlySet<PiiType>): ScanResult {
  const plain = plainText(text);
  const found = scanText(plain.text, types);
  const { origin } = plain;
  if (origin === null) return found;
  return {
    ...found,
    spans: found.spans.map(({ start, end, type }) => ({ start: origin[start]!, end: origin[end - 1]! + 1, type })),
  };
}

/**
 * Replaces personal data of the given types by markers such as `[REDACTED:email]`. The text must be decoded (no
 * quoted-printable, no HTML entities); characters without width, fullwidth digits and typographic spaces or dashes
 * inside a number or address do not hide it. Time is linear in the length, redacting twice changes nothing, and markers
 * are never matched.
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
