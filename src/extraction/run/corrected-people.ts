import { hash } from "node:crypto";
import { settleCorrections } from "../../contacts/corrections/correction.ts";
import { parseCorrections } from "../../contacts/corrections/people-file.ts";
import { PEOPLE_FILE, peopleTextIn } from "../../store/notebook/people-beside.ts";
import type { PeopleCorrections } from "../knowledge/knowledge-context.ts";

/** What archives follow that were made without corrections. */
export const NO_PEOPLE_FILE = sha256Of("");

/** The corrections that lie beside the archive of an output directory. Throws INVALID_ARGUMENT. */
export function readCorrections(directory: string): PeopleCorrections {
  const text = peopleTextIn(directory);
  const corrections = parseCorrections(text, PEOPLE_FILE);
  // Comments and undone entries correct nothing.
  return {
    settled: settleCorrections(corrections),
    sha256: corrections.length === 0 ? NO_PEOPLE_FILE : sha256Of(JSON.stringify(corrections)),
  };
}

function sha256Of(text: string): string {
  return hash("sha256", text);
}
