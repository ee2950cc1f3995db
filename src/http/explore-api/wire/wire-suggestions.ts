import * as z from "zod";
import { countSchema } from "../../../document/wire-values.ts";

/** A suggestion for a query. */

const suggestionSchema = z.object({
  kind: z.enum(["operator", "person", "topic", "mailbox", "value", "tag", "event", "saved"]),
  text: z.string().describe("replaces the word; a saved search replaces the whole query"),
  label: z.string(),
  count: countSchema.nullable().describe("number of messages, if known"),
});

export const suggestionsSchema = z.object({
  start: countSchema.describe("start of the word at the cursor"),
  end: countSchema.describe("end of the word, exclusive"),
  suggestions: z.array(suggestionSchema),
});

export type SuggestionWire = z.infer<typeof suggestionSchema>;
export type SuggestionsWire = z.infer<typeof suggestionsSchema>;
