import { alignedStretches } from "../../text/quoting/aligned-lines.ts";

/** Share of tables in a text from which it is completely monospaced. */
const TABLE_SHARE = 0.3;

/** True for patches, and for texts that are tables for a good part: they lose their shape in a proportional font. */
export function isPreformatted(text: string): boolean {
  const stretches = alignedStretches(text);
  const inTables = stretches.reduce((sum, { start, end }) => sum + end - start, 0);
  return stretches.some(({ kind }) => kind === "patch") || (inTables > 0 && inTables >= text.length * TABLE_SHARE);
}
