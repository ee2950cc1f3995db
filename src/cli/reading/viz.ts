import { resolve } from "node:path";
import type { Command } from "commander";
import { ArchiveError } from "../../errors.ts";
import { writeDurably } from "../../files/durable-files.ts";
import { outputFault } from "../../files/output-fault.ts";
import { withNamedArchive } from "../extracting/open-archive.ts";
import type { Session } from "../terminal/session.ts";
import { SOURCE_ARGUMENT } from "../terminal/store-source.ts";

/** Declares `archivetool viz`. */
export function declareViz(program: Command, session: () => Session): void {
  program
    .command("viz")
    .description("write the contact graph as a self-contained HTML file")
    .argument("<source>", SOURCE_ARGUMENT)
    .option("-o, --output <file>", "file to write", "graph.html")
    .action(async (source: string, flags: { readonly output: string }) => {
      if (flags.output === "") throw new ArchiveError("INVALID_ARGUMENT", '--output must be a file, not ""');
      // Loaded on demand, so that help, version and argument errors are fast.
      const { renderGraphPage } = await import("../../outputs/graph-page/render-graph-page.ts");
      await withNamedArchive(source, session(), async (archive) => {
        replaceFile(flags.output, await renderGraphPage(archive));
      });
      session().print(`Created ${flags.output}`);
    });
}

/**
 * Writes to a temporary file and renames it, so an existing page is replaced only by a complete one. Throws
 * OUTPUT_UNWRITABLE or DISK_FULL.
 */
function replaceFile(path: string, text: string): void {
  try {
    writeDurably(resolve(path), text);
  } catch (error) {
    throw outputFault(error, path, "a file in a writable directory with --output");
  }
}
