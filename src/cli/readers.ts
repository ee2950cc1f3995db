import type { Command } from "commander";
import { ArchiveError } from "../errors.ts";
import { formatInstant, type Instant } from "../mail/instant.ts";
import { archiveAtUrl, type CollectionLocation, isServerUrl, nameOfArchive } from "../store/archive-location.ts";
import type { Session } from "./session.ts";
import { sinceInstant } from "./since-flag.ts";

interface ReadersFlags {
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
  readonly audit?: true;
  readonly since?: string;
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
    .option("--audit", "print what was read of it through serve and api")
    .option("--since <date>", "with --audit: only on or after this date or instant (ISO 8601)")
    .option("--json", "print as JSON")
    .action(async (source: string, { add = [], remove = [], json, ...asked }: ReadersFlags) => {
      if (!isServerUrl(source))
        throw new ArchiveError("INVALID_ARGUMENT", "only a collection has readers: postgres://host/database#name");
      const location = archiveAtUrl(source);
      if (asked.audit)
        return printReads(location, { since: sinceInstant(asked.since), json: json === true }, session());
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

async function printReads(
  location: CollectionLocation,
  { since, json }: { readonly since: Instant | null; readonly json: boolean },
  { print }: Session,
): Promise<void> {
  const { readsOf } = await import("../store/postgres/collection-audit.ts");
  for await (const { at, name, action, detail } of readsOf(location, since ?? 0)) {
    const read = { at: formatInstant(at), name, action, detail };
    print(json ? JSON.stringify(read) : [read.at, name, action, ...(detail === null ? [] : [detail])].join("  "));
  }
}
