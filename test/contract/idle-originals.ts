import { tmpdir } from "node:os";
import { join } from "node:path";
import { OriginalThread } from "../../src/originals/original-thread.ts";

/** Reads originals where the archive says they are; no thread is started for a test that asks for none. */
export function idleOriginals(): OriginalThread {
  const unpackedDirectory = join(tmpdir(), `archivetool-idle-${process.pid}`);
  return new OriginalThread({ directories: [], password: null, unpackedDirectory });
}
