import type { ArchivedMessage, EncodedMessage } from "../../mail/archive.ts";
import { type CsvValue, csvList } from "../csv/csv-row.ts";
import { type CsvColumn, EMAIL_COLUMNS } from "../csv/csv-tables.ts";

/**
 * Characters a cell of a spreadsheet takes (Excel, LibreOffice); what is longer would be dropped or spread over cells.
 */
const CELL_CHARACTERS = 32_767;
/** Stands at the end of a cell that was cut. */
const CUT = " [cut]";
/** Spreadsheets take a file for one of the system's code page without it. */
export const BYTE_ORDER_MARK = "\ufeff";

/** A message with the path of its source. */
export interface SourcedMessage {
  readonly message: ArchivedMessage;
  readonly sourcePath: string;
}

const EVIDENCE_COLUMNS: readonly CsvColumn<SourcedMessage>[] = [
  { name: "sha256", value: ({ message }) => message.sha256 },
  { name: "location", value: ({ message }) => message.location },
  { name: "source_path", value: ({ sourcePath }) => sourcePath },
  { name: "labels", value: ({ message }) => csvList(message.flags) },
  {
    name: "all_mailboxes",
    value: ({ message }) => csvList([...new Set(message.occurrences.map(({ mailbox }) => mailbox))]),
  },
];

export const TABLE_HEADER: readonly string[] = [...EMAIL_COLUMNS, ...EVIDENCE_COLUMNS].map(({ name }) => name);

/** The cells of a message: the columns of emails.csv, and those that lead back to the source. */
export function tableRow({ message, sourcePath }: SourcedMessage): readonly CsvValue[] {
  const encoded: EncodedMessage = { ...message, body: Buffer.from(message.body), sortedAt: null };
  const values = [
    ...EMAIL_COLUMNS.map(({ name, value }) => (name === "body" ? message.body : value(encoded))),
    ...EVIDENCE_COLUMNS.map(({ value }) => value({ message, sourcePath })),
  ];
  return values.map((value) => (typeof value === "string" ? cellText(value) : value));
}

function cellText(text: string): string {
  if (text.length < CELL_CHARACTERS) return text;
  // One unit less than fits: a text that looks like a formula gets an apostrophe in front.
  return text.slice(0, CELL_CHARACTERS - CUT.length - 1).toWellFormed() + CUT;
}
