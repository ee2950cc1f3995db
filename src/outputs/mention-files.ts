import { join } from "node:path";
import type { Utf8Buffer } from "../columns/utf8-buffer.ts";
import type { Archive } from "../mail/archive.ts";
import type { MentionRecord } from "../mail/mentioned-values.ts";
import type { MessageId } from "../mail/records/ids.ts";
import { MENTION_KINDS } from "../mail/records/mention.ts";
import { BYTE_ORDER_MARK, writeCsvRow } from "./csv/csv-row.ts";
import { TextFile } from "./text-file.ts";

interface ExportedMention extends MentionRecord {
  readonly message_ids: readonly MessageId[];
}

const COLUMNS = ["kind", "value", "messages", "query"] as const;

const cellsOf = (record: MentionRecord): readonly (string | number)[] => COLUMNS.map((column) => record[column]);

/** Writes mentions.json, one value per line, and mentions.csv: the most frequent values of each kind first. */
export async function writeMentions(
  archive: Archive,
  directory: string,
  { json, csv }: { readonly json: boolean; readonly csv: boolean },
): Promise<void> {
  if ((await archive.provenance()).options.mentions !== true || !(json || csv)) return;
  const records: ExportedMention[] = [];
  for (const kind of MENTION_KINDS)
    for (const { messageIds, ...named } of await archive.explore.mentions(kind))
      records.push({ kind, ...named, messages: messageIds.length, message_ids: messageIds });
  if (json) {
    const file = new TextFile(join(directory, "mentions.json"));
    file.text(`[${records.map((record) => `\n${JSON.stringify(record)}`).join(",")}\n]\n`);
    file.close();
  }
  if (csv) {
    const file = new TextFile(join(directory, "mentions.csv"));
    file.text(BYTE_ORDER_MARK);
    writeCsvRow([...COLUMNS, "message_ids"], file);
    for (const record of records) writeCsvRow([...cellsOf(record), record.message_ids.join(" ")], file);
    file.close();
  }
}

/** Writes mentions as CSV with a header, without message IDs. */
export function writeMentionRows(records: readonly MentionRecord[], out: Utf8Buffer): void {
  writeCsvRow(COLUMNS, out);
  for (const record of records) writeCsvRow(cellsOf(record), out);
}
