import { PROVENANCE, WARNINGS } from "./provenance.ts";
import { recordSchemaOf, schemaOf } from "./record-schema.ts";

export const provenanceSchema = recordSchemaOf(PROVENANCE);
export const warningsSchema = schemaOf(WARNINGS);
