import type { Command } from "commander";
import { displaySource } from "../../store/contract/archive-location.ts";
import { limitHeapGrowth } from "../../v8-flags.ts";
import { openPage, unopened } from "../terminal/open-page.ts";
import type { Session } from "../terminal/session.ts";
import { SOURCE_ARGUMENT } from "../terminal/store-source.ts";
import { openLocalArchive } from "./local-archive.ts";
import { addOriginalFlags, type OriginalFlags, originalSearch } from "./original-flags.ts";
import {
  allowedHosts,
  BASE_PATH_DESCRIPTION,
  basePathOf,
  type ProxyFlags,
  portNumber,
  type ServerFlags,
  serverLog,
} from "./served-archive.ts";

/** Declares `archivetool serve`. */
export function declareServe(program: Command, session: () => Session): void {
  const command = program
    .command("serve")
    .description("start a local server with the web page and API routes")
    .argument("<source>", SOURCE_ARGUMENT)
    .option("--port <n>", "port to listen on", "8080")
    .option("--host <host>", "address to listen on", "127.0.0.1")
    .option("--open", "open the page in the browser")
    .option("--base-path <prefix>", BASE_PATH_DESCRIPTION)
    .option("--allow-host <host...>", "host names that requests may use")
    .option("--read-only", "disable the notebook: the page cannot write anything");
  addOriginalFlags(command).action(
    async (
      source: string,
      flags: ServerFlags & ProxyFlags & OriginalFlags & { readonly open?: true; readonly readOnly?: true },
    ) => {
      const { signal, print, log } = session();
      limitHeapGrowth();
      const port = portNumber(flags.port);
      const { serveUntil } = await import("../../http/http-server.ts");
      const setting = {
        host: flags.host,
        allowedHosts: allowedHosts(flags),
        basePath: basePathOf(flags),
        isReadOnly: flags.readOnly === true,
        originals: originalSearch(flags, session()),
        log: await serverLog(session()),
      };
      const served = await openLocalArchive(source, setting, session());
      try {
        const onReady = (url: string): void => {
          print(`${displaySource(source)} is served on ${url} (Ctrl-C to stop)`);
          if (flags.open) openPage(url, process.platform, unopened(log, url));
          served.warm();
        };
        await serveUntil(served.app, { host: flags.host, port }, { signal, onReady });
      } finally {
        await served.close();
      }
    },
  );
}
