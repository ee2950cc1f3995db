import * as z from "zod";
import { contactIdSchema, countSchema } from "../../../document/wire-values.ts";

/** Corrections of people and topics. */

/** Maximum characters of a name, and of an address. */
const MAX_NAME = 200;
const MAX_ADDRESS = 2000;
/** Maximum people or topics that one correction joins. */
const MAX_MERGED = 50;

/** True if an archive has its corrections applied; `failed` stays until a later run succeeds. */
const FOLLOW_STATES = ["current", "applying", "failed"] as const;
export type FollowState = (typeof FOLLOW_STATES)[number];

const CORRECTED = ["people", "topics"] as const;
export type Corrected = (typeof CORRECTED)[number];

const revision = z.string().max(64).describe("the revision you read");
const id = z.string().min(1).max(MAX_NAME);
const NAME_RULE = `must be one line of 1 to ${MAX_NAME} characters without < and >, and not begin with #, !, @ or -`;
/** A name that fits on a line of people.txt. */
const name = z
  .string()
  .trim()
  .min(1, NAME_RULE)
  .max(MAX_NAME, NAME_RULE)
  .regex(/^[^#!@\-<>\n\r][^<>\n\r]*$/, NAME_RULE);
const address = z.string().trim().min(1).max(MAX_ADDRESS);
const merged = z.array(id).min(2).max(MAX_MERGED).readonly();

/** The body of each correction, by the last two parts of its path. */
export const CORRECTION_BODIES = {
  "people/merge": z.strictObject({ revision, people: merged }),
  "people/split": z.strictObject({ revision, addresses: z.tuple([address, address]) }),
  "people/rename": z.strictObject({ revision, person: id, name }),
  "people/undo": z.strictObject({ revision }),
  "topics/merge": z.strictObject({ revision, topics: merged }),
  "topics/rename": z.strictObject({ revision, topic: id, name }),
  "topics/hide": z.strictObject({ revision, topic: id }),
  "topics/undo": z.strictObject({ revision }),
} as const;

const setSchema = z.object({
  revision: z.string(),
  last: z.string().nullable().describe("date and kind of the last correction, which undo removes; null for none"),
});

export const correctionsSchema = z.object({
  state: z.enum(FOLLOW_STATES).describe("whether the archive shows the corrections yet"),
  people: setSchema,
  topics: setSchema,
});

const suggestedSchema = z.object({
  id: contactIdSchema,
  name: z.string(),
  email: z.string(),
  message_count: countSchema,
});

export const suggestionsSchema = z.object({
  suggestions: z.array(
    z.object({
      one: suggestedSchema,
      other: suggestedSchema,
      bits: z.number().describe("weight of the evidence; 5 joins without asking"),
      reason: z.string().describe("the evidence in words"),
    }),
  ),
});

export type CorrectionsWire = z.infer<typeof correctionsSchema>;
export type SuggestionsWire = z.infer<typeof suggestionsSchema>;
