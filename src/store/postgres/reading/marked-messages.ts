import { KEY_SEPARATOR, type NotebookEntry, type NotebookState } from "../../../mail/notebook.ts";
import { type MarkedMessages, NOTHING_MARKED } from "../../../search/indexing/marked-messages.ts";
import type { NotebookContent } from "../../contract/notebook-location.ts";
import { nameOf } from "../../notebook/notebook-dry-run.ts";
import { entriesOfMessages, markedMessages, notebookState } from "../../reading/marked-entries.ts";
import { once } from "../../reading/once.ts";
import { ordinalList } from "../client/selection.ts";
import { EPOCH_OF_STATE, validIn } from "../client/valid-rows.ts";
import type { OpenEpoch } from "../collections/open-epoch.ts";
import { CachedNotebook, notebookRights } from "../service/collection-notebook.ts";
import { messagesWithIds } from "./message-reader.ts";

/** Reads the current notebook of a collection; null if this reader has none. */
function contentReader(epoch: OpenEpoch): () => Promise<NotebookContent | null> {
  const opened = once(async () => {
    if (epoch.isNotebookHidden) return null;
    const { client } = await epoch.connected();
    if (!(await notebookRights(client)).reads) return null;
    const [[collection]] = (await epoch.rows(`SELECT collection FROM epochs WHERE epoch = ${EPOCH_OF_STATE}`)) as [
      [string],
    ];
    return new CachedNotebook(collection);
  });
  return async () => {
    const known = await opened();
    return known === null ? null : known.read((await epoch.connected()).client);
  };
}

/** Reads the marks of messages from the notebook of a collection, and again after each write. */
export function markedReader(epoch: OpenEpoch): () => Promise<MarkedMessages> {
  const read = contentReader(epoch);
  let known = NOTHING_MARKED;
  return async () => {
    const content = await read();
    if (content === null || content.revision === known.revision) return known;
    const found = await messagesOf(epoch, entriesOfMessages(content.entries));
    return (known = markedMessages(content, (entry) => found.get(nameOf(entry)) ?? []));
  };
}

/** State of the notebook of an open collection. */
export function notebookStates(epoch: OpenEpoch): () => Promise<NotebookState> {
  const read = contentReader(epoch);
  return async () => {
    return notebookState((await read()) ?? { revision: 0, entries: [] });
  };
}

/** Messages of the given entries, resolved in one query. */
async function messagesOf(
  epoch: OpenEpoch,
  entries: readonly NotebookEntry[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const parted = entries.map((entry) => {
    const at = entry.key.indexOf(KEY_SEPARATOR);
    return { entry, messageId: entry.key.slice(0, at), sha256: entry.key.slice(at + 1) };
  });
  const withIds = await messagesWithIds(epoch, [...new Set(parted.map(({ messageId }) => messageId))]);
  const hashes = await hashesOf(epoch, [...withIds.values()].flat());
  const threads = await threadsOf(
    epoch,
    parted.flatMap(({ entry, messageId }) =>
      entry.kind === "thread" ? (withIds.get(messageId) ?? []).slice(0, 1) : [],
    ),
  );
  return new Map(
    parted.map(({ entry, messageId, sha256 }) => {
      const found = withIds.get(messageId) ?? [];
      const ofMessage = found.filter((message) => hashes.get(message)?.has(sha256) === true).slice(0, 1);
      return [nameOf(entry), entry.kind === "thread" ? (threads.get(found[0] ?? -1) ?? []) : ofMessage];
    }),
  );
}

/** SHA-256 of messages and their duplicates, in hexadecimal. */
async function hashesOf(
  epoch: OpenEpoch,
  messages: readonly number[],
): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
  const rows = await epoch.rows(
    `SELECT id, encode(sha256, 'hex') FROM envelopes WHERE ${validIn("envelopes")} AND id = ANY($2::int8[])
     UNION ALL SELECT message_id, encode(sha256, 'hex') FROM occurrences WHERE ${validIn("occurrences")} AND message_id = ANY($2::int8[])`,
    ordinalList(messages),
  );
  const hashes = new Map<number, Set<string>>();
  for (const [message, hash] of rows as [number, string][])
    hashes.set(message, (hashes.get(message) ?? new Set()).add(hash));
  return hashes;
}

/** Maps each message of the conversations of some messages to them. */
async function threadsOf(
  epoch: OpenEpoch,
  messages: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const rows = await epoch.rows(
    `SELECT one.id, other.id FROM messages AS one JOIN messages AS other ON ${validIn("other")} AND other.thread_id = one.thread_id
     WHERE ${validIn("one")} AND one.id = ANY($2::int8[])`,
    ordinalList(messages),
  );
  const threads = new Map<number, number[]>();
  for (const [one, other] of rows as [number, number][]) threads.set(one, [...(threads.get(one) ?? []), other]);
  return threads;
}
