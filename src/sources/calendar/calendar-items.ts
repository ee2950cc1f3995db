import { hash } from "node:crypto";
import { MAX_EVENTS, readCalendar } from "../../calendar/read-calendar.ts";
import { decodeCharset } from "../../charset/decode-charset.ts";
import { noteOf } from "../reading/place-note.ts";
import type { ItemPlace, SourceItem } from "../reading/source.ts";
import { beginsWithLine } from "../reading/text-head.ts";

/** True for the first bytes of an iCalendar or vCalendar file. */
export function beginsCalendar(head: Buffer): boolean {
  return beginsWithLine(head, "BEGIN:VCALENDAR");
}

/** Begins a component other than an event. */
const NO_EVENT = /^BEGIN:V(?:TODO|JOURNAL)[ \t]{0,100}$/gim;

/** Counts the events of a calendar file and its skipped parts; notes anomalies. */
export function readCalendarItems(bytes: Buffer, place: ItemPlace): readonly SourceItem[] {
  const sha256 = hash("sha256", bytes);
  const text = decodeCharset(bytes, null);
  const { entries, findings } = readCalendar({ text, method: null });
  const { mailbox, location } = place;
  const events = entries.map((entry, index): SourceItem => {
    const at = index === 0 ? location : `${location}/event:${index}`;
    return { kind: "appointment", isPart: false, entry, attachments: [], sha256, mailbox, location: at };
  });
  const others = Array.from(text.matchAll(NO_EVENT), ({ index }): SourceItem => {
    const message = "a task or journal of a calendar file";
    return { kind: "skipped", mailbox, location: `${location}/character:${index}`, code: "no-event", message, sha256 };
  });
  return [...events, ...others.slice(0, MAX_EVENTS), ...findings.map((finding) => noteOf(finding, place, sha256))];
}
