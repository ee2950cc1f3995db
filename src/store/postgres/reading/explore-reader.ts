import type { ExploredMessage, ExploreReader } from "../../../mail/exploration.ts";
import type { CopyDifferences } from "../../../mail/records/message.ts";
import type { PagedDocument } from "../../../search/explorer.ts";
import type { Searcher } from "../../../search/searcher.ts";
import type { ArchiveRows } from "../../lists/archive-rows.ts";
import { exploreReader } from "../../lists/explore-reader.ts";
import { decodeCopy } from "../../reading/copy-columns.ts";
import { FileList, type FileRow } from "../../reading/file-list.ts";
import { HIT_FIELDS, NAMED, toHit } from "../../reading/hit-mapper.ts";
import { ENVELOPES, MESSAGES, OCCURRENCES } from "../../tables/message-tables.ts";
import type { SqlValue } from "../../tables/sql-value.ts";
import { joined, ordinalList, postgresSelection, WRITTEN_DATE } from "../client/selection.ts";
import { validIn } from "../client/valid-rows.ts";
import { indexColumns } from "../collections/index-columns.ts";
import type { OpenEpoch } from "../collections/open-epoch.ts";
import { ownersOf } from "./address-owners.ts";

const HIT = postgresSelection([MESSAGES, ENVELOPES], HIT_FIELDS, {
  sqlOf: { sentAt: WRITTEN_DATE },
  beside: ["ordinal"],
});

const COPY = postgresSelection([OCCURRENCES], ["otherId", "sha256", "differs"]);

/** Attachments read at a time. */
const BATCH_FILES = 4096;

/** Explores an open collection. @param searcher opens the index on first use. */
export function postgresExploreReader(
  epoch: OpenEpoch,
  archive: ArchiveRows,
  searcher: () => Promise<Searcher>,
): ExploreReader {
  return exploreReader(archive, searcher, {
    messages: (documents) => listedHits(epoch, documents),
    async files(set, request) {
      const list = new FileList(set, request);
      for await (const row of attachments(epoch)) list.add(row);
      return list.page();
    },
    indexColumns: (names) => indexColumns(epoch, names),
  });
}

async function* attachments(epoch: OpenEpoch): AsyncGenerator<FileRow> {
  let last: readonly [message: number, position: number] = [-1, -1];
  for (;;) {
    const rows = (await epoch.rows(
      `SELECT message_id, position, filename, media_type, size_bytes, encode(sha256, 'hex') FROM attachments
       WHERE ${validIn("attachments")} AND (message_id, position) > ($2::int8, $3::int8) ORDER BY message_id, position LIMIT ${BATCH_FILES}`,
      ...last,
    )) as unknown as FileRow[];
    const end = rows.at(-1);
    if (end === undefined) return;
    yield* rows;
    last = [end[0], end[1]];
  }
}

/** Rows of a list, in four round trips for any number. */
async function listedHits(epoch: OpenEpoch, paged: readonly PagedDocument[]): Promise<readonly ExploredMessage[]> {
  if (paged.length === 0) return [];
  const asked = ordinalList(paged.map(({ document }) => document));
  const rows = await epoch.rows(
    `SELECT ${HIT.sql},
       (SELECT name FROM mailboxes WHERE ${validIn("mailboxes")} AND mailboxes.id = messages.mailbox_id),
       (SELECT count(*) FROM occurrences WHERE ${validIn("occurrences")} AND occurrences.message_id = messages.id)
     FROM ${joined("envelopes")} WHERE ${validIn("messages")} AND messages.id = ANY($2::int8[])`,
    asked,
  );
  const filenames = await epoch.rows(
    `SELECT message_id, filename FROM attachments WHERE ${validIn("attachments")} AND message_id = ANY($2::int8[]) ORDER BY message_id, position`,
    asked,
  );
  const filesOf = new Map<SqlValue, string[]>();
  for (const [message, filename] of filenames as [number, string][])
    filesOf.set(message, [...(filesOf.get(message) ?? []), filename]);
  const differing = await epoch.rows(
    `SELECT message_id, ${COPY.sql} FROM occurrences
     WHERE ${validIn("occurrences")} AND message_id = ANY($2::int8[]) AND differs IS NOT NULL ORDER BY message_id, position`,
    asked,
  );
  const differencesOf = new Map<SqlValue, CopyDifferences[]>();
  for (const [message, ...copy] of differing)
    differencesOf.set(message!, [...(differencesOf.get(message!) ?? []), decodeCopy(COPY.decode(copy))]);
  const hits = new Map(rows.map((row) => [row[HIT.at.ordinal], { row, hit: HIT.decode(row) }]));
  const named = Array.from(hits.values(), ({ hit }) => [hit.from, ...hit.to.slice(0, NAMED)]).flat();
  const ownerOf = await ownersOf(
    epoch,
    named.flatMap((address) => (address === null || address.email === "" ? [] : [address.email])),
  );
  return paged.map((document) => {
    const { row, hit } = hits.get(document.document)!;
    const [mailbox, copies] = row.slice(-2) as [string | null, number];
    return toHit(document, hit, {
      mailbox: mailbox ?? "",
      filenames: filesOf.get(document.document) ?? [],
      copies,
      differences: differencesOf.get(document.document) ?? [],
      ownerOf,
    });
  });
}
