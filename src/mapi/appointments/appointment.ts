import { DAY_MS, type Instant, MINUTE_MS } from "../../mail/dates/instant.ts";
import type { Address } from "../../mail/records/address.ts";
import {
  type Attendee,
  BUSY_STATUSES,
  type CalendarEntry,
  type EventStatus,
  IMPORTANCES,
  type ParticipationStatus,
  SENSITIVITIES,
  type Sensitivity,
  UNANSWERED,
  withLinks,
} from "../../mail/records/calendar-event.ts";
import { PROPERTY_SET, type PropertyName } from "../../properties/named-properties.ts";
import type { Properties } from "../../properties/properties.ts";
import { PID } from "../../properties/property-ids.ts";
import { categoriesOf } from "../objects/categories.ts";
import { displayedAddresses } from "../objects/displayed-address.ts";
import { resolveAddress, type X500Directory } from "../objects/mapi-address.ts";
import type { MessageObject, Recipient } from "../objects/message-object.ts";
import { receiversOf } from "../objects/senders.ts";
import { readableBody, richBodies } from "../rtf/rich-body.ts";
import {
  type AppointmentEntry,
  type ChangedItem,
  clockWithoutRules,
  dateOf,
  type EffectiveTimeZone,
  MAX_EXCEPTION_ENTRIES,
  replacedDay,
  type Series,
  seriesEntries,
  zoneByRules,
} from "./appointment-series.ts";
import { occurrenceDay, uidOfGlobalObjectId } from "./global-object-id.ts";
import {
  ianaName,
  instantOfLocal,
  localOfInstant,
  type MapiTimeZone,
  readTimeZoneDefinition,
  readTimeZoneStruct,
  type SeriesClock,
} from "./time-zone-blob.ts";

/** Named properties of appointments and meetings ([MS-OXOCAL] 2.2.1), without `PidLid`. */
const LID = {
  sequence: { set: PROPERTY_SET.appointment, name: 0x8201 },
  busyStatus: { set: PROPERTY_SET.appointment, name: 0x8205 },
  location: { set: PROPERTY_SET.appointment, name: 0x8208 },
  start: { set: PROPERTY_SET.appointment, name: 0x820d },
  end: { set: PROPERTY_SET.appointment, name: 0x820e },
  isAllDay: { set: PROPERTY_SET.appointment, name: 0x8215 },
  responseStatus: { set: PROPERTY_SET.appointment, name: 0x8218 },
  intendedBusyStatus: { set: PROPERTY_SET.appointment, name: 0x8224 },
  stateFlags: { set: PROPERTY_SET.appointment, name: 0x8217 },
  replacedStart: { set: PROPERTY_SET.appointment, name: 0x8228 },
  recurrence: { set: PROPERTY_SET.appointment, name: 0x8216 },
  seriesTime: { set: PROPERTY_SET.meeting, name: 0x000e },
  duration: { set: PROPERTY_SET.appointment, name: 0x8213 },
  where: { set: PROPERTY_SET.meeting, name: 0x0002 },
  requiredNames: { set: PROPERTY_SET.appointment, name: 0x823b },
  optionalNames: { set: PROPERTY_SET.appointment, name: 0x823c },
  isCounter: { set: PROPERTY_SET.appointment, name: 0x8257 },
  proposedStart: { set: PROPERTY_SET.appointment, name: 0x8250 },
  proposedEnd: { set: PROPERTY_SET.appointment, name: 0x8251 },
  zoneStruct: { set: PROPERTY_SET.appointment, name: 0x8233 },
  zoneDescription: { set: PROPERTY_SET.appointment, name: 0x8234 },
  startZone: { set: PROPERTY_SET.appointment, name: 0x825e },
  recurrenceZone: { set: PROPERTY_SET.appointment, name: 0x8260 },
  meetingPage: { set: PROPERTY_SET.publicStrings, name: "SkypeTeamsMeetingUrl" },
  externalPage: { set: PROPERTY_SET.publicStrings, name: "OnlineMeetingExternalLink" },
  commonStart: { set: PROPERTY_SET.common, name: 0x8516 },
  commonEnd: { set: PROPERTY_SET.common, name: 0x8517 },
  globalObjectId: { set: PROPERTY_SET.meeting, name: 0x0003 },
  reminderDelta: { set: PROPERTY_SET.common, name: 0x8501 },
  reminderSet: { set: PROPERTY_SET.common, name: 0x8503 },
  isPrivate: { set: PROPERTY_SET.common, name: 0x8506 },
  cleanGlobalObjectId: { set: PROPERTY_SET.meeting, name: 0x0023 },
} as const;

