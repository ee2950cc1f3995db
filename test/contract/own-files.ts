import { tmpdir } from "node:os";
import { join } from "node:path";
import { OriginalThread } from "../../src/originals/original-thread.ts";

/** Services that a local server of a test needs to return originals and exports. */
export function ownFiles(): {
  readonly originals: OriginalThread;
  readonly notebook: null;
  isReplaced(): boolean;
  newDirectory(): string;
} {
  return {
    originals: idleOriginals(),
    notebook: null,
    isReplaced: () => false,
    newDirectory: () => join(tmpdir(), `archivetool-export-${process.hrtime.bigint()}`),
  };
}

/** Reads originals where the archive locates them, without a separate thread. */
function idleOriginals(): OriginalThread {
  const unpackedDirectory = join(tmpdir(), `archivetool-idle-${process.pid}`);
  return new OriginalThread({ directories: [], password: null, unpackedDirectory });
}
