import { randomBytes } from "node:crypto";
import { Writable } from "node:stream";
import type { Command } from "commander";
import { displaySource } from "../../store/contract/archive-location.ts";
import { locateSource, openLocatedArchive } from "../extracting/open-archive.ts";
import type { Session } from "../terminal/session.ts";
import { SOURCE_ARGUMENT } from "../terminal/store-source.ts";
import { addOriginalFlags, type OriginalFlags, originalSearch } from "./original-flags.ts";
import { warmSearch } from "./served-archive.ts";

/** Declares `archivetool mcp`. */
export function declareMcp(program: Command, session: () => Session): void {
  const command = program
    .command("mcp")
    .description("let an AI assistant search and read an archive (Model Context Protocol over stdio)")
    .argument("<source>", SOURCE_ARGUMENT);
  addOriginalFlags(command).action(async (source: string, flags: OriginalFlags) => {
    const { signal, printBytes, log } = session();
    const { serveMailOverStreams } = await import("../../mcp/stdio-server.ts");
    const { mailSource } = await import("../../http/original-files.ts");
    const { OriginalThread } = await import("../../originals/original-thread.ts");
    const originals = new OriginalThread(originalSearch(flags, session()));
    const archive = await openLocatedArchive(await locateSource(source, session()));
    try {
      log.info(`${displaySource(source)} is served over stdin and stdout until stdin closes`);
      warmSearch(archive);
      const output = new Writable({
        write(bytes: Buffer, _, done): void {
          printBytes(bytes);
          done();
        },
      });
      await serveMailOverStreams(mailSource({ archive, originals }), {
        input: process.stdin,
        output,
        signal,
        newFence: () => randomBytes(8).toString("hex"),
        onFault: (error) => log.error(error),
      });
    } finally {
      await originals.close();
      await archive.close();
    }
  });
}
