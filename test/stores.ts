import { join } from "node:path";
import { type ArchiveLocation, archiveAt } from "../src/store/archive-location.ts";

/** A store that keeps the contract of `Archive` and `ArchiveWriter`: the tests of src/store/ are run against each. */
export interface TestedStore {
  readonly name: string;
  /** A place for an archive that nothing is kept at yet; whoever tests removes the directory. */
  placeIn(directory: string, name: string): ArchiveLocation;
}

export const STORES: readonly TestedStore[] = [
  { name: "SQLite", placeIn: (directory, name) => archiveAt(join(directory, name)) },
];
