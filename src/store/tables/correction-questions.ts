import type { CorrectedUpload } from "../contract/upload-corrections.ts";
import { CORRECTIONS } from "./service-tables.ts";
import { every, inserted, type Question, type Statement, sql } from "./statement.ts";

/** The entries of a file, in order. */
export function storedEntries({ uploadId, file }: CorrectedUpload): Question<readonly string[]> {
  return every(
    sql`SELECT entry FROM ${CORRECTIONS} WHERE upload_id = ${uploadId} AND file = ${file} ORDER BY ordinal`,
    ([entry]) => entry as string,
  );
}

/** Replaces the entries of a file from the first one that differs. */
export function replacedEntries(
  { uploadId, file }: CorrectedUpload,
  before: readonly string[],
  after: readonly string[],
): readonly Statement[] {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same++;
  const added = after
    .slice(same)
    .map((entry, at) => inserted(CORRECTIONS, { uploadId, file, ordinal: same + at, entry }));
  const removed = sql`DELETE FROM ${CORRECTIONS}
    WHERE upload_id = ${uploadId} AND file = ${file} AND ordinal >= ${same}`;
  return [removed, ...added];
}

/** Removes all corrections of an upload. */
export function removedCorrections(uploadId: string): Statement {
  return sql`DELETE FROM ${CORRECTIONS} WHERE upload_id = ${uploadId}`;
}
