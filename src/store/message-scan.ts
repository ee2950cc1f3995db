import type { ArchivedMessage } from "../mail/archive.ts";
import type { SqliteDatabase } from "./database.ts";
import type { MessageFetch } from "./message-fetch.ts";

/** Messages of a batch at most. */
const BATCH_MESSAGES = 256;
/** Body bytes after which a batch ends: one huge message makes a batch of its own, never a pile of them. */
const BATCH_BYTES = 4 * 1024 * 1024;

/** Every message, a batch at a time; nothing stays open between batches, so a reader may stop anywhere. */
export async function* messageBatches(
  database: SqliteDatabase,
  fetch: MessageFetch,
  order: "id" | "newest",
): AsyncGenerator<readonly ArchivedMessage[]> {
  const bodyBytes = database.prepare("SELECT length(body) FROM bodies WHERE id = ?").pluck();
  for (const ordinals of order === "id" ? ordinalsById(database) : ordinalsNewestFirst(database)) {
    let start = 0;
    let bytes = 0;
    for (const [index, ordinal] of ordinals.entries()) {
      const size = bodyBytes.get(ordinal) as number;
      if (index > start && bytes + size > BATCH_BYTES) {
        yield fetch.many(ordinals.slice(start, index));
        start = index;
        bytes = 0;
      }
      bytes += size;
    }
    yield fetch.many(ordinals.slice(start));
  }
}

function* ordinalsById(database: SqliteDatabase): Generator<readonly number[]> {
  const after = database.prepare("SELECT id FROM messages NOT INDEXED WHERE id > ? ORDER BY id LIMIT ?").pluck();
  let last = -1;
  for (;;) {
    const ordinals = after.all(last, BATCH_MESSAGES) as number[];
    if (ordinals.length === 0) return;
    yield ordinals;
    last = ordinals.at(-1)!;
  }
}

/** Continues after the last (sent_at, id) seen, so that every batch costs the same however far the scan is. */
function* ordinalsNewestFirst(database: SqliteDatabase): Generator<readonly number[]> {
  const older = database.prepare("SELECT id FROM messages WHERE sent_at < ? ORDER BY sent_at DESC, id LIMIT ?").pluck();
  const alike = database.prepare("SELECT id FROM messages WHERE sent_at = ? AND id > ? ORDER BY id LIMIT ?").pluck();
  const undated = database.prepare("SELECT id FROM messages WHERE sent_at IS NULL AND id > ? ORDER BY id LIMIT ?").pluck();
  const sentAt = database.prepare("SELECT sent_at FROM messages WHERE id = ?").pluck();
  let time = Number.MAX_SAFE_INTEGER;
  let last = -1;
  for (;;) {
    let ordinals = alike.all(time, last, BATCH_MESSAGES) as number[];
    if (ordinals.length < BATCH_MESSAGES) ordinals = ordinals.concat(older.all(time, BATCH_MESSAGES - ordinals.length) as number[]);
    if (ordinals.length === 0) break;
    yield ordinals;
    last = ordinals.at(-1)!;
    time = sentAt.get(last) as number;
  }
  last = -1;
  for (;;) {
    const ordinals = undated.all(last, BATCH_MESSAGES) as number[];
    if (ordinals.length === 0) return;
    yield ordinals;
    last = ordinals.at(-1)!;
  }
}
