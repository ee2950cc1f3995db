import { KEY_SEPARATOR, type Mark, type NotebookEntry } from "../../mail/notebook.ts";
import { tagSpelling, toldTags } from "../../mail/tag-spellings.ts";
import { type MarkedMessages, NOTHING_MARKED } from "../../search/marked-messages.ts";
import type { NotebookReader } from "../open-notebook.ts";
import { messageIdFinder } from "./place-search.ts";
import type { SqliteDatabase } from "./sqlite-database.ts";

/** Reads what the notebook of an archive says of its messages; again whenever somebody has written. */
export function markedReader(database: SqliteDatabase, notebook: NotebookReader): () => MarkedMessages {
  const find = messageFinder(database);
  let known = NOTHING_MARKED;
  return () => {
    const changed = notebook(known.revision);
    if (changed !== null) known = collect(changed.revision, changed.entries, find);
    return known;
  };
}

type MessageFinder = (kind: NotebookEntry["kind"], key: string) => readonly number[];

function collect(revision: number, entries: readonly NotebookEntry[], find: MessageFinder): MarkedMessages {
  const spelling = tagSpelling(entries);
  const names = new Map<string, number>();
  const tagNames: string[] = [];
  const tags = new Map<number, number[]>();
  const noted = new Set<number>();
  const reviews: Map<number, Mark["review"]> = new Map();
  // Conversations come first, so that what is decided of a message alone stays.
  const marked = entries.filter(({ kind }) => kind === "thread" || kind === "message");
  for (const { kind, key, value } of marked.toSorted((left, right) => (left.kind < right.kind ? 1 : -1))) {
    const mark = JSON.parse(value) as Mark;
    const numbers = toldTags(mark.tags, spelling).map((name) => {
      const number = names.get(name) ?? tagNames.push(name) - 1;
      names.set(name, number);
      return number;
    });
    for (const message of find(kind, key)) {
      if (mark.note !== "") noted.add(message);
      if (mark.review !== "open") reviews.set(message, mark.review);
      if (numbers.length > 0) tags.set(message, [...new Set([...(tags.get(message) ?? []), ...numbers])]);
    }
  }
  return { revision, tagNames, tags, noted, reviews };
}

/** The messages that a key of a notebook means: one, or those of a conversation; none when it is not in the archive. */
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
  return (kind, key) => {
    const at = key.indexOf(KEY_SEPARATOR);
    const found = [...withMessageId(key.slice(0, at))];
    if (kind === "thread") return found.slice(0, 1).flatMap((message) => inThread.all(message) as number[]);
    const sha256 = Buffer.from(key.slice(at + 1), "hex");
    return found.filter((message) => isSame.get(message, sha256, message, sha256) !== undefined).slice(0, 1);
  };
}