const CANCELED_STATE = 4;
const ORGANIZER_FLAG = 2;
/** `PidLidResponseStatus` of the owner ([MS-OXOCAL] 2.2.1.11): organized and accepted; tentatively accepted. */
const SETTLED_ANSWERS: ReadonlySet<number> = new Set([1, 3]);
const TENTATIVE_ANSWER = 2;
/** The same as a word. */
const OWN_ANSWER: readonly (ParticipationStatus | null)[] = [
  null,
  "organizer",
  "tentative",
  "accepted",
  "declined",
  "needs-action",
];
/** `PidLidReminderDelta` of an item with the default reminder, and the meaning of that value ([MS-OXORMDR] 2.2.1.3). */
const USUAL_REMINDER = { mark: 0x5ae980e1, minutes: 15 } as const;
/** iTIP method and answer by message class ([MS-OXOCAL] 2.2.4-2.2.11). */
const METHODS: readonly { readonly prefix: string; readonly method: string; readonly answer: string | null }[] = [
  { prefix: "ipm.schedule.meeting.request", method: "REQUEST", answer: null },
  { prefix: "ipm.schedule.meeting.canceled", method: "CANCEL", answer: null },
  { prefix: "ipm.schedule.meeting.resp.pos", method: "REPLY", answer: "accepted" },
  { prefix: "ipm.schedule.meeting.resp.neg", method: "REPLY", answer: "declined" },
  { prefix: "ipm.schedule.meeting.resp.tent", method: "REPLY", answer: "tentative" },
];
/** `PidTagRecipientTrackStatus` as PARTSTAT. */
const TRACK_STATUS = ["needs-action", "accepted", "tentative", "accepted", "declined", "needs-action"];
const ROLE = {
  originator: "req-participant",
  to: "req-participant",
  cc: "opt-participant",
  bcc: "non-participant",
} as const;

type Call = (typeof METHODS)[number];

/** An answer with another time is a counter proposal ([MS-OXOCAL] 2.2.4.7). */
function callOf(properties: Properties, messageClass: string): Call | null {
  const call = METHODS.find(({ prefix }) => messageClass.startsWith(prefix)) ?? null;
  const isCounter = call?.method === "REPLY" && properties.boolean(properties.named(LID.isCounter)) === true;
  return isCounter ? { ...call, method: "COUNTER" } : call;
}

export function isAnswer(method: string | null | undefined): boolean {
  return method === "REPLY" || method === "COUNTER";
}

/** Start and end: proposed ones of a counter proposal. Items of other programs have a duration instead of an end. */
function timesOf(
  properties: Properties,
  call: Call | null,
): { readonly start: Instant | null; readonly end: Instant | null } {
  const named = (name: PropertyName): number => properties.named(name);
  const isCounter = call?.method === "COUNTER";
  const start = timeOf(properties, [
    ...(isCounter ? [named(LID.proposedStart)] : []),
    ...[named(LID.start), named(LID.commonStart), PID.startDate],
  ]);
  const end = timeOf(properties, [
    ...(isCounter ? [named(LID.proposedEnd)] : []),
    ...[named(LID.end), named(LID.commonEnd), PID.endDate],
  ]);
  const minutes = end === null ? (properties.integer(named(LID.duration)) ?? -1) : -1;
  return { start, end: minutes >= 0 && start !== null ? start + minutes * MINUTE_MS : end };
}

