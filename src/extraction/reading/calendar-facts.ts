import type { CalendarEntry } from "../../mail/records/calendar-event.ts";
import type { CalendarPart } from "../../mail/records/message.ts";

/** Components other than events: they are not parsed, so they are compared as text. */
const OTHER_COMPONENTS = /^BEGIN:V(?:TODO|JOURNAL|FREEBUSY)/im;
const WHITE_SPACE = /\s+/g;
const WEEK_START = /;?WKST=[A-Z]{2}/;

/** Content of a mail that the fields of its calendar parts may repeat. */
interface MailText {
  readonly subject: string;
  readonly body: string;
}

/**
 * Properties of events that are equal in all duplicates of a message, whatever program stored them. An Outlook file
 * holds an invitation as properties, uses the subject and text of the mail for the event, omits answers of others, and
 * has its own names for time zones.
 */
export function calendarFacts(
  parts: readonly CalendarPart[],
  entries: readonly CalendarEntry[],
  mail: MailText,
): readonly string[] {
  if (parts.length === 0 && entries.length === 0) return [];
  const raw = parts.filter(({ text }) => entries.length === 0 || OTHER_COMPONENTS.test(text));
  return [
    ...entries.map((entry) => factOf(entry, mail)),
    ...raw.map(({ text }) => text.replace(WHITE_SPACE, "")),
  ].sort();
}

function factOf(entry: CalendarEntry, { subject, body }: MailText): string {
  const { attendees, recurrence, method } = entry;
  const isAnswer = method === "REPLY" || method === "COUNTER";
  const people = attendees.map(({ email, status }) => (isAnswer ? `${email} ${status}` : email).toLowerCase()).sort();
  const description = entry.description.replace(WHITE_SPACE, "");
  return JSON.stringify([
    entry.uid,
    entry.recurrenceId,
    method,
    entry.status,
    entry.sequence,
    subject.endsWith(entry.subject) ? "" : entry.subject,
    description === body.replace(WHITE_SPACE, "") ? "" : description,
    entry.location,
    entry.start,
    entry.end,
    entry.allDay,
    entry.organizer?.email.toLowerCase() ?? null,
    people,
    recurrence === null ? null : [recurrence.rrule.replace(WEEK_START, ""), recurrence.exdates],
  ]);
}
