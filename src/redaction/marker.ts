import { PII_TYPES, type PiiType, REDACTION_OPENING } from "../mail/records/provenance.ts";

/** The replacement of a redacted span, such as `[REDACTED:email]`. */
export const markerOf = (type: PiiType): string => `${REDACTION_OPENING}${type}]`;

const MARKERS: readonly { readonly type: PiiType; readonly marker: string }[] = PII_TYPES.map((type) => ({
  type,
  marker: markerOf(type),
}));

/**
 * The type of the marker that begins at `start`, or null: the scan walks over its own markers without looking into
 * them.
 */
export function markerAt(text: string, start: number): PiiType | null {
  if (!text.startsWith(REDACTION_OPENING, start)) return null;
  return MARKERS.find(({ marker }) => text.startsWith(marker, start))?.type ?? null;
}
