import * as z from "zod";
import { communityIdSchema, contactIdSchema, countSchema, nullableDateSchema, scoreSchema } from "./wire-values.ts";

/** A contact as a node of contacts.json, of the graph page and of every graph payload. */
export const contactNodeSchema = z.strictObject({
  id: contactIdSchema,
  name: z.string(),
  email: z.string(),
  message_count: countSchema,
  sent_count: countSchema,
  received_count: countSchema,
  first_seen: nullableDateSchema,
  last_seen: nullableDateSchema,
  domains: z.array(z.string()).readonly(),
  aliases: z.array(z.string()).readonly(),
  authority_score: scoreSchema,
  hub_score: scoreSchema,
  pagerank: scoreSchema,
  /** Community number: 1 is `community-01`. */
  community: countSchema,
  community_id: communityIdSchema,
  degree: countSchema,
  in_degree: countSchema,
  out_degree: countSchema,
});

/** Sender to recipient; `from` and `to` are node ids. */
export const contactArcSchema = z.strictObject({ from: contactIdSchema, to: contactIdSchema, count: countSchema });

/** The contact graph as a server sends it: contacts.json cut to its strongest part, with the size of the whole. */
export const graphPayloadSchema = z.strictObject({
  /** Most messages first, then by id. */
  nodes: z.array(contactNodeSchema).readonly(),
  /** Every edge between them, in (from, to) order of the archive. */
  edges: z.array(contactArcSchema).readonly(),
  total_nodes: countSchema,
  total_edges: countSchema,
});

export type ContactNode = Readonly<z.infer<typeof contactNodeSchema>>;
export type ContactArc = Readonly<z.infer<typeof contactArcSchema>>;
export type GraphPayload = Readonly<z.infer<typeof graphPayloadSchema>>;
