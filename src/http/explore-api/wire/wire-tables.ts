import * as z from "zod";
import { CALENDAR_EVENT, ITEM, ITEM_ATTACHMENT } from "../../../document/extraction-records.ts";
import { recordSchemaOf } from "../../../document/record-schema.ts";
import { countSchema, messageIdSchema, sha256Schema } from "../../../document/wire-values.ts";
import { ATTACHMENT_TYPES } from "../../../mail/records/attachment-types.ts";
import { ITEM_FILE_STATES } from "./wire-originals.ts";

/** Tables of the explore API: files, calendar, Outlook items. */

const fileRowSchema = z.object({
  sha256: sha256Schema,
  filename: z.string().describe("its name in the first message"),
  name_count: countSchema.describe("distinct names of the file"),
  media_type: z.string(),
  type: z.enum(ATTACHMENT_TYPES),
  size_bytes: countSchema,
  messages: countSchema.describe("messages with this file"),
  message_id: messageIdSchema.describe("the first of them"),
  subject: z.string().describe("of that message"),
  number: countSchema.describe("position among the attachments of that message, from 1"),
});

export const filesSchema = z.object({
  total: countSchema.describe("distinct files, by SHA-256"),
  attachments: countSchema.describe("number of attachments"),
  size_bytes: countSchema.describe("total size of the distinct files"),
  types: z.array(z.object({ type: z.enum(ATTACHMENT_TYPES), count: countSchema })).describe("distinct files by type"),
  files: z.array(fileRowSchema),
});

export const mentionsSchema = z.object({
  total: countSchema.describe("distinct values"),
  mentions: z.array(
    z.object({
      value: z.string().describe("name, number in E.164, `USD 10000`, domain or number of a document"),
      messages: countSchema,
      clause: z.string().describe("clause that matches exactly these; empty if none exists"),
    }),
  ),
});

const itemFileSchema = z.object({
  number: countSchema.describe("position among the attachments, from 1"),
  type: z.enum(ATTACHMENT_TYPES),
  ...recordSchemaOf(ITEM_ATTACHMENT).shape,
});

const attachments = z.array(itemFileSchema);

/** Includes whether each can be opened. */
const heldAttachments = z.array(
  itemFileSchema.extend({
    availability: z
      .enum(ITEM_FILE_STATES)
      .nullable()
      .describe("whether it can be opened now; null for links and for originals stored elsewhere"),
  }),
);

const eventSchema = recordSchemaOf(CALENDAR_EVENT).extend({ attachments });
const itemSchema = recordSchemaOf(ITEM).extend({ attachments });

export const eventsSchema = z.object({
  total: countSchema,
  month: z
    .string()
    .nullable()
    .describe("month (`2001-05`) at which a calendar opens: the last with an event in the own time of the mail"),
  events: z.array(eventSchema),
});

export const eventDetailSchema = eventSchema.extend({ attachments: heldAttachments });
export const itemDetailSchema = itemSchema.extend({ attachments: heldAttachments });

export const itemsSchema = z.object({
  total: countSchema,
  kinds: z.array(z.object({ kind: z.string(), count: countSchema })).describe("of the matching ones"),
  items: z.array(itemSchema),
});

export type ItemFileWire = z.infer<typeof itemFileSchema>;
export type EventWire = z.infer<typeof eventSchema>;
export type ItemWire = z.infer<typeof itemSchema>;
export type MentionsWire = z.infer<typeof mentionsSchema>;
