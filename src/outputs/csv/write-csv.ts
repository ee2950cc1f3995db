import { join } from "node:path";
import type { Archive, EncodedMessage } from "../../mail/archive.ts";
import { TextFile } from "../text-file.ts";
import { writeCsvRow } from "./csv-row.ts";
import { CONTACT_COLUMNS, type Column, EMAIL_COLUMNS, THREAD_COLUMNS } from "./csv-tables.ts";

/** One CSV file (RFC 4180, UTF-8, header row) that takes records a batch at a time. */
export class CsvFile<T> {
  private readonly file: TextFile;
  private readonly columns: readonly Column<T>[];

  constructor(path: string, columns: readonly Column<T>[]) {
    this.file = new TextFile(path);
    this.columns = columns;
    writeCsvRow(
      columns.map((column) => column.name),
      this.file,
    );
  }

  add(records: readonly T[]): void {
    for (const record of records) {
      writeCsvRow(
        this.columns.map((column) => column.value(record)),
        this.file,
      );
    }
  }

  close(): void {
    this.file.close();
  }
}

/** The file of messages; the caller feeds it from its one walk over all messages. */
export function createEmailsCsv(directory: string): CsvFile<EncodedMessage> {
  return new CsvFile(join(directory, "emails.csv"), EMAIL_COLUMNS);
}

/** Writes contacts.csv and threads.csv. */
export async function writeContactAndThreadCsv(archive: Archive, directory: string): Promise<void> {
  const contacts = new CsvFile(join(directory, "contacts.csv"), CONTACT_COLUMNS);
  for await (const batch of archive.contacts.scan()) contacts.add(batch);
  contacts.close();
  const threads = new CsvFile(join(directory, "threads.csv"), THREAD_COLUMNS);
  for await (const batch of archive.threads.summaries()) threads.add(batch);
  threads.close();
}
