import type { ExploredMessage, ExploreReader, FilePage, FileRequest } from "../../mail/exploration.ts";
import { threadId } from "../../mail/records/ids.ts";
import type { ThreadOrdinal } from "../../mail/records/ordinal.ts";
import { Explorer, type PagedDocument } from "../../search/explorer.ts";
import type { DocumentSet } from "../../search/indexing/document-set.ts";
import type { Searcher } from "../../search/searcher.ts";
import { countsByMessage } from "../reading/file-list.ts";
import { mentionColumns, messagesByMention, storedMentions } from "../reading/mention-lists.ts";
import { once } from "../reading/once.ts";
import type { ArchiveRows } from "./archive-rows.ts";

/** Reads that each database optimizes for itself. */
interface OwnReads {
  messages(documents: readonly PagedDocument[]): Promise<readonly ExploredMessage[]>;
  /** Attachments of some messages, each file once. */
  files(set: DocumentSet, request: FileRequest): Promise<FilePage>;
  indexColumns(names: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
}

/** Explores an open archive. @param searcher opens the index on first use. */
export function exploreReader(archive: ArchiveRows, searcher: () => Promise<Searcher>, own: OwnReads): ExploreReader {
  const explorer = once(async () => new Explorer(await searcher()));
  return {
    async page(request) {
      const { documents, ...figures } = await (await explorer()).page(request);
      return { ...figures, messages: await own.messages(documents) };
    },
    facets: async (request) => (await explorer()).facets(request),
    timeline: async (request) => (await explorer()).timeline(request),
    files: async (request) => own.files(await (await explorer()).found(request), request),
    hits: async (queries) => (await explorer()).hits(queries),
    async attachmentCounts() {
      const rows = await archive.rows(
        `SELECT message_id, count(*) FROM attachments WHERE ${archive.valid("attachments")} GROUP BY message_id ORDER BY message_id`,
      );
      return countsByMessage(rows as unknown as (readonly [number, number])[]);
    },
    async mentions(kind) {
      const stored = await own.indexColumns(Object.values(mentionColumns(kind)));
      const lists = storedMentions(kind, (name) => stored.get(name), 0);
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
