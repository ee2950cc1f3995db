import { closeSync, fsyncSync, openSync, renameSync, writeSync } from "node:fs";
import { provenanceDocument } from "../document/provenance.ts";
import type { Provenance } from "../mail/provenance.ts";

export const PROVENANCE_FILE = "provenance.json";

/** Writes provenance.json whole or not at all. */
export function writeProvenance(provenance: Provenance, path: string): void {
  const temporary = `${path}.new`;
  const descriptor = openSync(temporary, "w");
  try {
    writeSync(descriptor, `${JSON.stringify(provenanceDocument(provenance), null, 2)}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(temporary, path);
}
