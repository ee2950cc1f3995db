import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { createLocalServer } from "../../src/http/local-server/local-server.ts";
import type { Archive } from "../../src/mail/archive.ts";
import { OriginalThread } from "../../src/originals/original-thread.ts";
import { openArchive } from "../../src/store/archive/open-archive.ts";
import { archiveIn } from "../../src/store/contract/archive-location.ts";

/** Serves the archive in a directory with its originals until it is closed; packed ones are unpacked elsewhere. */
export async function withServedOriginals<T>(
  directory: string,
  scratch: string,
  use: (app: FastifyInstance, archive: Archive) => Promise<T>,
): Promise<T> {
  const archive = await openArchive(archiveIn(directory));
  const originals = new OriginalThread({
    directories: [],
    password: null,
    unpackedDirectory: join(scratch, "unpacked"),
  });
  const start = {
    source: "mail",
    environment: "test",
    host: "127.0.0.1",
    originals,
    newDirectory: () => join(scratch, "new"),
    notebook: null,
    isReplaced: () => false,
  };
  const app = await createLocalServer(archive, start, null);
  try {
    return await use(app, archive);
  } finally {
    await app.close();
    await archive.close();
    await originals.close();
  }
}
