import * as z from "zod";

/** Possible states of an original, in the order of the response. */
export const ORIGINAL_STATES = ["available", "moved", "changed", "protected", "unreadable"] as const;

const count = z.int().min(0);

const originalPlaceSchema = z.object({
  source: count.describe("the number of its source"),
  mailbox: z.string(),
  location: z.string().describe("location in its source"),
  state: z.enum(ORIGINAL_STATES),
});

const originalPlacesSchema = z.object({
  places: z.array(originalPlaceSchema).readonly().describe("every location of the message in order"),
});

const lostOriginalSchema = originalPlaceSchema.extend({
  id: z.string().describe("the message"),
  state: z.enum(ORIGINAL_STATES).exclude(["available"]),
});

const originalCheckSchema = z.object({
  total: count.describe("messages of the archive"),
  checked: count.describe("messages covered by this response"),
  states: z
    .object(Object.fromEntries(ORIGINAL_STATES.map((state) => [state, count])) as Record<OriginalState, typeof count>)
    .describe("locations of these messages by state; a message with duplicates has several"),
  lost: z.array(lostOriginalSchema).describe("every location whose original is not available"),
});

/** Availability of an attachment; a redacted archive withholds all. */
export const ATTACHMENT_STATES = [...ORIGINAL_STATES, "withheld"] as const;

/** The same for attachments of an event or item, whose location archives of earlier versions lack. */
export const ITEM_FILE_STATES = [...ATTACHMENT_STATES, "unplaced"] as const;

export type ItemFileState = (typeof ITEM_FILE_STATES)[number];
export type AttachmentState = (typeof ATTACHMENT_STATES)[number];
export type OriginalState = (typeof ORIGINAL_STATES)[number];
export type OriginalPlaceWire = z.infer<typeof originalPlaceSchema>;
export type OriginalPlacesWire = z.infer<typeof originalPlacesSchema>;
export type LostOriginalWire = z.infer<typeof lostOriginalSchema>;
export type OriginalCheckWire = z.infer<typeof originalCheckSchema>;
