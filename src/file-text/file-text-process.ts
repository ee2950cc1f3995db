import { startProgramThread } from "../program-thread.ts";
import { type FileTextCall, type FileTextReply, SPENT_MEMORY_BYTES } from "./file-text-call.ts";
import { readFileText } from "./read-file-text.ts";

/**
 * Entry of the process that reads files: one file in, its text out. It ends with its parent, and its watch ends it when
 * it exceeds its limits.
 */
startProgramThread("file-text/memory-watch.js").unref();

process.on("message", async ({ file, roomBytes }: FileTextCall) => {
  const room = { bytes: roomBytes };
  const read = await readFileText(file, room);
  const reply: FileTextReply = {
    read,
    roomBytes: room.bytes,
    isSpent: process.memoryUsage.rss() > SPENT_MEMORY_BYTES,
  };
  // The parent may have ended.
  process.send?.(reply, () => undefined);
});
