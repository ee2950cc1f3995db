import type { EncodedMessage } from "../../../mail/archive.ts";
import type { SqliteDatabase } from "../database/database.ts";
import type { MessageFetch } from "./message-fetch.ts";

/** Maximum messages of a batch. */
const BATCH_MESSAGES = 256;
/** Body bytes after which a batch ends, so that a huge message is never batched with others. */
const BATCH_BYTES = 4 * 1024 * 1024;

type BodySize = readonly [id: number, bytes: number];

/** Every message in id order, in batches; nothing stays open between batches, so a reader may stop anywhere. */
export async function* messageBatches(
  database: SqliteDatabase,
  fetch: MessageFetch,
): AsyncGenerator<readonly EncodedMessage[]> {
  const after = database.prepare("SELECT id, length(body) FROM bodies WHERE id > ? ORDER BY id LIMIT ?").raw();
  let last = -1;
  for (;;) {
    const sizes = after.all(last, BATCH_MESSAGES) as BodySize[];
    if (sizes.length === 0) return;
    for (const end of batchEnds(sizes)) {
      yield fetch.range(last + 1, end);
      last = end;
    }
  }
}

/** The last message of each batch. */
function batchEnds(sizes: readonly BodySize[]): readonly number[] {
  const ends: number[] = [];
  let bytes = 0;
  for (const [index, [, size]] of sizes.entries()) {
    if (index > 0 && bytes + size > BATCH_BYTES) {
      ends.push(sizes[index - 1]![0]);
      bytes = 0;
    }
    bytes += size;
  }
  return [...ends, sizes.at(-1)![0]];
}
