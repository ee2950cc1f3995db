import type { Command } from "commander";
import { ArchiveError } from "../../errors.ts";
import { archiveAtUrl, isServerUrl, nameOfArchive } from "../../store/contract/archive-location.ts";
import { countOf } from "../../text/tokens/format-count.ts";
import type { Session } from "../terminal/session.ts";

/** Declares `archivetool remove`. */
export function declareRemove(program: Command, session: () => Session): void {
  program
    .command("remove")
    .description("delete a collection of a PostgreSQL database and all its rows")
    .argument("<collection>", "postgres://host/database#name")
    .option("--notebook", "also delete its notebook")
    .action(async (source: string, { notebook }: { readonly notebook?: true }) => {
      if (!isServerUrl(source))
        throw new ArchiveError("INVALID_ARGUMENT", "only a collection can be deleted: postgres://host/database#name", {
          hint: "delete an output directory with your system tools",
        });
      const location = archiveAtUrl(source);
      const { removeCollection } = await import("../../store/postgres/collections/remove-collection.ts");
      const { messages, keptNotes } = await removeCollection(location, notebook === true);
      const { print } = session();
      print(`Deleted ${nameOfArchive(location)} with ${countOf(messages, "message")}`);
      if (keptNotes > 0) print(`Kept its notebook with ${countOf(keptNotes, "note")}; delete it with --notebook`);
    });
}