/** Data from the surrounding message. */
interface AppointmentContext {
  readonly messageClass: string;
  readonly sender: Address | null;
  readonly description: string;
  readonly directory: X500Directory;
  readonly createdAt: Instant | null;
  readonly updatedAt: Instant | null;
  /** UID of an item that has no global object id. */
  readonly fallbackUid: string;
}

/**
 * The appointment of an item: the series or single event first, then one entry for each changed occurrence. Empty when
 * it has no times.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a field an expression: what is added up are the fallbacks of properties
export function readAppointment(message: MessageObject, context: AppointmentContext): readonly AppointmentEntry[] {
  const { properties } = message;
  const call = callOf(properties, context.messageClass.toLowerCase());
  const { start, end } = timesOf(properties, call);
  if (start === null && call === null) return [];
  const { zone, timezone } = clockOf(properties, start);
  const allDay = properties.boolean(properties.named(LID.isAllDay)) === true;
  const replaced = replacedTime(properties, { start, zone, allDay });
  const place = (instant: Instant | null): Instant | null =>
    allDay && instant !== null ? dateOf(zone, instant) : instant;
  // A request counts as tentative until answered; the status that the organizer wants is stored separately.
  const shown = properties.integer(properties.named(LID.busyStatus));
  const busy = (call === null ? null : properties.integer(properties.named(LID.intendedBusyStatus))) ?? shown;
  const organizer = organizerOf(message, context);
  const location =
    properties.text(properties.named(LID.location)) ?? properties.text(properties.named(LID.where)) ?? "";
  const entry: CalendarEntry = {
    // Lunch on Monday and lunch on Tuesday differ only in their time, which is not part of the fingerprint.
    uid: uidOf(properties) ?? `${context.fallbackUid}/${start ?? ""}`,
    recurrenceId: replaced,
    seriesAllDay: replaced === null ? null : allDay,
    method: call?.method ?? null,
    status: statusOf(properties, { busy, method: call?.method ?? null }),
    sequence: Math.max(0, properties.integer(properties.named(LID.sequence)) ?? 0),
    subject: properties.subject() ?? "",
    description: withLinks(context.description, {
      location,
      links: [LID.meetingPage, LID.externalPage].map((name) => properties.text(properties.named(name))?.trim() ?? ""),
    }),
    location,
    start: place(start),
    end: place(end),
    allDay,
    timezone: allDay ? null : timezone,
    organizer: isAnswer(call?.method) ? null : organizer,
    attendees:
      call?.answer === undefined || call.answer === null
        ? shownAttendees(message, context)
        : answerOf(context.sender, call.answer),
    recurrence: null,
    busyStatus: busy === null ? null : (BUSY_STATUSES[busy] ?? null),
    sensitivity: sensitivityOf(properties),
    importance: IMPORTANCES[properties.integer(PID.importance) ?? -1] ?? null,
    categories: categoriesOf(properties),
    attachments: [],
    reminderMinutes: reminderOf(properties),
    ownAnswer: OWN_ANSWER[properties.integer(properties.named(LID.responseStatus)) ?? 0] ?? null,
    createdAt: context.createdAt,
    updatedAt: context.updatedAt,
  };
  return seriesEntries({
    object: message,
    entry,
    zone,
    timezone,
    changedItems: changedItems(message, { entry, zone }, context),
  });
}

/** The UID in other calendars; null if the item has none. */
function uidOf(properties: Properties): string | null {
  const id =
    properties.binary(properties.named(LID.cleanGlobalObjectId)) ??
    properties.binary(properties.named(LID.globalObjectId));
  return id === null ? null : uidOfGlobalObjectId(id);
}

