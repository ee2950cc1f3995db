import * as z from "zod";
import { countSchema } from "../../../document/wire-values.ts";

/** The contact graph with positions, as columns. */

const texts = z.array(z.string()).readonly();
const counts = z.array(countSchema).readonly();
const scores = z.array(z.number()).readonly();
const times = z.array(z.number().int().nullable()).readonly().describe("seconds since 1970");

export const graphSchema = z.object({
  generator: z.string().describe("name and version of the tool that created the archive"),
  extracted_at: z.number().int().describe("seconds since 1970"),
  totals: z.object({ contacts: countSchema, edges: countSchema }).describe("totals of the whole graph"),
  dates: z
    .object({ first: z.number().int(), last: z.number().int() })
    .nullable()
    .describe("time span of the archive without outliers: seconds since 1970"),
  nodes: z
    .object({
      id: texts,
      name: texts,
      email: texts,
      aliases: z.array(texts).readonly(),
      messages: counts,
      sent: counts,
      received: counts,
      first_seen: times,
      last_seen: times,
      hub: scores,
      authority: scores,
      pagerank: scores,
      community: counts.describe("indices into `communities`"),
      partners: counts.describe("distinct contacts in the whole archive"),
      x: scores,
      y: scores,
    })
    .describe("people shown, most messages first"),
  ties: z
    .object({ a: counts, b: counts, there: counts, back: counts, skeleton: countSchema })
    .describe(
      "pairs of nodes that wrote, by their indices, with the messages of both directions; `skeleton` of them are the strongest of some node each, and stand first",
    ),
  communities: z.array(z.object({ id: z.string(), name: z.string(), members: countSchema })).readonly(),
});

export type GraphWire = z.infer<typeof graphSchema>;
