import { tmpdir } from "node:os";
import { join } from "node:path";
import { OriginalThread } from "../../src/originals/original-thread.ts";

/** What a local server of a test needs to give originals and exports. */
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

/** Reads originals where the archive says they are; no thread is started for a test that asks for none. */
function idleOriginals(): OriginalThread {
  const unpackedDirectory = join(tmpdir(), `archivetool-idle-${process.pid}`);
  return new OriginalThread({ directories: [], password: null, unpackedDirectory });
}
