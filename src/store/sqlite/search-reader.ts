import type { SearchReader } from "../../mail/archive.ts";
import { messageId } from "../../mail/ids.ts";
import type { MessageOrdinal } from "../../mail/ordinal.ts";
import { Searcher } from "../../search/searcher.ts";
import type { NotebookReader } from "../open-notebook.ts";
import { searchHit, withoutIndex } from "../reading/search-hit.ts";
import type { MessageRow } from "../rows.ts";
import { MESSAGES } from "../tables/message-tables.ts";
import { selection } from "../tables/table.ts";
import type { SqliteDatabase } from "./database.ts";
import { hasSearchTables } from "./search-schema.ts";
import { openSearchSource } from "./search-source.ts";
import { writtenDate } from "./sorting-dates.ts";
import type { SqlValue } from "./sqlite-database.ts";

/**
 * Opens the index of an archive when it is first asked for: whoever never searches never pays for it. Throws
 * UNIMPLEMENTED when the archive was written without an index.
 */
export function searcherOf(database: SqliteDatabase, notebook: NotebookReader): () => Searcher {
  let opened: Searcher | null = null;
  return () => {
    if (opened !== null) return opened;
    if (!hasSearchTables(database)) throw withoutIndex();
    opened = new Searcher(openSearchSource(database, notebook));
    return opened;
  };
}

/** Search over an open archive. Queries reject where `searcher` throws. */
export function searchReader(database: SqliteDatabase, searcher: () => Searcher): SearchReader {
  const hit = selection<Pick<MessageRow, "subject" | "from" | "sentAt">>([MESSAGES], ["subject", "from", "sentAt"], {
    sqlOf: { sentAt: writtenDate(database) },
  });
  const message = database.prepare(`SELECT ${hit.sql} FROM messages WHERE id = ?`).raw();

  const others = database
    .prepare(
      `SELECT count(DISTINCT occurrences.mailbox_id) FROM messages JOIN occurrences ON occurrences.message_id = messages.id
       WHERE messages.id = ? AND occurrences.mailbox_id <> messages.mailbox_id`,
    )
    .pluck();

  return {
    async search(query, limit, filter, match) {
      const { found, matched, problems } = await searcher().search(query, limit, filter, match);
      const hits = found.map((one, index) =>
        searchHit(one, index, {
          ...hit.decode(message.get(one.document) as SqlValue[]),
          otherMailboxes: others.get(one.document) as number,
        }),
      );
      return { hits, matched, problems };
    },

    async matching(query, filter, match) {
      return ((await searcher().matching(query, filter, match)) as readonly MessageOrdinal[]).map(messageId);
    },
  };
}
