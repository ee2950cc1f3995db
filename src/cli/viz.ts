import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { ArchiveError, systemErrorCode } from "../errors.ts";
import { openNamedArchive } from "./named-archive.ts";
import type { Session } from "./session.ts";

/** Declares `archivetool viz`. */
export function declareViz(program: Command, session: () => Session): void {
  program
    .command("viz")
    .description("write the contact graph as one HTML file that needs no network")
    .argument("<source>", "output directory, its archive.db, or an extraction.json")
    .option("-o, --output <file>", "file to write", "graph.html")
    .action(async (source: string, flags: { readonly output: string }) => {
      // Loaded when needed: help, version and errors in the arguments answer at once.
      const { renderGraphPage } = await import("../outputs/graph-page/render-graph-page.ts");
      const archive = await openNamedArchive(source);
      try {
        replaceFile(flags.output, await renderGraphPage(archive));
      } finally {
        await archive.close();
      }
      session().print(`Created ${flags.output}`);
    });
}

/** Writes a file beside the name it takes when it is whole: a page that was there stays until then. Throws OUTPUT_UNWRITABLE or DISK_FULL. */
function replaceFile(path: string, text: string): void {
  const whole = resolve(path);
  const unfinished = `${whole}.${process.pid}.tmp`;
  try {
    const descriptor = openSync(unfinished, "wx", 0o644);
    try {
      const bytes = Buffer.from(text, "utf8");
      for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(unfinished, whole);
  } catch (error) {
    rmSync(unfinished, { force: true });
    const code = systemErrorCode(error);
    throw new ArchiveError(code === "ENOSPC" ? "DISK_FULL" : "OUTPUT_UNWRITABLE", `cannot write ${path}: ${code ?? "unknown error"}`, {
      cause: error,
      hint:
        code === "ENOSPC"
          ? "free some space, or choose another disk with --output"
          : "choose a file in a directory you may write to with --output",
    });
  }
}
