import type { ExploredMessage, ExploreReader } from "../../../mail/exploration.ts";
import { threadId } from "../../../mail/records/ids.ts";
import type { ThreadOrdinal } from "../../../mail/records/ordinal.ts";
import { Explorer, type PagedDocument } from "../../../search/explorer.ts";
import { RangedExplorer } from "../../../search/ranged-explorer.ts";
import type { Searcher } from "../../../search/searcher.ts";
import { countsByMessage } from "../../reading/file-list.ts";
import { HIT_FIELDS, toHit } from "../../reading/hit-mapper.ts";
import { messagesByMention, storedMentions } from "../../reading/mention-lists.ts";
import { once } from "../../reading/once.ts";
import { ENVELOPES, MESSAGES } from "../../tables/message-tables.ts";
import type { SqlValue } from "../../tables/sql-value.ts";
import { selection } from "../../tables/table.ts";
import type { SqliteDatabase } from "../database/database.ts";
import { originalDateSql } from "../database/sorting-dates.ts";
import { fileLister } from "../files/file-list.ts";
import { ownerOfAddress } from "./archive-rows.ts";
import { storedCopies } from "./skeleton-reader.ts";

/** Explores an open archive. @param searcher opens the index on first use. */
export function exploreReader(database: SqliteDatabase, searcher: () => Promise<Searcher>): ExploreReader {
  const explorer = once(async () => {
    const opened = await searcher();
    return opened.ranges.length === 1 ? new Explorer(opened) : new RangedExplorer(opened);
  });
  const rowOf = listRows(database);
  const list = fileLister(database);
  const attachmentCounts = database
    .prepare("SELECT message_id, count(*) FROM attachments GROUP BY message_id ORDER BY message_id")
    .raw();
  return {
    async page(request) {
      const { documents, ...figures } = await (await explorer()).page(request);
      return { ...figures, messages: documents.map(rowOf) };
    },
    facets: async (request) => (await explorer()).facets(request),
    timeline: async (request) => (await explorer()).timeline(request),
    files: async (request) => list(await (await explorer()).found(request), request),
    hits: async (queries) => (await explorer()).hits(queries),
    attachmentCounts: async () => countsByMessage(attachmentCounts.all() as (readonly [number, number])[]),
    async mentions(kind) {
      const column = database.prepare("SELECT data FROM ix_column WHERE name = ?").pluck();
      const lists = storedMentions(kind, (name) => column.get(name) as Uint8Array | undefined, 0);
      return messagesByMention(kind, lists, (await searcher()).source.dead);
    },
    async conversations(request) {
      const { total, threads } = await (await explorer()).conversations(request);
      return {
        total,
        conversations: threads.map(({ thread, ...figures }) => ({
          threadId: threadId(thread as ThreadOrdinal),
          ...figures,
        })),
      };
    },
  };
}

function listRows(database: SqliteDatabase): (paged: PagedDocument) => ExploredMessage {
  const listed = selection([MESSAGES, ENVELOPES], HIT_FIELDS, { sqlOf: { sentAt: originalDateSql(database) } });
  const row = database
    .prepare(
      `SELECT ${listed.sql} FROM messages CROSS JOIN envelopes ON envelopes.id = messages.id WHERE messages.id = ?`,
    )
    .raw();
  const mailbox = database
    .prepare("SELECT name FROM mailboxes WHERE id = (SELECT mailbox_id FROM messages WHERE id = ?)")
    .pluck();
  const filenames = database.prepare("SELECT filename FROM attachments WHERE message_id = ? ORDER BY position").pluck();
  const copies = database.prepare("SELECT count(*) FROM occurrences WHERE message_id = ?").pluck();
  const ownerOf = ownerOfAddress(database);

  return (paged) =>
    toHit(paged, listed.decode(row.get(paged.document) as SqlValue[]), {
      mailbox: (mailbox.get(paged.document) as string | undefined) ?? "",
      filenames: filenames.all(paged.document) as string[],
      copies: copies.get(paged.document) as number,
      differences: Array.from(storedCopies(database, paged.document, paged.document + 1), ({ differs }) => differs),
      ownerOf,
    });
}
