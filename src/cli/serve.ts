import type { Command } from "commander";
import { shownSource } from "../store/archive-location.ts";
import { replacementOf } from "../store/replaced-archive.ts";
import { keepHeapNearLive } from "../v8-flags.ts";
import { locateSource, openLocatedArchive } from "./named-archive.ts";
import { openPage } from "./open-page.ts";
import { addOriginalFlags, type OriginalFlags, originalSearch, privateDirectory } from "./original-flags.ts";
import { environmentName, portNumber, type ServerFlags, serverLog, warmSearch } from "./served-archive.ts";
import type { Session } from "./session.ts";
import { SOURCE_ARGUMENT } from "./store-source.ts";

/** Declares `archivetool serve`. */
export function declareServe(program: Command, session: () => Session): void {
  const command = program
    .command("serve")
    .description("start the local server: a page with search and graph, and routes under /api/")
    .argument("<source>", SOURCE_ARGUMENT)
    .option("--port <n>", "port to listen on", "8080")
    .option("--host <host>", "address to listen on", "127.0.0.1")
    .option("--open", "show the page in the browser")
    .option("--read-only", "no notebook: nothing can be written from the page");
  addOriginalFlags(command).action(
    async (source: string, flags: ServerFlags & OriginalFlags & { readonly open?: true; readonly readOnly?: true }) => {
      const { signal, print, log } = session();
      keepHeapNearLive();
      const port = portNumber(flags.port);
      const { serveUntil } = await import("../http/http-server.ts");
      const { createLocalServer } = await import("../http/local-server/local-server.ts");
      const { OriginalThread } = await import("../originals/original-thread.ts");
      const { placedNotebook } = await import("../store/placed-notebook.ts");
      const { watchArchive } = await import("../store/watch-archive.ts");
      const originals = new OriginalThread(originalSearch(flags, session()));
      const shown = shownSource(source);
      const location = await locateSource(source, session());
      // Before it is opened: what takes its place in between is noticed.
      const isReplaced = replacementOf(location);
      const archive = await openLocatedArchive(flags.readOnly ? { ...location, isNotebookHidden: true } : location);
      const opened: { close(): Promise<void> }[] = [archive];
      try {
        const watch = await watchArchive(location);
        if (watch !== null) opened.push(watch);
        const notebook = flags.readOnly ? null : await placedNotebook(location);
        if (notebook !== null) opened.push(notebook);
        const app = await createLocalServer(
          archive,
          {
            source: shown,
            environment: environmentName(),
            host: flags.host,
            originals,
            notebook,
            watch,
            newDirectory: privateDirectory,
            isReplaced,
          },
          await serverLog(session()),
        );
        const onReady = (url: string): void => {
          print(`${shown} is served on ${url} (Ctrl-C ends it)`);
          if (flags.open)
            openPage(url, process.platform, (reason) => log.warning(`no browser was opened (${reason}): open ${url}`));
          warmSearch(archive);
        };
        await serveUntil(app, { host: flags.host, port }, { signal, onReady });
      } finally {
        for (const one of opened) await one.close();
      }
    },
  );
}
