import type { CalendarEntry } from "../../mail/records/calendar-event.ts";
import type { Attachment, KeptMessage } from "../../mail/records/message.ts";

/**
 * An attachment before its message has a number: the id is given later, `staged` names the saved bytes inside the run
 * directory.
 */
export type StagedAttachment = Omit<Attachment, "id" | "path"> & {
  readonly staged: string | null;
  /** Its text; "" if not read. */
  readonly text: string;
};

/** All fields of a message except its body, between the passes. */
export interface StagedMessage extends KeptMessage {
  readonly kind: "message";
  readonly attachments: readonly StagedAttachment[];
  readonly calendar: readonly CalendarEntry[];
}
