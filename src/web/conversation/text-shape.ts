import { alignedStretches } from "../../text/quoting/aligned-lines.ts";

/** Minimum share of tables in a text for completely monospaced display. */
const TABLE_SHARE = 0.3;

/** True for patches, and for texts with a large share of tables, which need a monospaced font. */
export function isPreformatted(text: string): boolean {
  const stretches = alignedStretches(text);
  const inTables = stretches.reduce((sum, { start, end }) => sum + end - start, 0);
  return stretches.some(({ kind }) => kind === "patch") || (inTables > 0 && inTables >= text.length * TABLE_SHARE);
}
