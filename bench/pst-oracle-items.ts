import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import ICAL from "ical.js";
import { nearestMidnight } from "../src/mail/dates/instant.ts";
import type { CalendarEntry } from "../src/mail/records/calendar-event.ts";
import type { SourceItem } from "../src/sources/reading/source.ts";

/**
 * Compared fields of an appointment; null if a program does not print them. Neither prints zones or tasks: readpst
 * prints UTC, and omits attendees.
 */
interface ComparedEvent {
  readonly subject: string;
  readonly start: number | null;
  readonly end: number | null;
  readonly location: string | null;
  readonly rule: string | null;
  readonly attendees: string | null;
  readonly description: string | null;
  readonly reminder: number | null;
}

const EVENT_FIELDS = ["start", "end", "location", "rule", "attendees", "description", "reminder"] as const;
export type Outcome = "equal" | "differs" | "not comparable";
type Tally = Map<string, Record<Outcome, number>>;

export const squeeze = (text: string): string => text.replaceAll("\0", "").replace(/\s+/g, " ").trim();

/** Appointments and contacts of one store, ours and those that a program wrote to a directory. */
export class ItemComparison {
  private readonly tally: Tally = new Map();
  private readonly counts = { appointment: 0, contact: 0 };

  constructor(private readonly peer: "readpst" | "pffexport") {}

  add(ours: readonly SourceItem[], output: string): void {
    const files = filesBelow(output);
    const entries = ours.flatMap((item) => (item.kind === "appointment" ? [item.entry] : []));
    for (const event of this.peer === "readpst" ? calendarFiles(files) : exportedEvents(files)) {
      this.counts.appointment++;
      this.addEvent(event, entries);
    }
    const values = new Set(ours.flatMap((item) => (item.kind === "item" ? valuesOf(item.item.fields) : [])));
    for (const [field, value] of this.peer === "readpst" ? cardFiles(files) : exportedContacts(files)) {
      if (field === "contact") this.counts.contact++;
      else this.count(`contact: ${field}`, values.has(value) ? "equal" : "differs", `${field} ${value}`);
    }
  }

  print(stores: string): void {
    for (const [field, outcomes] of this.tally) {
      const count = field.startsWith("contact") ? this.counts.contact : this.counts.appointment;
      console.log(`| ${stores} | ${this.peer} | ${count} | ${field} | ${Object.values(outcomes).join(" | ")} |`);
    }
  }

  private addEvent(theirs: ComparedEvent, entries: readonly CalendarEntry[]): void {
    const same = entries.filter(({ subject }) => squeeze(subject) === theirs.subject);
    const distance = ({ start }: CalendarEntry): number => Math.abs((start ?? 0) - (theirs.start ?? 0));
    const found = same.sort((a, b) => distance(a) - distance(b))[0] ?? null;
    // A changed occurrence has only the subject of its series.
    const isNamed = theirs.subject !== "";
    const outcome = found !== null ? "equal" : isNamed ? "differs" : "not comparable";
    this.count("appointment: found", outcome, theirs.subject);
    if (found === null) return;
    const ours = comparedEntry(found);
    for (const field of EVENT_FIELDS) {
      const expected = field === "attendees" ? withoutOrganizer(theirs.attendees, found) : theirs[field];
      // We store all-day events as dates, the others as UTC times.
      const isDay = found.allDay && (field === "start" || field === "end") && typeof expected === "number";
      const outcome =
        expected === null
          ? "not comparable"
          : ours[field] === (isDay ? nearestMidnight(expected) : expected)
            ? "equal"
            : "differs";
      this.count(`appointment: ${field}`, outcome, `${theirs.subject}: ${field} ${ours[field]} | ${expected}`);
    }
  }

  private count(field: string, outcome: Outcome, about: string): void {
    const outcomes = this.tally.get(field) ?? { equal: 0, differs: 0, "not comparable": 0 };
    outcomes[outcome]++;
    this.tally.set(field, outcomes);
    if (outcome === "differs") console.error(`${this.peer} ${about}`.slice(0, 300));
  }
}

function comparedEntry(entry: CalendarEntry): ComparedEvent {
  return {
    subject: squeeze(entry.subject),
    start: entry.start,
    end: entry.end,
    location: squeeze(entry.location),
    rule: entry.recurrence === null ? null : comparedRule(entry.recurrence.rrule),
    attendees: withoutOrganizer(namesOf(entry.attendees.map(({ name, email }) => name || email)), entry),
    description: squeeze(entry.description),
    reminder: entry.reminderMinutes,
  };
}

/** The other programs list the organizer as an attendee; we do not. */
function withoutOrganizer(names: string | null, { organizer }: CalendarEntry): string | null {
  if (names === null || organizer === null) return names;
  const own = [organizer.name, organizer.email].map((name) => squeeze(name).toLowerCase());
  const others = names.split("; ").filter((name) => !own.includes(name));
  return others.join("; ");
}

