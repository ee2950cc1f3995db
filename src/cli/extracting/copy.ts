import { rmSync } from "node:fs";
import type { Command } from "commander";
import { ArchiveError } from "../../errors.ts";
import {
  type ArchiveLocation,
  archiveAtUrl,
  isArchiveThere,
  isFile,
  isServerUrl,
  nameOfArchive,
  newArchiveLocation,
} from "../../store/contract/archive-location.ts";
import { countOf, formatCount } from "../../text/tokens/format-count.ts";
import { performWork } from "../terminal/command-work.ts";
import type { Session } from "../terminal/session.ts";
import { SOURCE_ARGUMENT } from "../terminal/store-source.ts";
import { locateSource } from "./open-archive.ts";

interface CopyFlags {
  readonly replace?: true;
  readonly verify?: true;
}

export function declareCopy(program: Command, session: () => Session): void {
  program
    .command("copy")
    .description("copy an archive between files and PostgreSQL databases")
    .argument("<from>", SOURCE_ARGUMENT)
    .argument("<to>", "directory or .db file to create, or a collection: postgres://host/database#name")
    .option("--replace", "replace an existing archive")
    .option("--verify", "verify the result by comparing every table")
    .action(async (source: string, target: string, flags: CopyFlags) => {
      const from = await locateSource(source, session());
      const to = isServerUrl(target) ? archiveAtUrl(target) : newArchiveLocation(target);
      if (nameOfArchive(from) === nameOfArchive(to))
        throw new ArchiveError("INVALID_ARGUMENT", `${nameOfArchive(to)} cannot be copied to itself`);
      await requireFree(to, flags.replace === true);
      const { unfinishedCopy } = await import("../../store/archive/copy-archive.ts");
      const { screen, signal, print } = session();
      const begin = screen.now();
      const { messages, comparedTables } = await performWork(
        { kind: "copy", from, to, isVerified: flags.verify === true },
        {
          signal,
          onEvent: () => undefined,
          cleanUp: () => {
            if (isFile(to)) rmSync(unfinishedCopy(to).file, { force: true });
          },
        },
      );
      const seconds = (screen.now() - begin) / 1000;
      print(`Copied ${countOf(messages, "message")} to ${nameOfArchive(to)} in ${seconds.toFixed(1)} s`);
      if (comparedTables > 0) print(`Compared ${formatCount(comparedTables)} tables: no differences`);
    });
}

/**
 * Throws OUTPUT_OTHER_SOURCES if the location has an archive that must not be replaced: its contents may exist nowhere
 * else. Throws in any case if a server does not answer.
 */
export async function requireFree(to: ArchiveLocation, isReplaced: boolean): Promise<void> {
  const { isCollectionThere } = await import("../../store/postgres/collections/epochs.ts");
  const isThere = isFile(to) ? isArchiveThere(to) : await isCollectionThere(to);
  if (!isThere || isReplaced) return;
  throw new ArchiveError("OUTPUT_OTHER_SOURCES", `${nameOfArchive(to)} already contains an archive`, {
    hint: "select another location, or replace the archive with --replace",
  });
}
