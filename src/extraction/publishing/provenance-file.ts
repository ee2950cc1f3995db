import { provenanceDocument } from "../../document/provenance.ts";
import { writeDurably } from "../../files/durable-files.ts";
import type { Provenance } from "../../mail/records/provenance.ts";

/** Writes provenance.json atomically and durably. */
export function writeProvenance(provenance: Provenance, path: string): void {
  writeDurably(path, `${JSON.stringify(provenanceDocument(provenance), null, 2)}\n`);
}
