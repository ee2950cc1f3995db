import { formatInstant, type Instant, nearestMidnight } from "../mail/dates/instant.ts";
import { describeRule } from "../mail/dates/recurrence-text.ts";
import type { OutlookItem } from "../mail/records/item.ts";
import { PROPERTY_SET, type PropertyName } from "../properties/named-properties.ts";
import { NO_PROPERTY, type Properties } from "../properties/properties.ts";
import { TYPE } from "../properties/property-bytes.ts";
import { PID } from "../properties/property-ids.ts";
import { readRecurrence } from "./appointments/recurrence-blob.ts";
import { assignersOf } from "./appointments/task-assigners.ts";
import { displayedAddress } from "./objects/displayed-address.ts";
import { COMMON_FIELDS, FIELDS, type FieldRow, FLAG_FIELDS, type UserItemKind } from "./objects/item-field-rows.ts";
import { membersText } from "./objects/list-members.ts";
import { readOneOff } from "./objects/mapi-address.ts";
import { readableBody, richBodies } from "./rtf/rich-body.ts";

/**
 * Fields by name of an Outlook item other than mail; missing ones are omitted. @param createdAt creation time, or
 * null
 */
export function readItemFields(properties: Properties, kind: UserItemKind, createdAt: Instant | null): OutlookItem {
  const fields = new Map<string, string>();
  const messageClass = properties.text(PID.messageClass);
  if (kind === "other" && messageClass !== null) fields.set("message_class", messageClass);
  addFields(properties, FIELDS[kind], fields);
  if (kind === "task") {
    addRecurrence(properties, fields);
    const assigners = assignersOf(properties).join("; ");
    if (assigners !== "") fields.set("assigners", assigners);
  }
  const members = kind === "distribution_list" ? membersText(properties) : "";
  if (members !== "") fields.set("members", members);
  addFields(properties, COMMON_FIELDS, fields);
  if (kind !== "task") addFields(properties, FLAG_FIELDS, fields);
  const body = readableBody(richBodies(properties));
  if (body !== "") fields.set("body", body);
  const created = formatInstant(createdAt);
  if (created !== null) fields.set("created", created);
  const subject = properties.subject() || properties.text(PID.displayName) || titleOf(fields);
  return { kind, subject, fields: Object.fromEntries(fields) };
}

/** Fields that name an item without a subject, in order of preference. */
const TITLES = ["file_as", "name", "company", "email_1"] as const;

/** The title of a contact or list that has only fields. */
function titleOf(fields: ReadonlyMap<string, string>): string {
  const names = ["given_name", "surname"].flatMap((name) => fields.get(name) ?? []);
  return names.length > 0 ? names.join(" ") : (TITLES.flatMap((name) => fields.get(name) ?? [])[0] ?? "");
}

function addFields(properties: Properties, rows: readonly FieldRow[], fields: Map<string, string>): void {
  for (const row of rows) {
    const value = valueText(properties, row);
    if (value !== null) fields.set(row.name, value);
  }
}

/** How values of a type are written; those of other types are numbers or texts. */
const WRITERS: ReadonlyMap<number | null, (properties: Properties, id: number, row: FieldRow) => string | null> =
  new Map([
    [TYPE.time, timeText],
    [TYPE.boolean, flagText],
    [TYPE.floating64, (properties: Properties, id: number) => formatShare(properties.float(id))],
  ]);

function timeText(properties: Properties, id: number, { isDate }: FieldRow): string | null {
  return isDate === true ? formatDate(properties.time(id)) : formatInstant(properties.time(id));
}

function flagText(properties: Properties, id: number, { usual }: FieldRow): string | null {
  const isSet = properties.boolean(id) === true;
  return isSet === usual ? null : isSet ? "yes" : "no";
}

function valueText(properties: Properties, row: FieldRow): string | null {
  if (row.onlyWith !== undefined && properties.boolean(properties.named(row.onlyWith)) !== true) return null;
  const id = idOf(properties, row);
  const write = WRITERS.get(properties.source.typeOf(id));
  if (write !== undefined) return write(properties, id, row);
  const number = properties.integer(id);
  if (number !== null) return number === row.usual ? null : (row.words?.[number] ?? String(number));
  const text = properties.texts(id).join("; ").trim();
  if (text !== "" && !text.startsWith("/")) return text;
  return mailboxText(properties, row) ?? (text === "" ? null : text);
}

/** The SMTP address of a contact that has only an X.500 name, or no address, in its own property. */
function mailboxText(properties: Properties, { mailbox, smtp = [] }: FieldRow): string | null {
  if (mailbox === undefined) return null;
  const [original, shown, entryId] = mailbox;
  for (const name of [original, shown]) {
    const text = properties.text(properties.named(name)) ?? "";
    const { email } = displayedAddress(text);
    if (email !== "" && !text.startsWith("/")) return email;
  }
  const bytes = properties.binary(properties.named(entryId));
  const listed = [bytes === null ? null : readOneOff(bytes)?.email, ...smtp.map((id) => properties.text(id))];
  return listed.map((email) => email?.trim() ?? "").find(isSmtp) ?? null;
}

function isSmtp(email: string): boolean {
  return email.includes("@") && !email.startsWith("/");
}

const TASK_RECURRENCE: PropertyName = { set: PROPERTY_SET.task, name: 0x8116 };

/** The rule of a recurring task: RRULE, and in words. */
function addRecurrence(properties: Properties, fields: Map<string, string>): void {
  const bytes = properties.binary(properties.named(TASK_RECURRENCE));
  // Texts belong to changed occurrences, which tasks do not have.
  const blob = bytes === null ? null : readRecurrence(bytes, () => "");
  if (blob === null) return;
  const until = blob.untilLocal === null ? null : formatDate(blob.untilLocal);
  const rule = [...blob.rule, ...(until === null ? [] : [`UNTIL=${until.replaceAll("-", "")}`])].join(";");
  fields.set("recurrence", rule);
  fields.set("recurrence_text", describeRule(rule));
}

function idOf(properties: Properties, { property, before }: FieldRow): number {
  const first = before === undefined ? NO_PROPERTY : properties.named(before);
  if (properties.has(first)) return first;
  return typeof property === "number" ? property : properties.named(property);
}

/**
 * Rounds midnight in an unknown zone to the nearest midnight UTC, so that the day is right east and west of Greenwich.
 */
function formatDate(instant: Instant | null): string | null {
  return instant === null ? null : (formatInstant(nearestMidnight(instant))?.slice(0, 10) ?? null);
}

/** Percent complete is stored as a fraction. */
function formatShare(value: number | null): string | null {
  return value === null || !Number.isFinite(value) ? null : `${Math.round(value * 100)}%`;
}
