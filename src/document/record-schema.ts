import * as z from "zod";
import type { Fields, JsonOf, Omissible, Published, PublishedRecord, Shape } from "./published-record.ts";

/** Validator of a described value; created once, when a reader is loaded. */
export function schemaOf<Value, Json>(described: Published<Value, Json>): z.ZodType<Json> {
  return shapeSchema(described.shape) as z.ZodType<Json>;
}

type FieldSchemas<F extends Fields> = {
  readonly [K in keyof F as F[K][0]]: F[K][1] extends Omissible<unknown, unknown, boolean>
    ? z.ZodOptional<z.ZodType<JsonOf<F[K][1]>>>
    : z.ZodType<JsonOf<F[K][1]>>;
};
type RecordSchema<F extends Fields> = z.ZodObject<FieldSchemas<F>, z.core.$strict>;

/** Validator of a record, whose fields other schemas can pick. */
export function recordSchemaOf<F extends Fields>(described: PublishedRecord<F>): RecordSchema<F> {
  return shapeSchema(described.shape) as unknown as RecordSchema<F>;
}

/** The recursion is as deep as the written schema. */
function shapeSchema(shape: Shape): z.ZodType {
  switch (shape.kind) {
    case "text":
      return shape.pattern === null ? z.string() : z.string().regex(shape.pattern.pattern, shape.pattern.expected);
    case "integer":
      return shape.isNatural ? z.int().min(0) : z.int();
    case "number":
      return z.number();
    case "flag":
      return z.boolean();
    case "choice":
      return shape.words.length === 1 ? z.literal(shape.words[0]!) : z.enum(shape.words);
    case "texts-by-name":
      return z.record(z.string(), z.string());
    case "list":
      return z.array(shapeSchema(shape.of));
    case "nullable":
      return shapeSchema(shape.of).nullable();
    case "record":
      return z.strictObject(
        Object.fromEntries(
          shape.fields.map(({ name, shape: of, isOptional }) => [
            name,
            isOptional ? shapeSchema(of).optional() : shapeSchema(of),
          ]),
        ),
      );
  }
}
