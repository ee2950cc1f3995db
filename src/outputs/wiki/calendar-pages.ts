import type { Archive } from "../../mail/archive.ts";
import type { Instant } from "../../mail/dates/instant.ts";
import type { CalendarEvent } from "../../mail/records/calendar-event.ts";
import type { ItemAttachment } from "../../mail/records/item.ts";
import { formatCount } from "../../text/tokens/format-count.ts";
import { cell, table } from "./markdown.ts";
import type { PageDirectory } from "./page-directory.ts";
import { pagesOf } from "./page-plan.ts";
import { PagedList } from "./paged-list.ts";
import { showDay, showInstant, type Vault } from "./vault.ts";

/** Rows per page of calendar.md. */
const PAGE_SIZE = 2_000;
/** Maximum attendees named in a row. */
const NAMED_ATTENDEES = 4;
/** Maximum UTF-16 units of a description in a row: a few lines of a table. */
const MAX_DESCRIPTION = 300;

/**
 * Writes calendar.md: every event, the latest start first. Events are few compared with messages, so their rows are
 * sorted in memory.
 */
export async function writeCalendar(archive: Archive, directory: PageDirectory, vault: Vault): Promise<void> {
  const rows: { readonly start: number; readonly row: string }[] = [];
  for await (const batch of archive.events.scan()) {
    for (const event of batch)
      rows.push({ start: event.start ?? Number.NEGATIVE_INFINITY, row: `| ${eventRow(event, vault).join(" | ")} |\n` });
  }
  rows.sort((a, b) => b.start - a.start);
  const dated = rows.filter(({ start }) => start > Number.NEGATIVE_INFINITY);
  const header = [
    "Start",
    "End",
    "Event",
    "Where",
    "Organizer",
    "Attendees",
    "Status",
    "Repeats",
    "Zone",
    "Marks",
    "Attachments",
    "Description",
  ];
  const list = new PagedList(
    directory,
    {
      path: "calendar",
      title: "Calendar",
      facts: { earliest: showDay(dated.at(-1)?.start ?? null), latest: showDay(dated[0]?.start ?? null) },
      plan: pagesOf(rows.length, PAGE_SIZE),
      head: table(header, []),
    },
    vault.links,
  );
  for (const { row } of rows) list.add(row);
  list.close();
}

function eventRow(event: CalendarEvent, vault: Vault): readonly string[] {
  const named = event.attendees.slice(0, NAMED_ATTENDEES).map((attendee) => vault.person(attendee, true));
  const more = event.attendees.length - named.length;
  return [
    event.allDay ? showDay(event.start) : showInstant(event.start),
    event.allDay ? showDay(lastInstant(event)) : showInstant(event.end),
    cell(event.subject) || "(no subject)",
    cell(event.location),
    event.organizer === null ? "" : vault.person(event.organizer, true),
    named.join(", ") + (more > 0 ? ` and ${formatCount(more)} more` : ""),
    event.status,
    event.recurrence === null ? "" : cell(event.recurrence.text),
    event.allDay ? "" : cell(event.timezone ?? ""),
    cell(marksOf(event).join(", ")),
    event.attachments.map((attachment) => attachmentCell(attachment, vault)).join(", "),
    cell(shortened(event.description)),
  ];
}

function attachmentCell({ filename, linkTarget, path }: ItemAttachment, vault: Vault): string {
  if (path !== null) return vault.links.file(path, filename, true);
  return cell(linkTarget === null ? filename : `${filename} (${linkTarget})`);
}

/** The owner's settings of an event, except for defaults: busy, normal importance, public. */
function marksOf(event: CalendarEvent): readonly string[] {
  const { ownAnswer, busyStatus, sensitivity, importance, reminderMinutes, categories } = event;
  const marks: (string | null)[] = [
    ownAnswer === null ? null : `own answer: ${ownAnswer.replaceAll("-", " ")}`,
    busyStatus === null || busyStatus === "busy" ? null : busyStatus.replaceAll("_", " "),
    sensitivity === null || sensitivity === "normal" ? null : sensitivity,
    importance === null || importance === "normal" ? null : `${importance} importance`,
    reminderMinutes === null ? null : reminderText(reminderMinutes),
    ...categories,
  ];
  return marks.filter((mark) => mark !== null);
}

function reminderText(minutesBefore: number): string {
  return `reminder ${formatCount(Math.abs(minutesBefore))} min ${minutesBefore < 0 ? "after" : "before"}`;
}

/** All-day events end at the midnight after their last day (RFC 5545 3.6.1); the page shows the last day. */
function lastInstant({ start, end }: CalendarEvent): Instant | null {
  return start === null || end === null || end <= start ? end : end - 1;
}

function shortened(description: string): string {
  const text = description.trim();
  return text.length <= MAX_DESCRIPTION ? text : `${text.slice(0, MAX_DESCRIPTION).toWellFormed()} …`;
}
