import type { EncodedMessage } from "../../mail/archive.ts";
import type { SqliteDatabase } from "./database.ts";
import type { MessageFetch } from "./message-fetch.ts";

/** Messages of a batch at most. */
const BATCH_MESSAGES = 256;
/** Body bytes after which a batch ends: one huge message makes a batch of its own, never a pile of them. */
const BATCH_BYTES = 4 * 1024 * 1024;

/** Every message in id order, a batch at a time; nothing stays open between batches, so a reader may stop anywhere. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: batches end by number or by bytes, whichever comes first
export async function* messageBatches(
  database: SqliteDatabase,
  fetch: MessageFetch,
): AsyncGenerator<readonly EncodedMessage[]> {
  const after = database.prepare("SELECT id, length(body) FROM bodies WHERE id > ? ORDER BY id LIMIT ?").raw();
  let last = -1;
  for (;;) {
    const sizes = after.all(last, BATCH_MESSAGES) as [id: number, bytes: number][];
    if (sizes.length === 0) return;
    let bytes = 0;
    for (const [index, [id, size]] of sizes.entries()) {
      if (index > 0 && bytes + size > BATCH_BYTES) {
        const end = sizes[index - 1]![0];
        if (end > last) yield fetch.range(last + 1, end);
        last = end;
        bytes = 0;
      }
      bytes += size;
      if (index === sizes.length - 1) {
        yield fetch.range(last + 1, id);
        last = id;
      }
    }
  }
}
