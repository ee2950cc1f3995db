import * as z from "zod";
import { EXPLORED_SORTS, FACETS } from "../../mail/exploration.ts";
import { MAX_CLAUSES } from "../../search/query-syntax.ts";
import { RANGE_CALLS, type RangeCall } from "../../search/searched-range.ts";
import { float64Wire, uint32Wire } from "./packed-numbers.ts";

const count = z.int().nonnegative();
const words = z.array(z.string());
const written = { start: count, end: count };
const condition = z.enum(["required", "excluded"]);
const demand = z.enum(["optional", "required", "excluded"]);

const clauseWire = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("words"), demand, tokens: words, ...written }),
  z.strictObject({ kind: z.literal("phrase"), demand: condition, tokens: words, ...written }),
  z.strictObject({ kind: z.literal("prefix"), demand, tokens: words, ...written }),
  z.strictObject({
    kind: z.literal("field"),
    demand: condition,
    field: z.string(),
    text: z.string(),
    tokens: words,
    ...written,
  }),
  z.strictObject({ kind: z.literal("date"), demand: condition, first: z.number(), last: z.number(), ...written }),
  z.strictObject({
    kind: z.literal("group"),
    demand: condition,
    get alternatives(): z.ZodArray<z.ZodArray<z.ZodType>> {
      return z.array(z.array(clauseWire));
    },
    ...written,
  }),
]);

const queryWire = z.strictObject({
  use: z.enum(["rank", "explore", "match"]),
  // Words of `similar:` are clauses beside those that somebody wrote.
  clauses: z.array(clauseWire).max(2 * MAX_CLAUSES),
  filter: z.strictObject({
    from: z.string().optional(),
    topicId: z.string().optional(),
    after: z.number().optional(),
    before: z.number().optional(),
  }),
  revision: count,
  whole: z.strictObject({
    terms: z.array(z.tuple([z.string(), count])),
    prefixes: z.array(z.strictObject({ prefix: z.string(), limit: count, terms: words, documentFrequency: count })),
  }),
});

const rowsWire = z.strictObject({
  documents: float64Wire,
  keys: float64Wire,
  ties: float64Wire,
  texts: float64Wire,
  told: float64Wire,
});
const rankedWire = z.strictObject({ ranked: rowsWire, rest: rowsWire });
const timeRange = z.strictObject({ first: z.number(), last: z.number() });
const frame = z.strictObject({
  first: z.number().nullable(),
  last: z.number().nullable(),
  by: z.enum(["day", "month", "year"]),
});
const facet = z.enum(FACETS);
const sort = z.enum(EXPLORED_SORTS);
const threadSort = z.enum(["newest", "oldest"]);

/** What each call is given and what it finds, as it crosses. */
const CALLS: Readonly<Record<RangeCall, { readonly given: z.ZodType<readonly unknown[]>; readonly found: z.ZodType }>> =
  {
    frequencies: {
      given: z.tuple([z.strictObject({ terms: words, prefixes: words })]),
      found: z.strictObject({
        terms: z.array(count),
        prefixes: z.array(z.array(z.tuple([z.string(), count]))),
      }),
    },
    unions: { given: z.tuple([z.array(words)]), found: z.array(count) },
    rank: { given: z.tuple([queryWire, count]), found: rankedWire.nullable() },
    saying: { given: z.tuple([queryWire, z.array(count)]), found: uint32Wire },
    fitting: { given: z.tuple([queryWire]), found: uint32Wire },
    find: {
      given: z.tuple([queryWire]),
      found: z.strictObject({ total: count, counts: z.array(count), threads: uint32Wire, hits: uint32Wire }),
    },
    order: { given: z.tuple([queryWire, sort, count]), found: rankedWire },
    texts: { given: z.tuple([queryWire]), found: z.strictObject({ lone: count, texts: uint32Wire }) },
    counts: {
      given: z.tuple([queryWire, facet, z.boolean()]),
      found: z.strictObject({
        total: count,
        none: count,
        values: float64Wire,
        counts: uint32Wire,
        names: words.nullable(),
      }),
    },
    dates: {
      given: z.tuple([queryWire, timeRange.nullable()]),
      found: z.strictObject({
        total: count,
        within: count,
        undated: count,
        before: count,
        after: count,
        first: z.number().nullable(),
        last: z.number().nullable(),
      }),
    },
    bins: { given: z.tuple([queryWire, queryWire.nullable(), frame]), found: z.array(count) },
    dateEnds: {
      given: z.tuple([count]),
      found: z.strictObject({ dated: count, earliest: float64Wire, latest: float64Wire }),
    },
    threads: {
      given: z.tuple([queryWire, threadSort, count]),
      found: z.strictObject({ threads: float64Wire, keys: float64Wire }),
    },
    threadDates: {
      given: z.tuple([queryWire, z.array(count)]),
      found: z.strictObject({ firsts: float64Wire, lasts: float64Wire }),
    },
  };

/** A call as one replica makes it to another. */
export const rangeCallWire = z.strictObject({
  place: z.strictObject({
    epoch: count,
    isNotebookHidden: z.boolean(),
    first: count,
    end: count,
    archive: z.strictObject({
      firstDocument: count,
      end: count,
      documentCount: count,
      averageLength: z.number().nonnegative(),
    }),
  }),
  call: z.enum(RANGE_CALLS),
  given: z.array(z.unknown()),
});
export type RangeCallWire = z.infer<typeof rangeCallWire>;

export const givenWire = (call: RangeCall): z.ZodType<readonly unknown[]> => CALLS[call].given;
export const foundWire = (call: RangeCall): z.ZodType => CALLS[call].found;
