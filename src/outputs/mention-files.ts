import { join } from "node:path";
import type { Utf8Buffer } from "../columns/utf8-buffer.ts";
import type { Archive } from "../mail/archive.ts";
import { type MentionRecord, mentionedValues } from "../mail/mentioned-values.ts";
import { MENTION_KINDS } from "../mail/records/mention.ts";
import { BYTE_ORDER_MARK, writeCsvRow } from "./csv/csv-row.ts";
import { TextFile } from "./text-file.ts";

/** Writes mentions.json, one value a line, and mentions.csv: the most frequent values of each kind first. */
export async function writeMentions(
  archive: Archive,
  directory: string,
  { json, csv }: { readonly json: boolean; readonly csv: boolean },
): Promise<void> {
  if ((await archive.provenance()).options.mentions !== true || !(json || csv)) return;
  const records: MentionRecord[] = [];
  for (const kind of MENTION_KINDS)
    records.push(...(await mentionedValues(archive, { query: "", match: "all", kind, search: "" })));
  if (json) {
    const file = new TextFile(join(directory, "mentions.json"));
    file.text(`[${records.map((record) => `\n${JSON.stringify(record)}`).join(",")}\n]\n`);
    file.close();
  }
  if (csv) {
    const file = new TextFile(join(directory, "mentions.csv"));
    file.text(BYTE_ORDER_MARK);
    writeMentionRows(records, file);
    file.close();
  }
}

/** Writes the rows of mentions.csv, with their heads. */
export function writeMentionRows(records: readonly MentionRecord[], out: Utf8Buffer): void {
  writeCsvRow(["kind", "value", "messages", "query"], out);
  for (const { kind, value, messages, query } of records) writeCsvRow([kind, value, messages, query], out);
}
