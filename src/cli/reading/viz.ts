import { resolve } from "node:path";
import type { Command } from "commander";
import { ArchiveError, systemErrorCode } from "../../errors.ts";
import { writeDurably } from "../../files/durable-files.ts";
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
    const code = systemErrorCode(error);
    throw new ArchiveError(
      code === "ENOSPC" ? "DISK_FULL" : "OUTPUT_UNWRITABLE",
      `cannot write ${path}: ${code ?? "unknown error"}`,
      {
        cause: error,
        hint:
          code === "ENOSPC"
            ? "free some space, or select another disk with --output"
            : "select a file in a writable directory with --output",
      },
    );
  }
}
