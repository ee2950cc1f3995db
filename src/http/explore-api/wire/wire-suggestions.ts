import * as z from "zod";
import { countSchema } from "../../../document/wire-values.ts";

/** What is suggested to somebody who writes a query. */

const suggestionSchema = z.object({
  kind: z.enum(["operator", "person", "topic", "mailbox", "value", "tag", "event", "saved"]),
  text: z.string().describe("takes the place of the word; that of a saved search, of the whole query"),
  label: z.string(),
  count: countSchema.nullable().describe("messages, where they are told"),
});

export const suggestionsSchema = z.object({
  start: countSchema.describe("where the word at the cursor begins in the query"),
  end: countSchema.describe("where it ends, exclusive"),
  suggestions: z.array(suggestionSchema),
});

export type SuggestionWire = z.infer<typeof suggestionSchema>;
export type SuggestionsWire = z.infer<typeof suggestionsSchema>;
