import * as z from "zod";
import { CONTACT_SORTS, MESSAGE_SORTS } from "../../mail/archive.ts";
import { RANKED_MATCHES } from "../../mail/exploration.ts";
import { parseDateBound } from "../date-bound.ts";
import { formatValue } from "../format-value.ts";

/**
 * Parameters of the eleven routes. Every error says what was received and what is allowed, after the name of the
 * parameter.
 */

/** Maximum items per page: a page of 1,000 messages is a few megabytes. */
const MAX_LIMIT = 1000;
/** Maximum offset for 32-bit clients. */
const MAX_OFFSET = 2 ** 31 - 1;
/** Maximum characters of a search query after trimming. */
const MAX_QUERY_CHARACTERS = 1000;

type Refused = { readonly input?: unknown };
export const mustBe =
  (allowed: string) =>
  ({ input }: Refused): string =>
    `must be ${allowed}, not ${formatValue(input)}`;

export function integerBetween(least: number, most: number, usual: number) {
  const error = mustBe(`an integer from ${least} to ${most}`);
  return z.int({ error }).min(least, { error }).max(most, { error }).default(usual);
}

export const limit = (usual: number, most: number = MAX_LIMIT) =>
  integerBetween(1, most, usual).describe("maximum results");
export const offset = integerBetween(0, MAX_OFFSET, 0).describe("pagination offset");

export function sortBy<const T extends readonly [string, ...string[]]>(sorts: T) {
  const [usual] = sorts;
  return z.enum(sorts, { error: mustBe(`one of ${sorts.join(", ")}`) }).default(usual as never);
}

/** A text filter; an empty one is ignored. */
export const filter = (description: string) =>
  z
    .string({ error: mustBe("text") })
    .optional()
    .describe(description);

export const noParameters = z.object({});

export const contactParameters = z.object({
  limit: limit(100),
  offset,
  sort: sortBy(CONTACT_SORTS),
  search: filter("substring of name or email, ignoring case and accents"),
});

export const messageParameters = z.object({
  limit: limit(50),
  offset,
  sort: sortBy(MESSAGE_SORTS),
  from: filter("sender address, ignoring case; includes aliases of the same contact"),
  thread_id: filter("messages in this thread"),
  topic_id: filter("messages in this topic"),
});

export type MessageParameters = z.infer<typeof messageParameters>;

/** The orders specified for the API; the explore API has more. */
const SPECIFIED_TOPIC_SORTS = ["frequency", "name"] as const;

export const topicParameters = z.object({ limit: limit(50), sort: sortBy(SPECIFIED_TOPIC_SORTS) });

export const threadParameters = z.object({ limit: limit(50), offset });

export const isoDate = (description: string) => {
  const error = mustBe("an ISO 8601 date such as 2001-05-14 or 2001-05-14T16:39:00Z");
  return z
    .string({ error })
    .refine((text) => parseDateBound(text) !== null, { error })
    .optional()
    .describe(description);
};

/** The error for a field that is not in the table. */
function unknownField(allowed: readonly string[]) {
  return (issue: { readonly code?: string; readonly keys?: readonly string[]; readonly input?: unknown }): string =>
    issue.code === "unrecognized_keys"
      ? `has an unknown field ${formatValue(issue.keys?.[0])}; allowed: ${allowed.join(", ")}`
      : `must be an object with ${allowed.join(", ")}, not ${formatValue(issue.input)}`;
}

const queryError = mustBe(`text of 1 to ${MAX_QUERY_CHARACTERS} characters`);

/** The search query. */
export const queryText = z
  .string({ error: queryError })
  .refine(isQuery, { error: queryError })
  .describe(`search terms, 1 to ${MAX_QUERY_CHARACTERS} characters`);

function isQuery(text: string): boolean {
  const trimmed = text.trim();
  return trimmed !== "" && Array.from(trimmed).length <= MAX_QUERY_CHARACTERS;
}

const filters = {
  from: filter("sender address, ignoring case; includes aliases of the same contact"),
  topic_id: filter("messages in this topic"),
  date_from: isoDate("start date or time, inclusive"),
  date_to: isoDate("end date or time, inclusive; a date without a time includes the whole UTC day"),
};

export const searchBody = z.strictObject(
  {
    query: queryText,
    limit: limit(20),
    match: sortBy(RANKED_MATCHES).describe("match all words, any word, or any word if no message has all"),
    filters: z.strictObject(filters, { error: unknownField(Object.keys(filters)) }).optional(),
  },
  { error: unknownField(["query", "limit", "match", "filters"]) },
);
export type SearchBody = z.infer<typeof searchBody>;
