import { ArchiveError } from "../../errors.ts";
import { isServerUrl } from "../../store/contract/archive-location.ts";

/** The database that `--store` names. Throws INVALID_ARGUMENT. */
export function databaseUrl(store: string | undefined): string {
  if (store === undefined || !isServerUrl(store) || !URL.canParse(store))
    throw new ArchiveError("INVALID_ARGUMENT", "--store must be a database URL: postgres://user@host/database");
  return store;
}
