import * as z from "zod";

/** Values that every published record is made of, as schemas; `published-values.ts` writes them. */

/** ISO 8601 in UTC with seconds: the only form dates are published in. */
const DATE_PATTERN = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

export const dateSchema = z.string().regex(DATE_PATTERN, "must be a date-time such as 2001-05-14T16:39:00Z");
export const nullableDateSchema = dateSchema.nullable();
export const countSchema = z.int().min(0);
export const scoreSchema = z.number();
export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/, "must be 64 lower-case hex digits");

/** The id of a kind: its word, a dash, and digits padded to a width they may outgrow. */
export const idSchema = (kind: string, digits: number) =>
  z
    .string()
    .regex(new RegExp(`^${kind}-\\d{${digits},15}$`), `must be an id such as ${kind}-${"1".padStart(digits, "0")}`);
export const messageIdSchema = idSchema("msg", 6);
export const contactIdSchema = idSchema("contact", 6);
export const threadIdSchema = idSchema("thread", 6);
export const topicIdSchema = idSchema("topic", 3);
export const communityIdSchema = idSchema("community", 2);
export const eventIdSchema = idSchema("event", 6);
export const itemIdSchema = idSchema("item", 6);

export const addressSchema = z.strictObject({ name: z.string(), email: z.string() });

export const countsSchema = z.strictObject({
  seen: countSchema,
  kept: countSchema,
  duplicate: countSchema,
  skipped: countSchema,
  failed: countSchema,
});
