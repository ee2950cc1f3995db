import * as z from "zod";
import { ELEMENTS, type Elements, EXTRACTION } from "./extraction-records.ts";
import type { JsonOf, Published } from "./published-record.ts";
import { recordSchemaOf, schemaOf } from "./record-schema.ts";

export const extractionSchema = recordSchemaOf(EXTRACTION);

export type ElementKey = keyof Elements;
/** Schema of each list's elements. */
export const ELEMENT_SCHEMAS = Object.fromEntries(
  Object.entries<Published<unknown, unknown>>(ELEMENTS).map(([key, element]) => [key, schemaOf(element)]),
) as unknown as { readonly [K in ElementKey]: z.ZodType<JsonOf<Elements[K]>> };

export type ValueKey = Exclude<keyof typeof extractionSchema.shape, ElementKey>;
/** Schema of each value other than lists. */
export const VALUE_SCHEMAS = Object.fromEntries(
  Object.entries(extractionSchema.shape).filter(([key]) => !Object.hasOwn(ELEMENTS, key)),
) as Pick<typeof extractionSchema.shape, ValueKey>;

/** The JSON Schema (draft-07) of extraction.json, printed by `archivetool schema`. */
export function extractionJsonSchema(): object {
  return z.toJSONSchema(extractionSchema, { target: "draft-7" });
}