/** The parts of a rule in a fixed order, without those written differently: its end and the first weekday. */
function comparedRule(rule: string): string {
  const parts = rule.split(";").filter((part) => !/^(?:UNTIL|WKST|COUNT)=|^INTERVAL=1$/.test(part));
  return parts.sort().join(";");
}

function namesOf(names: readonly string[]): string {
  return names
    .map((name) => squeeze(name).toLowerCase())
    .sort()
    .join("; ");
}

function* calendarFiles(files: readonly string[]): Generator<ComparedEvent> {
  for (const file of files.filter((name) => name.endsWith(".ics"))) {
    const component = new ICAL.Component(ICAL.parse(readFileSync(file, "utf8")) as never).getFirstSubcomponent(
      "vevent",
    );
    if (component === null) continue;
    const text = (name: string): string | null => {
      const value = component.getFirstPropertyValue(name);
      return value === null || String(value) === "" ? null : squeeze(String(value));
    };
    const time = (name: string): number | null => {
      const value = component.getFirstPropertyValue(name) as ICAL.Time | null;
      return value === null ? null : value.toJSDate().getTime();
    };
    const trigger = component.getFirstSubcomponent("valarm")?.getFirstPropertyValue("trigger") as ICAL.Duration | null;
    const rule = text("rrule");
    yield {
      subject: text("summary") ?? "",
      start: time("dtstart"),
      end: time("dtend"),
      location: text("location"),
      rule: rule === null ? null : comparedRule(rule),
      attendees: null,
      description: text("description"),
      reminder: trigger == null ? null : 0 - trigger.toSeconds() / 60,
    };
  }
}

export function field(text: string, name: string): string | null {
  const value = new RegExp(`^${name}:[ \\t]*(.*)$`, "m").exec(text)?.[1]?.trim() ?? "";
  return value === "" ? null : squeeze(value);
}

function* exportedEvents(files: readonly string[]): Generator<ComparedEvent> {
  const all = new Set(files);
  for (const file of files.filter((name) => basename(name) === "Appointment.txt")) {
    const text = readFileSync(file, "utf8");
    const beside = (name: string): string | null => {
      const other = join(dirname(file), name);
      return all.has(other) ? readFileSync(other, "utf8") : null;
    };
    const time = (name: string): number | null => {
      const expected = field(text, name);
      return expected === null ? null : Date.parse(expected.replace(/\.\d+/, ""));
    };
    const people = (beside("Recipients.txt") ?? "")
      .split(/\n\s*\n/)
      .filter((person) => !/Recipient type:\s*Originator/.test(person))
      .flatMap((person) => field(person, "Recipient display name") ?? field(person, "Display name") ?? []);
    yield {
      subject: field(text, "Subject") ?? "",
      start: time("Start time"),
      end: time("End time"),
      location: field(text, "Location"),
      // It describes a series in words, in the language of the writer.
      rule: null,
      attendees: people.length === 0 ? null : namesOf(people),
      description: null,
      // Its time field is the start.
      reminder: null,
    };
  }
}

/** All values of an item, one per line, as written. */
function valuesOf(fields: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.values(fields).flatMap((value) => String(value).split(/[;\n]/).map(squeeze));
}

type ContactValue = readonly [field: string, value: string];
const isAscii = (value: string): boolean => /^[\x20-\x7e]+$/.test(value);

function* cardFiles(files: readonly string[]): Generator<ContactValue> {
  for (const file of files.filter((name) => name.endsWith(".vcf"))) {
    yield ["contact", ""];
    for (const line of readFileSync(file, "utf8").split(/\r?\n/)) {
      const [, name = "", value = ""] = /^(EMAIL|TEL|TITLE)[^:]*:(.*)$/.exec(line) ?? [];
      if (name !== "" && isAscii(value)) yield [name.toLowerCase(), squeeze(value)];
    }
  }
}

const CONTACT_FIELDS: Readonly<Record<string, string>> = {
  email: "Email address 1",
  tel: "(?:Home|Mobile|Business) (?:phone number|phone number 1|fax number)",
  company: "Company name",
  title: "Job title",
};

function* exportedContacts(files: readonly string[]): Generator<ContactValue> {
  for (const file of files.filter((name) => basename(name) === "Contact.txt")) {
    yield ["contact", ""];
    const text = readFileSync(file, "utf8");
    for (const [name, pattern] of Object.entries(CONTACT_FIELDS)) {
      for (const [, value = ""] of text.matchAll(new RegExp(`^${pattern}:[ \\t]*(.+)$`, "gm")))
        if (isAscii(squeeze(value))) yield [name, squeeze(value)];
    }
  }
}

export function filesBelow(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
