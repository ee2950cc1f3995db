import { COPY_FIELDS, type CopyDifferences, type CopyField, type KeptMessage } from "../../mail/records/message.ts";
import type { Column, Packed, RowOf } from "../tables/column.ts";
import { KEPT_COLUMNS, type OCCURRENCES } from "../tables/message-tables.ts";
import type { SqlValue } from "../tables/sql-value.ts";

/**
 * Differences of a duplicate as columns of its occurrence; all null if there are none. Two have columns, the rest is
 * JSON.
 */
export type CopyColumns = Pick<RowOf<(typeof OCCURRENCES)["columns"]>, "otherId" | "sha256" | "differs">;

const JSON_FIELDS = COPY_FIELDS.filter((field) => field !== "messageId" && field !== "sha256");

/** Differences between an occurrence and its message, in stored form. @param readOf returns a column of the message */
export function copyDifferences(
  copy: Pick<KeptMessage, CopyField>,
  readOf: (field: CopyField) => SqlValue,
): CopyDifferences {
  const differs: Record<string, unknown> = {};
  for (const field of COPY_FIELDS) {
    const { read, encode, pack }: Column<unknown> = KEPT_COLUMNS[field];
    // Fields without a reader have the form of their JSON: hexadecimal digits.
    const asRead = read === null ? encode(copy[field]) : pack(copy[field]);
    if (asRead !== readOf(field)) differs[field] = copy[field];
  }
  return differs;
}

export function encodeCopy(differs: CopyDifferences): CopyColumns {
  const stored: Record<string, Packed> = {};
  for (const field of JSON_FIELDS) {
    const value = differs[field];
    if (value !== undefined) stored[field] = KEPT_COLUMNS[field].pack(value as never);
  }
  const { messageId: otherId = null, sha256 = null } = differs;
  return { otherId, sha256, differs: Object.keys(stored).length === 0 ? null : JSON.stringify(stored) };
}

export function decodeCopy({ otherId, sha256, differs }: CopyColumns): CopyDifferences {
  const decoded: Record<string, unknown> = {
    ...(otherId === null ? {} : { messageId: otherId }),
    ...(sha256 === null ? {} : { sha256 }),
  };
  if (differs === null) return decoded;
  const stored = JSON.parse(differs) as Readonly<Record<string, Packed>>;
  for (const field of JSON_FIELDS)
    if (Object.hasOwn(stored, field)) decoded[field] = KEPT_COLUMNS[field].unpack(stored[field]!);
  return decoded;
}
