import { join } from "node:path";
import type { Utf8Buffer } from "../../columns/utf8-buffer.ts";
import type { EncodedMessage } from "../../mail/archive.ts";
import type { Contact } from "../../mail/records/contact.ts";
import type { MessageId } from "../../mail/records/ids.ts";
import type { Thread } from "../../mail/records/thread.ts";
import type { EarlierOutput } from "../earlier-output.ts";
import { CSV_ROWS, type EarlierRecords, earlierRecords } from "../earlier-records.ts";
import type { RecordWatcher } from "../record-visitors.ts";
import { TextFile } from "../text-file.ts";
import { BYTE_ORDER_MARK, writeCsvRow } from "./csv-row.ts";
import { CONTACT_COLUMNS, type CsvColumn, EMAIL_COLUMNS, THREAD_COLUMNS } from "./csv-tables.ts";

/** A CSV file (RFC 4180, UTF-8 with a byte order mark, header row), written in batches. */
class CsvFile<T> {
  private readonly file: TextFile;

  constructor(
    path: string,
    private readonly columns: readonly CsvColumn<T>[],
  ) {
    this.file = new TextFile(path);
    this.file.text(BYTE_ORDER_MARK);
    writeCsvRow(
      columns.map((column) => column.name),
      this.file,
    );
  }

  /** @param known returns the row of a record if it is already known */
  add(records: readonly T[], known: (record: T) => Uint8Array | null = () => null): void {
    for (const record of records) {
      const row = known(record);
      if (row !== null) {
        this.file.append(row);
        continue;
      }
      writeRecord(record, this.columns, this.file);
    }
  }

  append(rows: Uint8Array): void {
    this.file.append(rows);
  }

  close(): void {
    this.file.close();
  }
}

function writeRecord<T>(record: T, columns: readonly CsvColumn<T>[], out: Utf8Buffer): void {
  writeCsvRow(
    columns.map((column) => column.value(record)),
    out,
  );
}

/** Writes the row of a message in emails.csv. */
export function writeMessageRow(message: EncodedMessage, out: Utf8Buffer): void {
  writeRecord(message, EMAIL_COLUMNS, out);
}

/** emails.csv, contacts.csv and threads.csv. */
export class CsvFiles implements RecordWatcher {
  private readonly contacts: CsvFile<Contact>;
  private readonly threads: CsvFile<Thread>;
  private readonly emails: CsvFile<EncodedMessage>;
  private readonly earlierRows: EarlierRecords;

  constructor(directory: string, earlier: EarlierOutput | null) {
    this.earlierRows = earlierRecords(earlier, CSV_ROWS);
    this.contacts = new CsvFile(join(directory, "contacts.csv"), CONTACT_COLUMNS);
    this.threads = new CsvFile(join(directory, "threads.csv"), THREAD_COLUMNS);
    this.emails = new CsvFile(join(directory, "emails.csv"), EMAIL_COLUMNS);
  }

  showContacts(contacts: readonly Contact[]): void {
    this.contacts.add(contacts);
  }

  showThreads(threads: readonly Thread[]): void {
    this.threads.add(threads);
  }

  showMessages(messages: readonly EncodedMessage[]): void {
    this.emails.add(messages, ({ id }) => this.earlierRows.of(id));
  }

  /** Adds the row of a message from an earlier file. False if it must be generated. */
  copyMessageRow(id: MessageId): boolean {
    const row = this.earlierRows.of(id);
    if (row !== null) this.emails.append(row);
    return row !== null;
  }

  /** Adds rows of messages that `writeMessageRow` has written. */
  addMessageRows(rows: Uint8Array): void {
    this.emails.append(rows);
  }

  close(): void {
    for (const file of [this.contacts, this.threads, this.emails, this.earlierRows]) file.close();
  }
}