/**
 * The time that an occurrence of a series had: as recorded, otherwise on the day in its id, at the time of day of its
 * series or else its own. Null for a series or a single event.
 */
function replacedTime(
  properties: Properties,
  own: { readonly start: Instant | null; readonly zone: SeriesClock | null; readonly allDay: boolean },
): Instant | null {
  const { start, zone, allDay } = own;
  const recorded = properties.time(properties.named(LID.replacedStart));
  if (recorded !== null) return allDay ? dateOf(zone, recorded) : recorded;
  const id = properties.has(properties.named(LID.recurrence))
    ? null
    : properties.binary(properties.named(LID.globalObjectId));
  const day = id === null ? null : occurrenceDay(id);
  if (day === null || allDay) return day;
  const clock = properties.integer(properties.named(LID.seriesTime));
  const local = start === null || zone === null ? start : localOfInstant(zone, start);
  const timeOfDay = clock === null ? (local ?? 0) % DAY_MS : timeOfClock(clock);
  return zone === null ? day + timeOfDay : instantOfLocal(zone, day + timeOfDay);
}

/** `PidLidStartRecurrenceTime`: hours, minutes and seconds in 6 bits each ([MS-OXOCAL] 2.2.6.17). */
function timeOfClock(clock: number): number {
  return (((clock >> 12) & 0x3f) * 3600 + ((clock >> 6) & 0x3f) * 60 + (clock & 0x3f)) * 1000;
}

/** The first of some properties that contains a time. */
function timeOf(properties: Properties, ids: readonly number[]): Instant | null {
  for (const id of ids) {
    const time = properties.time(id);
    if (time !== null) return time;
  }
  return null;
}

/** Zone of its times, from its rules or its zone name. */
function clockOf(properties: Properties, start: Instant | null): EffectiveTimeZone {
  const zone = zoneOf(properties);
  const description = properties.text(properties.named(LID.zoneDescription));
  const named = ianaName(zone, description);
  if (zone === null) return clockWithoutRules(properties, start, named);
  const text = `${zone.windowsName ?? ""} ${description ?? ""}`;
  return { zone, timezone: named ?? zoneByRules(properties, { zone, start, text }) };
}

/** The zone in which the series is computed; for single events, the zone in which the start is shown. */
function zoneOf(properties: Properties): MapiTimeZone | null {
  for (const name of [LID.recurrenceZone, LID.startZone]) {
    const bytes = properties.binary(properties.named(name));
    const zone = bytes === null ? null : readTimeZoneDefinition(bytes);
    if (zone !== null) return zone;
  }
  const bytes = properties.binary(properties.named(LID.zoneStruct));
  return bytes === null ? null : readTimeZoneStruct(bytes);
}

function statusOf(
  properties: Properties,
  of: { readonly busy: number | null; readonly method: string | null },
): EventStatus {
  const state = properties.integer(properties.named(LID.stateFlags)) ?? 0;
  if ((state & CANCELED_STATE) !== 0 || of.method === "CANCEL") return "cancelled";
  const answer = properties.integer(properties.named(LID.responseStatus)) ?? 0;
  if (SETTLED_ANSWERS.has(answer)) return "confirmed";
  return answer === TENTATIVE_ANSWER || of.busy === 1 ? "tentative" : "confirmed";
}

/** Programs that do not support sensitivity still set the private flag. */
function sensitivityOf(properties: Properties): Sensitivity | null {
  const sensitivity = SENSITIVITIES[properties.integer(PID.sensitivity) ?? -1] ?? null;
  const isPrivate = properties.boolean(properties.named(LID.isPrivate)) === true;
  return isPrivate && (sensitivity === null || sensitivity === "normal") ? "private" : sensitivity;
}

function reminderOf(properties: Properties): number | null {
  if (properties.boolean(properties.named(LID.reminderSet)) !== true) return null;
  const minutes = properties.integer(properties.named(LID.reminderDelta));
  return minutes === USUAL_REMINDER.mark ? USUAL_REMINDER.minutes : minutes;
}

