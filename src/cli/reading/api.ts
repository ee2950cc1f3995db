import type { Command } from "commander";
import { displaySource } from "../../store/contract/archive-location.ts";
import { limitHeapGrowth } from "../../v8-flags.ts";
import { locateSource, openLocatedArchive } from "../extracting/open-archive.ts";
import type { Session } from "../terminal/session.ts";
import { SOURCE_ARGUMENT } from "../terminal/store-source.ts";
import { environmentName, portNumber, type ServerFlags, serverLog, warmSearch } from "./served-archive.ts";

/** Declares `archivetool api`. */
export function declareApi(program: Command, session: () => Session): void {
  program
    .command("api")
    .description("serve the query API for an archive")
    .argument("<source>", SOURCE_ARGUMENT)
    .option("--port <n>", "port to listen on", "8000")
    .option("--host <host>", "address to listen on", "127.0.0.1")
    .action(async (source: string, flags: ServerFlags) => {
      limitHeapGrowth();
      const { signal, print } = session();
      const port = portNumber(flags.port);
      const { serveUntil } = await import("../../http/http-server.ts");
      const { createQueryApi } = await import("../../http/query-api/query-api.ts");
      const { watchArchive } = await import("../../store/archive/watch-archive.ts");
      const location = await locateSource(source, session());
      const archive = await openLocatedArchive(location);
      const watch = await watchArchive(location);
      try {
        const app = await createQueryApi(archive, environmentName(), await serverLog(session()), watch);
        const onReady = (url: string): void => {
          print(`query API of ${displaySource(source)} on ${url} (Ctrl-C to stop)`);
          warmSearch(archive);
        };
        await serveUntil(app, { host: flags.host, port }, { signal, onReady });
      } finally {
        await watch?.close();
        await archive.close();
      }
    });
}
