import { MAILBOXES } from "../../tables/knowledge-tables.ts";
import type { SqlValue } from "../../tables/sql-value.ts";
import { selection, upsertSql } from "../../tables/table.ts";
import type { SqliteDatabase } from "./database.ts";

/** Numbers the mailboxes of the archive and counts their messages. */
export interface MailboxIds {
  idOf(source: number, name: string): number;
  /**
   * Counts one stored message in a mailbox. @param place 0 for its own location, otherwise the position of the further
   * one.
   */
  count(mailbox: number, message: number, place: number): void;
  /** Writes the counts. */
  flush(): void;
}

interface Tally {
  messages: number;
  firstMessage: number | null;
}

/** Maximum locations per message that are distinguished when mailboxes are ordered by first appearance. */
const PLACES = 2 ** 20;

export function mailboxIds(database: SqliteDatabase): MailboxIds {
  const insert = database.prepare(upsertSql(MAILBOXES, ["source", "name"], []));
  const known = selection([MAILBOXES], ["ordinal", "messages", "firstMessage"]);
  const find = database.prepare(`SELECT ${known.sql} FROM mailboxes WHERE source = ? AND name = ?`).raw();
  const update = database.prepare("UPDATE mailboxes SET messages = ?, first_message = ? WHERE id = ?");
  const idsBySource = new Map<number, Map<string, number>>();
  const tallies = new Map<number, Tally>();

  function intern(source: number, name: string): number {
    insert.run(source, name);
    const { ordinal, messages, firstMessage } = known.decode(find.get(source, name) as SqlValue[]);
    tallies.set(ordinal, { messages, firstMessage });
    return ordinal;
  }

  return {
    idOf(source, name) {
      let ids = idsBySource.get(source);
      if (ids === undefined) idsBySource.set(source, (ids = new Map()));
      let id = ids.get(name);
      if (id === undefined) ids.set(name, (id = intern(source, name)));
      return id;
    },
    count(mailbox, message, place) {
      const tally = tallies.get(mailbox)!;
      tally.messages++;
      const first = message * PLACES + Math.min(place, PLACES - 1);
      if (tally.firstMessage === null || first < tally.firstMessage) tally.firstMessage = first;
    },
    flush() {
      for (const [id, tally] of tallies) update.run(tally.messages, tally.firstMessage, id);
    },
  };
}
