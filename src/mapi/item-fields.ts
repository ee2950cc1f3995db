import { formatInstant, type Instant, nearestMidnight } from "../mail/instant.ts";
import type { ItemKind, OutlookItem } from "../mail/item.ts";
import { PROPERTY_SET, type PropertyName } from "../properties/named-properties.ts";
import { type Properties, splitValues } from "../properties/properties.ts";
import { MULTIPLE, TYPE } from "../properties/property-bytes.ts";
import { PID } from "../properties/property-ids.ts";
import { readOneOff } from "./mapi-address.ts";
import { readableBody, richBodies } from "./rich-body.ts";

/** A field of an item: its name outside, and the property it comes from. */
interface FieldRow {
  readonly name: string;
  readonly property: number | PropertyName;
  /** A property that is asked first. */
  readonly before?: PropertyName;
  /** A day without a time of day: midnight somewhere. */
  readonly isDate?: true;
}

const address = (name: number): PropertyName => ({ set: PROPERTY_SET.address, name });
const task = (name: number): PropertyName => ({ set: PROPERTY_SET.task, name });
const log = (name: number): PropertyName => ({ set: PROPERTY_SET.log, name });

/** Fields by kind, in the order they are shown ([MS-OXOCNTC], [MS-OXOTASK], [MS-OXOJRNL], [MS-OXONOTE]). */
const FIELDS: Readonly<Record<ItemKind, readonly FieldRow[]>> = {
  contact: [
    { name: "display_name", property: PID.displayName },
    { name: "given_name", property: 0x3a06 },
    { name: "middle_name", property: 0x3a44 },
    { name: "surname", property: 0x3a11 },
    { name: "nickname", property: 0x3a4f },
    { name: "file_as", property: address(0x8005) },
    { name: "email_1", property: address(0x8083) },
    { name: "email_1_name", property: address(0x8080) },
    { name: "email_2", property: address(0x8093) },
    { name: "email_2_name", property: address(0x8090) },
    { name: "email_3", property: address(0x80a3) },
    { name: "email_3_name", property: address(0x80a0) },
    { name: "instant_messaging", property: address(0x8062) },
    { name: "company", property: 0x3a16 },
    { name: "department", property: 0x3a18 },
    { name: "job_title", property: 0x3a17 },
    { name: "office", property: 0x3a19 },
    { name: "manager", property: 0x3a4e },
    { name: "assistant", property: 0x3a30 },
    { name: "business_phone", property: 0x3a08 },
    { name: "business_phone_2", property: 0x3a1b },
    { name: "home_phone", property: 0x3a09 },
    { name: "mobile_phone", property: 0x3a1c },
    { name: "other_phone", property: 0x3a1f },
    { name: "pager", property: 0x3a21 },
    { name: "business_fax", property: 0x3a24 },
    { name: "home_fax", property: 0x3a25 },
    { name: "business_address", property: address(0x801b) },
    { name: "home_address", property: address(0x801a) },
    { name: "other_address", property: address(0x801c) },
    { name: "street", property: 0x3a29 },
    { name: "city", property: 0x3a27 },
    { name: "state", property: 0x3a28 },
    { name: "postal_code", property: 0x3a2a },
    { name: "country", property: 0x3a26 },
    { name: "web_page", property: address(0x802b) },
    { name: "business_home_page", property: 0x3a51 },
    { name: "personal_home_page", property: 0x3a50 },
    { name: "birthday", property: 0x3a42, before: address(0x80de), isDate: true },
    { name: "anniversary", property: 0x3a41, before: address(0x80df), isDate: true },
    { name: "spouse", property: 0x3a48 },
    { name: "profession", property: 0x3a46 },
  ],
  distribution_list: [{ name: "name", property: address(0x8053) }],
  task: [
    { name: "status", property: task(0x8101) },
    { name: "percent_complete", property: task(0x8102) },
    { name: "start_date", property: task(0x8104), isDate: true },
    { name: "due_date", property: task(0x8105), isDate: true },
    { name: "completed_date", property: task(0x810f), isDate: true },
    { name: "is_complete", property: task(0x811c) },
    { name: "owner", property: task(0x811f) },
    { name: "assigned_by", property: task(0x8121) },
  ],
  note: [{ name: "color", property: { set: PROPERTY_SET.note, name: 0x8b00 } }],
  journal: [
    { name: "type", property: log(0x8700) },
    { name: "start", property: log(0x8706) },
    { name: "end", property: log(0x8708) },
    { name: "duration_minutes", property: log(0x8707) },
  ],
  other: [],
};

