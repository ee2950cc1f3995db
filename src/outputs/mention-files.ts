import { join } from "node:path";
import type { Archive } from "../mail/archive.ts";
import { MENTION_KINDS, type MentionKind } from "../mail/records/mention.ts";
import { BYTE_ORDER_MARK, type CsvValue, writeCsvRow } from "./csv/csv-row.ts";
import { TextFile } from "./text-file.ts";

/** Values of each kind that are written; a mailbox of millions of messages has no more. */
const MAX_VALUES = 1_000_000;

/** A value that texts mention, in the files. `query` finds its messages. */
interface MentionRecord {
  readonly kind: MentionKind;
  readonly value: string;
  readonly messages: number;
  readonly query: string;
}

/** Writes mentions.json, one value a line, and mentions.csv: the most frequent values of each kind first. */
export async function writeMentions(
  archive: Archive,
  directory: string,
  { json, csv }: { readonly json: boolean; readonly csv: boolean },
): Promise<void> {
  if ((await archive.provenance()).options.mentions !== true || !(json || csv)) return;
  const records = await mentionRecords(archive);
  if (json) {
    const file = new TextFile(join(directory, "mentions.json"));
    file.text(`[${records.map((record) => `\n${JSON.stringify(record)}`).join(",")}\n]\n`);
    file.close();
  }
  if (csv) {
    const file = new TextFile(join(directory, "mentions.csv"));
    file.text(BYTE_ORDER_MARK);
    writeCsvRow(["kind", "value", "messages", "query"], file);
    for (const { kind, value, messages, query } of records)
      writeCsvRow([kind, value, messages, query] satisfies CsvValue[], file);
    file.close();
  }
}

async function mentionRecords({ explore }: Archive): Promise<readonly MentionRecord[]> {
  const facets = await explore.facets({ query: "", match: "all", of: MENTION_KINDS, limit: MAX_VALUES });
  return facets.flatMap(({ of, values }) =>
    values.map(({ label, count, clause }) => ({
      kind: of as MentionKind,
      value: label,
      messages: count,
      query: clause,
    })),
  );
}
