import type { SqliteDatabase } from "./database.ts";

/** The mailboxes of the archive as numbers, and how many messages each holds. */
export interface MailboxIds {
  idOf(source: number, name: string): number;
  /**
   * Counts one stored message that lies there. @param place 0 for its own place, else the position of the further one.
   */
  count(mailbox: number, message: number, place: number): void;
  /** Writes the counts. */
  flush(): void;
}

interface Tally {
  messages: number;
  firstMessage: number | null;
}

/** Places of a message that are told apart where mailboxes are ordered by what appeared in them first. */
const PLACES = 2 ** 20;

export function mailboxIds(database: SqliteDatabase): MailboxIds {
  const insert = database.prepare("INSERT INTO mailboxes(source, name) VALUES (?, ?) ON CONFLICT DO NOTHING");
  const find = database.prepare("SELECT id, messages, first_message FROM mailboxes WHERE source = ? AND name = ?");
  const update = database.prepare("UPDATE mailboxes SET messages = ?, first_message = ? WHERE id = ?");
  const idsBySource = new Map<number, Map<string, number>>();
  const tallies = new Map<number, Tally>();

  function intern(source: number, name: string): number {
    insert.run(source, name);
    const row = find.get(source, name) as { id: number; messages: number; first_message: number | null };
    tallies.set(row.id, { messages: row.messages, firstMessage: row.first_message });
    return row.id;
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