/** Values in words where the number means nothing to a reader. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  status: ["not started", "in progress", "completed", "waiting on others", "deferred"],
  color: ["blue", "green", "pink", "yellow", "white"],
};

const ONE_OFF_MEMBERS = address(0x8054);
const MEMBERS = address(0x8055);
/** Members of one list that are read; Outlook stops near 1,000. */
const MAX_MEMBERS = 10_000;

/** An Outlook item that is no mail: its fields by name. What it does not have is left out. */
export function readItemFields(properties: Properties, kind: ItemKind): OutlookItem {
  const fields = new Map<string, string>();
  const messageClass = properties.text(PID.messageClass);
  if (kind === "other" && messageClass !== null) fields.set("message_class", messageClass);
  for (const row of FIELDS[kind]) {
    const value = valueText(properties, row);
    if (value !== null) fields.set(row.name, value);
  }
  if (kind === "distribution_list") addMembers(properties, fields);
  const body = readableBody(richBodies(properties));
  if (body !== "") fields.set("body", body);
  const created = formatInstant(properties.time(PID.creationTime));
  if (created !== null) fields.set("created", created);
  return {
    kind,
    subject: properties.subject() ?? properties.text(PID.displayName) ?? "",
    fields: Object.fromEntries(fields),
  };
}

function valueText(properties: Properties, row: FieldRow): string | null {
  const id = idOf(properties, row);
  const type = properties.source.typeOf(id);
  if (type === TYPE.time)
    return row.isDate === true ? formatDate(properties.time(id)) : formatInstant(properties.time(id));
  if (type === TYPE.boolean) return properties.boolean(id) === true ? "yes" : "no";
  if (type === TYPE.floating64) return formatShare(properties.float(id));
  const number = properties.integer(id);
  if (number !== null) return WORDS[row.name]?.[number] ?? String(number);
  const text = properties.text(id)?.trim() ?? "";
  return text === "" ? null : text;
}

function idOf(properties: Properties, { property, before }: FieldRow): number {
  const first = before === undefined ? 0 : properties.named(before);
  if (properties.has(first)) return first;
  return typeof property === "number" ? property : properties.named(property);
}

/** Of midnights in a zone that is not told the nearest one in UTC: the day is right east and west of Greenwich. */
function formatDate(instant: Instant | null): string | null {
  return instant === null ? null : (formatInstant(nearestMidnight(instant))?.slice(0, 10) ?? null);
}

/** Percent complete is kept as a share of one. */
function formatShare(value: number | null): string | null {
  return value === null || !Number.isFinite(value) ? null : `${Math.round(value * 100)}%`;
}

function addMembers(properties: Properties, fields: Map<string, string>): void {
  const oneOffs = entryIds(properties, ONE_OFF_MEMBERS);
  const members = (oneOffs.length > 0 ? oneOffs : entryIds(properties, MEMBERS))
    .map(readOneOff)
    .filter((member) => member !== null);
  if (members.length > 0)
    fields.set("members", members.map(({ name, email }) => `${name ?? ""} <${email ?? ""}>`.trim()).join("; "));
}

function entryIds(properties: Properties, name: PropertyName): readonly Buffer[] {
  const id = properties.named(name);
  const bytes = properties.source.typeOf(id) === (TYPE.binary | MULTIPLE) ? properties.source.bytesOf(id) : null;
  return bytes === null ? [] : splitValues(bytes).slice(0, MAX_MEMBERS);
}
