import * as z from "zod";

/** What can become of an original, in the order in which it is told. */
export const ORIGINAL_STATES = ["available", "moved", "changed", "protected", "unreadable"] as const;

const count = z.int().min(0);

const lostOriginalSchema = z.object({
  id: z.string().describe("the message"),
  source: count.describe("the number of its source"),
  mailbox: z.string(),
  location: z.string().describe("where in its source it was"),
  state: z.enum(ORIGINAL_STATES).exclude(["available"]),
});

const originalCheckSchema = z.object({
  total: count.describe("messages of the archive"),
  checked: count.describe("messages that this answer is about"),
  states: z
    .object(Object.fromEntries(ORIGINAL_STATES.map((state) => [state, count])) as Record<OriginalState, typeof count>)
    .describe("places of these messages by what became of them: a message with copies has several"),
  lost: z.array(lostOriginalSchema).describe("every place whose original cannot be had"),
});

type OriginalState = (typeof ORIGINAL_STATES)[number];
export type LostOriginalWire = z.infer<typeof lostOriginalSchema>;
export type OriginalCheckWire = z.infer<typeof originalCheckSchema>;
