import * as z from "zod";
import { countSchema, dateSchema } from "../../../document/wire-values.ts";
import { EXPLORED_SORTS, MAX_NAMED_IDS, WORD_MATCHES } from "../../../mail/exploration.ts";
import { NOTEBOOK_KINDS, REVIEW_STATES } from "../../../mail/notebook.ts";
import { sortBy } from "../../query-api/wire-requests.ts";

/** The notebook of an archive. */

/** Maximum characters of a name, of a note and of a query. */
const MAX_NAME = 200;
const MAX_NOTE = 20_000;
const MAX_QUERY = 4096;
/** Maximum tags of one entity. */
export const MAX_TAGS = 50;

/** Kinds of entities with tags and notes. */
export const MARKED_KINDS = ["message", "thread", "person", "topic"] as const;

/** A tag that `tag:` can find: the query language cannot express quotation marks. */
const tagName = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[^"“”„‟\n]*$/);

const markSchema = z.strictObject({
  tags: z.array(tagName).max(MAX_TAGS).readonly(),
  note: z.string().max(MAX_NOTE),
  review: z.enum(REVIEW_STATES),
});
const searchSchema = z.strictObject({
  q: z.string().max(MAX_QUERY),
  match: z.enum(WORD_MATCHES),
  sort: z.enum(EXPLORED_SORTS),
});
const tagSchema = z.strictObject({
  color: z.string().regex(/^#[0-9a-f]{6}$/),
  digit: z.int().min(1).max(9).nullable().describe("keyboard shortcut"),
});

/** Value of an entry by kind. */
export const VALUE_SCHEMAS = {
  message: markSchema,
  thread: markSchema,
  person: markSchema,
  topic: markSchema,
  search: searchSchema,
  tag: tagSchema,
} as const;

const valueSchema = z.union([markSchema, searchSchema, tagSchema]);

const authorSchema = z.string().nullable().describe("author of the entry; null if not recorded");

const entrySchema = z.object({
  kind: z.enum(NOTEBOOK_KINDS),
  id: z.string().nullable().describe("id in this archive, or the name; null if no longer in the archive"),
  revision: countSchema,
  value: valueSchema,
  updated_at: dateSchema,
  author: authorSchema,
});

const listedEntrySchema = entrySchema.extend({
  label: z.string().describe("subject or name of the marked item; empty if it has none or is not in the archive"),
});

export const notebookSchema = z.object({
  total: countSchema,
  tags: z.array(z.object({ name: z.string(), count: countSchema })).describe("tags in use, most frequent first"),
  entries: z.array(listedEntrySchema),
});

export const marksSchema = z.object({
  marks: z.array(z.object({ id: z.string(), revision: countSchema, value: markSchema })),
});

export const changeBody = z.strictObject({
  kind: z.enum(NOTEBOOK_KINDS),
  id: z.string().min(1).max(MAX_NAME).describe("id of a message, thread, contact or topic; name of a search or tag"),
  revision: z.int().min(0).describe("the revision you read; 0 for a new entry"),
  value: z.unknown().describe("null deletes the entry"),
});

export const taggingBody = z.union([
  z.strictObject({
    kind: z.enum(MARKED_KINDS),
    ids: z.array(z.string().min(1).max(MAX_NAME)).max(MAX_NAMED_IDS).readonly(),
    tag: tagName,
    is_set: z.boolean(),
  }),
  z.strictObject({
    kind: z.literal("message"),
    q: z.string().max(MAX_QUERY).describe("every message that matches this query"),
    match: sortBy(WORD_MATCHES),
    tag: tagName,
    is_set: z.boolean(),
  }),
]);

export const NOTEBOOK_FORMAT = "archivetool-notebook";

export const carriedSchema = z.strictObject({
  format: z.literal(NOTEBOOK_FORMAT),
  version: z.literal(1),
  entries: z.array(
    z.strictObject({
      kind: z.enum(NOTEBOOK_KINDS),
      key: z.string().min(1).max(5000),
      value: valueSchema,
      updated_at: dateSchema,
      author: authorSchema.optional(),
    }),
  ),
});

export type EntryWire = z.infer<typeof entrySchema>;
export type ListedEntryWire = z.infer<typeof listedEntrySchema>;
export type NotebookWire = z.infer<typeof notebookSchema>;
export type CarriedWire = z.infer<typeof carriedSchema>;
export type MarksWire = z.infer<typeof marksSchema>;
export type TaggingWire = Readonly<z.infer<typeof taggingBody>>;
export type TagWire = z.infer<typeof tagSchema>;
export type SavedSearchWire = z.infer<typeof searchSchema>;
export type MarkWire = z.infer<typeof markSchema>;
