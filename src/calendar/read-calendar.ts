import type { CalendarEntry } from "../mail/records/calendar-event.ts";
import type { CalendarPart, Finding } from "../mail/records/message.ts";
import { CalendarFindings, type ContentLine, readContentLines } from "./content-lines.ts";
import { readDaylight } from "./daylight-times.ts";
import { ALARM_TRIGGER, type EventContext, readEvent } from "./event-component.ts";
import { readLocalTime } from "./event-times.ts";
import { offsetOf, readObservances, TimeZones } from "./time-zones.ts";

/**
 * Maximum events read from one message; an exported calendar of ten years has 20,000. All are in memory until those
 * with one UID are merged.
 */
export const MAX_EVENTS = 100_000;

/** Maximum lines of one component; an invitation to a whole company has 2,000 attendees. */
const MAX_COMPONENT_LINES = 10_000;

/** Maximum characters of a method, which every event contains; the longest of RFC 5546 has 14. */
const MAX_METHOD_LENGTH = 64;

/** Components inside components; RFC 5545 has three levels. */
const MAX_DEPTH = 20;

/** A component whose lines are being read. */
interface OpenComponent {
  readonly name: string;
  readonly lines: ContentLine[];
}

/** Properties of a calendar; a file may contain several. */
interface Calendar {
  method: string | null;
  zone: string | null;
}

/** The components of a calendar file that matter, in order. */
interface Components {
  readonly events: { readonly lines: readonly ContentLine[]; readonly calendar: Calendar }[];
  readonly room: number;
  readonly zones: TimeZones;
  calendar: Calendar;
}

/**
 * Reads the events of an iCalendar body part (RFC 5545; METHOD of RFC 5546; compatible parts of vCalendar 1.0).
 * Missing END lines are supplied; unreadable lines and values are skipped with a finding. Never throws; linear time.
 * @param room maximum number of events: a message may contain several calendars
 */
export function readCalendar(
  part: CalendarPart,
  room = MAX_EVENTS,
): { entries: readonly CalendarEntry[]; findings: readonly Finding[] } {
  const findings = new CalendarFindings();
  const components = readComponents(part.text, room, findings);
  const { zones } = components;
  const contextOf = ({ method, zone }: Calendar): EventContext => ({
    method: (method ?? part.method)?.slice(0, MAX_METHOD_LENGTH).toUpperCase() ?? null,
    zones,
    calendarZone: zone,
    findings,
  });
  const entries = components.events.map(({ lines, calendar }) => readEvent(lines, contextOf(calendar)));
  return { entries, findings: findings.list() };
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one stack of open components, which every line may open, close or fill
function readComponents(text: string, room: number, findings: CalendarFindings): Components {
  const components: Components = { room, events: [], zones: new TimeZones(), calendar: { method: null, zone: null } };
  const open: OpenComponent[] = [];
  let zoneName = "";
  const close = (): void => {
    const component = open.pop();
    if (component?.name === "VEVENT") closeEvent(component, components, findings);
    else if (component?.name === "VALARM") closeAlarm(component, open.at(-1));
    else if (component?.name === "STANDARD" || component?.name === "DAYLIGHT")
      closeObservance(component, zoneName, components);
  };
  for (const line of readContentLines(text, findings)) {
    const name = line.value.trim().toUpperCase();
    if (line.name === "BEGIN") {
      // An event inside an event: the END of the first one is lost.
      if (name === "VEVENT" && open.some((component) => component.name === "VEVENT")) {
        findings.add("calendar-unclosed", "calendar component without its end");
        while (open.some((component) => component.name === "VEVENT")) close();
      }
      if (name === "VCALENDAR") components.calendar = { method: null, zone: null };
      if (open.length >= MAX_DEPTH) close();
      open.push({ name, lines: [] });
    } else if (line.name === "END") {
      if (open.some((component) => component.name === name)) {
        while (open.at(-1)?.name !== name) close();
        close();
      }
    } else {
      const current = open.at(-1);
      if (line.name === "TZID" && current?.name === "VTIMEZONE") zoneName = line.value.trim();
      readCalendarProperty(line, current, components);
      if (current !== undefined && current.lines.length < MAX_COMPONENT_LINES) current.lines.push(line);
    }
  }
  if (open.length > 0) findings.add("calendar-unclosed", "calendar component without its end");
  while (open.length > 0) close();
  return components;
}

function readCalendarProperty(line: ContentLine, current: OpenComponent | undefined, components: Components): void {
  if (current !== undefined && current.name !== "VCALENDAR") return;
  if (line.name === "METHOD") components.calendar.method = line.value.trim();
  if (line.name === "X-WR-TIMEZONE") components.calendar.zone = line.value.trim();
  if (line.name === "TZ" && offsetOf(line.value) !== null) components.calendar.zone ??= gmtName(line.value);
  if (line.name === "DAYLIGHT") addDaylight(line.value, components);
}

/** A name that is not an IANA name for any version of Node.js, unlike `+01`. */
function gmtName(offset: string): string {
  return `GMT${offset.trim().replace(/^(?:GMT|UTC)/i, "")}`;
}

/** TZ precedes the summer time of each year. */
function addDaylight(value: string, { calendar: { zone }, zones }: Components): void {
  const standard = zone === null ? null : offsetOf(zone);
  if (zone === null || standard === null) return;
  for (const observance of readDaylight(value, standard)) zones.addObservance(zone, observance);
}

function closeEvent(component: OpenComponent, components: Components, findings: CalendarFindings): void {
  if (components.events.length < components.room)
    components.events.push({ lines: component.lines, calendar: components.calendar });
  else findings.add("calendar-too-many-events", `more than ${MAX_EVENTS} events in one message: the rest was ignored`);
}

/** Copies the trigger of an alarm to its event. */
function closeAlarm(alarm: OpenComponent, event: OpenComponent | undefined): void {
  const trigger = alarm.lines.find((line) => line.name === "TRIGGER");
  if (trigger !== undefined && event !== undefined && event.lines.length < MAX_COMPONENT_LINES)
    event.lines.push({ ...trigger, name: ALARM_TRIGGER });
}

function closeObservance(component: OpenComponent, zone: string, components: Components): void {
  if (zone === "") return;
  for (const observance of readObservances(component.lines, (value) => readLocalTime(value)?.local ?? null))
    components.zones.addObservance(zone, observance);
}
