import { ArchiveError } from "../../../errors.ts";
import type { Occurrence } from "../../../mail/records/message.ts";
import { foldKey } from "../../../mail/words/fold-key.ts";
import { MAX_MESSAGES } from "../../contract/archive-writer.ts";
import type {
  CopyRow,
  MessageContactsRow,
  MessageQuotesRow,
  MessageRow,
  MessageThreadRow,
} from "../../contract/rows.ts";
import { ATTACHMENTS, BODIES, ENVELOPES, MESSAGES } from "../../tables/message-tables.ts";
import { encodeParts, insertSql } from "../../tables/table.ts";
import { rowInsert } from "../database/bulk-insert.ts";
import type { SqliteDatabase } from "../database/database.ts";
import type { MailboxIds } from "../database/mailbox-ids.ts";
import type { ContactMessages } from "../reading/contact-messages.ts";
import { type CopyWriter, copyWriter } from "./copy-writer.ts";

/**
 * Code units of a sort key: subjects with the same beginning are sorted by id. Limits the size of one hostile header in
 * three indexes.
 */
const SORT_KEY_UNITS = 256;
/** The only encoding of bodies. */
const UTF_8 = 0;

/** Sort key of subjects and addresses. */
export function sortKey(text: string): string {
  return foldKey(text.length <= SORT_KEY_UNITS ? text : text.slice(0, SORT_KEY_UNITS)).toWellFormed();
}

interface MessageWriter {
  addMessage(row: MessageRow): void;
  /** Returns the number of new occurrences. */
  addCopies(rows: readonly CopyRow[]): number;
  setMessageThreads(rows: Iterable<MessageThreadRow>): void;
  setMessageQuotes(rows: Iterable<MessageQuotesRow>): void;
  setMessageContacts(rows: Iterable<MessageContactsRow>): void;
  flush(): void;
  /** Writes the remaining rows; no more messages may be added. */
  finish(): void;
}

export function messageWriter(
  database: SqliteDatabase,
  mailboxes: MailboxIds,
  contacts: ContactMessages,
): MessageWriter {
  const messages = rowInsert(database, MESSAGES);
  const envelopes = rowInsert(database, ENVELOPES);
  const attachments = rowInsert(database, ATTACHMENTS);
  // One at a time: bodies are large, and the caller may reuse their buffer.
  const insertBody = database.prepare(insertSql(BODIES));
  let copies: CopyWriter | null = null;

  function addCopies(): CopyWriter {
    flush();
    copies ??= copyWriter(database, mailboxes);
    return copies;
  }

  function addMessage(row: MessageRow): void {
    if (row.ordinal > MAX_MESSAGES)
      throw new ArchiveError("ARCHIVE_FULL", `an archive can contain at most ${MAX_MESSAGES} messages`);
    const mailbox = mailboxes.idOf(row.source, row.mailbox);
    mailboxes.count(mailbox, row.ordinal, 0);
    messages.addParts(row, {
      mailboxId: mailbox,
      fromKey: row.from === null ? "" : sortKey(row.from.email),
      subjectKey: sortKey(row.subject),
      attachmentCount: row.attachments.length,
    });
    envelopes.add(row);
    insertBody.run(...encodeParts(BODIES, row, { encoding: UTF_8 }));
    contacts.add(row.ordinal, row.fromContact, row.recipients);
    for (const [position, attachment] of row.attachments.entries())
      attachments.add({ ...attachment, message: row.ordinal, position });
    if (row.occurrences.length === 0 || (row.occurrences.length === 1 && isSamePlace(row.occurrences[0]!, row))) return;
    const writer = addCopies();
    for (const occurrence of row.occurrences) writer.addOccurrence(row.ordinal, occurrence);
  }

  function flush(): void {
    for (const table of [messages, envelopes, attachments]) table.flush();
  }

  return {
    addMessage,
    addCopies(rows) {
      if (rows.length === 0) return 0;
      const writer = addCopies();
      return rows.reduce((added, row) => added + (writer.add(row) ? 1 : 0), 0);
    },
    setMessageThreads(rows) {
      flush();
      const update = database.prepare("UPDATE messages SET thread_id = ?, topic_id = ? WHERE id = ?");
      for (const row of rows) update.run(row.thread, row.topic, row.message);
    },
    setMessageQuotes(rows) {
      flush();
      const { name, encode } = ENVELOPES.columns.quotes;
      const update = database.prepare(`UPDATE envelopes SET ${name} = ? WHERE id = ?`);
      for (const { message, quotes } of rows) update.run(encode(quotes), message);
    },
    setMessageContacts(rows) {
      flush();
      const setSender = database.prepare("UPDATE messages SET from_id = ? WHERE id = ?");
      for (const { message, fromContact, recipients } of rows) {
        setSender.run(fromContact, message);
        contacts.replace(message, fromContact, recipients);
      }
    },
    flush,
    finish() {
      flush();
      copies?.finish();
    },
  };
}

function isSamePlace(a: Occurrence, b: Pick<MessageRow, "source" | "mailbox" | "location">): boolean {
  return a.location === b.location && a.mailbox === b.mailbox && a.source === b.source;
}
