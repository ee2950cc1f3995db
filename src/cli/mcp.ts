import { randomBytes } from "node:crypto";
import { Writable } from "node:stream";
import type { Command } from "commander";
import { openServedArchive } from "./named-archive.ts";
import { warmSearch } from "./served-archive.ts";
import type { Session } from "./session.ts";

/** Declares `archivetool mcp`. */
export function declareMcp(program: Command, session: () => Session): void {
  program
    .command("mcp")
    .description("let an assistant search and read an archive (Model Context Protocol over stdin and stdout)")
    .argument("<source>", "output directory, its archive.db, or an extraction.json")
    .action(async (source: string) => {
      const { signal, printBytes, log } = session();
      const { serveMailOverStreams } = await import("../mcp/stdio-server.ts");
      const archive = await openServedArchive(source, session());
      try {
        log.info(`${source} is served over stdin and stdout, until stdin ends`);
        warmSearch(archive);
        const output = new Writable({
          write(bytes: Buffer, _, done): void {
            printBytes(bytes);
            done();
          },
        });
        await serveMailOverStreams(archive, {
          input: process.stdin,
          output,
          signal,
          newFence: () => randomBytes(8).toString("hex"),
          onFault: (error) => log.error(error),
        });
      } finally {
        await archive.close();
      }
    });
}