function organizerOf(message: MessageObject, context: AppointmentContext): Address | null {
  const flagged = message.recipients.find(({ flags }) => (flags & ORGANIZER_FLAG) !== 0);
  return (flagged === undefined ? null : resolveAddress(flagged.mailbox, context.directory)) ?? context.sender;
}

/**
 * Attendees with their answers. Only the organizer's table contains them; in an attendee's table, the owner's answer
 * is a separate property.
 */
function attendeesOf(message: MessageObject, context: AppointmentContext): readonly Attendee[] {
  const attendees: Attendee[] = [];
  const own = ownAnswerOf(message, context);
  for (const recipient of message.recipients) {
    if ((recipient.flags & ORGANIZER_FLAG) !== 0) continue;
    const address = resolveAddress(recipient.mailbox, context.directory);
    if (address === null) continue;
    const status = answerOfRecipient(recipient);
    const isOwn = status === UNANSWERED && own?.email === address.email.toLowerCase();
    attendees.push({ ...address, role: ROLE[recipient.role], status: isOwn ? own.answer : status });
  }
  return attendees;
}

/** Attendees; their names if the recipient table of a meeting is lost. */
function shownAttendees(message: MessageObject, context: AppointmentContext): readonly Attendee[] {
  const { properties, recipients } = message;
  if (recipients.length > 0) return attendeesOf(message, context);
  const required = properties.text(properties.named(LID.requiredNames)) ?? properties.text(PID.displayTo);
  const optional = properties.text(properties.named(LID.optionalNames)) ?? properties.text(PID.displayCc);
  return [
    ...displayedAddresses(required).map((address) => ({ ...address, role: ROLE.to, status: UNANSWERED })),
    ...displayedAddresses(optional).map((address) => ({ ...address, role: ROLE.cc, status: UNANSWERED })),
  ];
}

function answerOfRecipient(recipient: Recipient): string {
  return TRACK_STATUS[recipient.trackStatus] ?? UNANSWERED;
}

/** The owner of the mailbox that received the invitation, in lower case, and the answer; null if either is unknown. */
function ownAnswerOf(
  { properties }: MessageObject,
  { directory }: AppointmentContext,
): { readonly email: string; readonly answer: string } | null {
  const answer = OWN_ANSWER[properties.integer(properties.named(LID.responseStatus)) ?? 0] ?? "organizer";
  if (answer === "organizer" || answer === UNANSWERED) return null;
  for (const mailbox of receiversOf(properties)) {
    const email = resolveAddress(mailbox, directory)?.email ?? "";
    if (email !== "") return { email: email.toLowerCase(), answer };
  }
  return null;
}

function answerOf(sender: Address | null, status: string): readonly Attendee[] {
  return sender === null ? [] : [{ ...sender, role: "req-participant", status }];
}

/**
 * Changed occurrences that have a text, attendees or attachments of their own are attached to the series as items
 * ([MS-OXOCAL] 2.2.10.1).
 */
function changedItems(
  message: MessageObject,
  series: Pick<Series, "entry" | "zone">,
  context: AppointmentContext,
): ReadonlyMap<number, ChangedItem> {
  const items = new Map<number, ChangedItem>();
  for (const attachment of message.attachments) {
    if (items.size >= MAX_EXCEPTION_ENTRIES) break;
    const item = attachment.method === "embedded" ? attachment.message() : null;
    const replaced = item === null ? null : item.properties.time(item.properties.named(LID.replacedStart));
    if (item === null || replaced === null) continue;
    items.set(replacedDay(replaced, { zone: series.zone, allDay: series.entry.allDay }), {
      object: item,
      subject: item.properties.subject(),
      location: item.properties.text(item.properties.named(LID.location)),
      description: readableBody(richBodies(item.properties)),
      attendees: attendeesOf(item, context),
    });
  }
  return items;
}
