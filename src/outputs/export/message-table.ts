import type { ArchivedMessage, EncodedMessage } from "../../mail/archive.ts";
import { flagsOfAll } from "../../mail/records/message.ts";
import { type CsvValue, csvList } from "../csv/csv-row.ts";
import { type CsvColumn, EMAIL_COLUMNS } from "../csv/csv-tables.ts";

/** A message with the path of its source. */
interface SourcedMessage {
  readonly message: ArchivedMessage;
  readonly sourcePath: string;
}

const EVIDENCE_COLUMNS: readonly CsvColumn<SourcedMessage>[] = [
  { name: "sha256", value: ({ message }) => message.sha256 },
  { name: "location", value: ({ message }) => message.location },
  { name: "source_path", value: ({ sourcePath }) => sourcePath },
  { name: "labels", value: ({ message }) => csvList(flagsOfAll(message, message.occurrences)) },
  {
    name: "all_mailboxes",
    value: ({ message }) => csvList([...new Set(message.occurrences.map(({ mailbox }) => mailbox))]),
  },
];

export const TABLE_HEADER: readonly string[] = [...EMAIL_COLUMNS, ...EVIDENCE_COLUMNS].map(({ name }) => name);

/** Cells of a message: the columns of emails.csv, and its location in the source. */
export function tableRow({ message, sourcePath }: SourcedMessage): readonly CsvValue[] {
  const encoded: EncodedMessage = { ...message, body: Buffer.from(message.body), sortedAt: null };
  return [
    ...EMAIL_COLUMNS.map(({ name, value }) => (name === "body" ? message.body : value(encoded))),
    ...EVIDENCE_COLUMNS.map(({ value }) => value({ message, sourcePath })),
  ];
}
