import type { Command } from "commander";
import { ArchiveError } from "../errors.ts";
import { archiveAtUrl, isServerUrl, nameOfArchive } from "../store/archive-location.ts";
import type { Session } from "./session.ts";

interface ReadersFlags {
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
  readonly json?: true;
}

/** Declares `archivetool readers`. */
export function declareReaders(program: Command, session: () => Session): void {
  program
    .command("readers")
    .description("say which roles of a PostgreSQL database may read a collection, and no other that is not theirs")
    .argument("<collection>", "postgres://host/database#name")
    .option("--add <roles...>", "name roles of the server as readers")
    .option("--remove <roles...>", "roles that are readers no more")
    .option("--json", "print as JSON")
    .action(async (source: string, { add = [], remove = [], json }: ReadersFlags) => {
      if (!isServerUrl(source))
        throw new ArchiveError("INVALID_ARGUMENT", "only a collection has readers: postgres://host/database#name");
      const location = archiveAtUrl(source);
      const { changeReaders, readersOf } = await import("../store/postgres/collection-readers.ts");
      const isChange = add.length + remove.length > 0;
      const readers = isChange
        ? await changeReaders(location, { added: add, removed: remove })
        : await readersOf(location);
      const { print, printJson } = session();
      if (json) printJson({ is_restricted: readers !== null, readers: readers ?? [] });
      else if (readers === null) print(`everybody who may read the tables reads ${nameOfArchive(location)}`);
      else for (const reader of readers) print(reader);
    });
}
