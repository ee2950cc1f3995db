import { KEY_SEPARATOR, type NotebookEntry } from "../../../mail/notebook.ts";
import { type MarkedMessages, NOTHING_MARKED } from "../../../search/indexing/marked-messages.ts";
import type { NotebookReader } from "../../contract/notebook-location.ts";
import { markedMessages } from "../../reading/marked-entries.ts";
import type { SqliteDatabase } from "../driver/sqlite-database.ts";
import { messageIdFinder } from "../reading/message-id-finder.ts";

/** Reads the marks of messages from the notebook of an archive, and again after each write. */
export function markedReader(database: SqliteDatabase, notebook: NotebookReader): () => MarkedMessages {
  const find = messageFinder(database);
  let known = NOTHING_MARKED;
  return () => {
    const changed = notebook(known.revision);
    if (changed !== null) known = markedMessages(changed, find);
    return known;
  };
}

type MessageFinder = (entry: NotebookEntry) => readonly number[];

/** Messages of a notebook key: one, or those of a conversation; none if it is not in the archive. */
function messageFinder(database: SqliteDatabase): MessageFinder {
  const withMessageId = messageIdFinder(database);
  const isSame = database
    .prepare(
      `SELECT 1 FROM envelopes WHERE id = ? AND sha256 = ?
       UNION ALL SELECT 1 FROM occurrences WHERE message_id = ? AND sha256 = ?`,
    )
    .pluck();
  const inThread = database
    .prepare("SELECT id FROM messages WHERE thread_id = (SELECT thread_id FROM messages WHERE id = ?)")
    .pluck();
  return ({ kind, key }) => {
    const at = key.indexOf(KEY_SEPARATOR);
    const found = [...withMessageId(key.slice(0, at))];
    if (kind === "thread") return found.slice(0, 1).flatMap((message) => inThread.all(message) as number[]);
    const sha256 = Buffer.from(key.slice(at + 1), "hex");
    return found.filter((message) => isSame.get(message, sha256, message, sha256) !== undefined).slice(0, 1);
  };
}
