import { REDACTED_TYPES, REDACTION_OPENING, type RedactedType } from "../mail/records/provenance.ts";

/** The replacement of a redacted span, such as `[REDACTED:email]`. */
export const markerOf = (type: RedactedType): string => `${REDACTION_OPENING}${type}]`;

const MARKERS: readonly { readonly type: RedactedType; readonly marker: string }[] = REDACTED_TYPES.map((type) => ({
  type,
  marker: markerOf(type),
}));

/** The type of the marker that begins at `start`, or null: the scan skips its own markers. */
export function markerAt(text: string, start: number): RedactedType | null {
  if (!text.startsWith(REDACTION_OPENING, start)) return null;
  return MARKERS.find(({ marker }) => text.startsWith(marker, start))?.type ?? null;
}
