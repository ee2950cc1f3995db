import { GRAPH_PAYLOAD } from "./contact-graph.ts";
import { recordSchemaOf } from "./record-schema.ts";

export const graphPayloadSchema = recordSchemaOf(GRAPH_PAYLOAD);
