import { formatInstant } from "../mail/dates/instant.ts";
import type { OutlookItem } from "../mail/records/item.ts";
import { htmlToText } from "../text/html/html-to-text.ts";
import type { OlmItemKind } from "./item-pieces.ts";
import { recurrenceOf } from "./olm-recurrence.ts";
import { addressesOf, categoriesOf, instantOf } from "./olm-values.ts";
import { childOf, fieldOf, type XmlElement } from "./xml-element.ts";

/** Maximum fields of an item. */
const MAX_FIELDS = 300;
/** Maximum characters of a value. */
const MAX_VALUE_LENGTH = 256 * 1024;

/** Contact fields by the suffix of `OPFContactCopy`, in display order. */
const CONTACT_FIELDS: readonly (readonly [string, string])[] = [
  ["DisplayName", "display_name"],
  ["Title", "title"],
  ["FirstName", "given_name"],
  ["MiddleName", "middle_name"],
  ["LastName", "surname"],
  ["SetNameSuffix", "suffix"],
  ["NickName", "nickname"],
  ["BusinessCompany", "company"],
  ["BusinessDepartment", "department"],
  ["BusinessTitle", "job_title"],
  ["BusinessOffice", "office"],
  ["AssistantPhone", "assistant_phone"],
  ["BusinessPhone", "business_phone"],
  ["BusinessPhone2", "business_phone_2"],
  ["HomePhone", "home_phone"],
  ["HomePhone2", "home_phone_2"],
  ["CellPhone", "mobile_phone"],
  ["RadioPhone", "radio_phone"],
  ["OtherPhone", "other_phone"],
  ["Pager", "pager"],
  ["BusinessFax", "business_fax"],
  ["HomeFax", "home_fax"],
  ["OtherFax", "other_fax"],
  ...["Business", "Home", "Other"].flatMap((place): (readonly [string, string])[] => [
    [`${place}StreetAddress`, `${place.toLowerCase()}_street`],
    [`${place}City`, `${place.toLowerCase()}_city`],
    [`${place}State`, `${place.toLowerCase()}_state`],
    [`${place}Zip`, `${place.toLowerCase()}_postal_code`],
    [`${place}Country`, `${place.toLowerCase()}_country`],
  ]),
  ["HomeWebPage", "personal_home_page"],
  ["BusinessHomePage", "business_home_page"],
  ["SpousesName", "spouse"],
  ["Interests", "hobbies"],
];
/** Fields of a contact that are read elsewhere, or describe the record. */
const OF_CONTACTS_READ = new Set([
  ...CONTACT_FIELDS.map(([name]) => name),
  ...["Birthday", "Anniversary", "Notes", "NotesPlain", "ModDate", "ContactImage", "CategoryList", "PrimaryCategory"],
  ...["EmailAddressList", "EmailAddressList1", "EmailAddressList2", "DefaultEmailAddress", "Children"],
  ...["DefaultIMAddress", "IMAddressList", "DueDateTime", "StartDateTime"],
]);
const CONTACT_PREFIX = /^OPFContact(?:Copy)?(?=[A-Z])/;
/** Fields that describe the record and not the contact. */
const OF_THE_RECORD = /^OPFContact(?:Can|Get|Is|Type|ExchangeID|AddPicture)/;
const EMAIL_LISTS = ["DefaultEmailAddress", "EmailAddressList", "EmailAddressList1", "EmailAddressList2"];
const INSTANT_LISTS = ["DefaultIMAddress", "IMAddressList"];

/** Fields of an item during reading. */
class Fields {
  readonly fields: Record<string, string> = {};
  private count = 0;

  add(name: string, value: string | null): void {
    const text = value?.trim().slice(0, MAX_VALUE_LENGTH) ?? "";
    if (text === "" || this.count >= MAX_FIELDS || Object.hasOwn(this.fields, name)) return;
    this.fields[name] = text;
    this.count++;
  }

  /** The day of a date without a time. */
  addDay(name: string, element: XmlElement, field: string): void {
    this.add(name, formatInstant(instantOf(element, field))?.slice(0, 10) ?? null);
  }

  addTime(name: string, element: XmlElement, field: string): void {
    this.add(name, formatInstant(instantOf(element, field)));
  }

  /** Adds a plain text, else the HTML. */
  addBody(element: XmlElement, plain: string, html: string): void {
    this.add("body", childOf(element, plain)?.text ?? null);
    const rich = childOf(element, html);
    if (rich !== null) this.add("body", htmlToText(rich.children.length === 0 ? rich.text : rich.markup));
  }
}

function readContact(contact: XmlElement): OutlookItem {
  const read = new Fields();
  const { fields } = read;
  for (const [name, field] of CONTACT_FIELDS) read.add(field, fieldOf(contact, `OPFContactCopy${name}`));
  for (const [at, address] of listed(contact, EMAIL_LISTS).entries()) read.add(`email_${at + 1}`, address);
  read.add("instant_messaging", listed(contact, INSTANT_LISTS).join("; "));
  for (const place of ["business", "home", "other"]) {
    const parts = ["street", "city", "state", "postal_code", "country"].map((part) => fields[`${place}_${part}`]);
    read.add(`${place}_address`, parts.filter((part) => part !== undefined).join(", "));
  }
  read.addDay("birthday", contact, "OPFContactCopyBirthday");
  read.addDay("anniversary", contact, "OPFContactCopyAnniversary");
  const children = childOf(contact, "OPFContactCopyChildren")?.children ?? [];
  read.add("children", children.map(({ text }) => text.trim()).join("; "));
  if (fieldOf(contact, "OPFContactAddPicture") !== "" || fieldOf(contact, "OPFContactCopyContactImage").length > 1)
    read.add("has_picture", "yes");
  addOthers(contact, read);
  read.add("categories", categoriesOf(contact, "OPFContactCopyCategoryList").join("; "));
  read.addBody(contact, "OPFContactCopyNotesPlain", "OPFContactCopyNotes");
  const name = [fields["given_name"], fields["surname"]].filter((part) => part !== undefined).join(" ");
  const subject = fields["display_name"] ?? (name === "" ? (fields["company"] ?? fields["email_1"] ?? "") : name);
  return { kind: "contact", subject, fields };
}

/** Addresses of some lists, each once. */
function listed(contact: XmlElement, lists: readonly string[]): readonly string[] {
  const elements = lists.flatMap((name) => childOf(contact, `OPFContactCopy${name}`)?.children ?? []);
  const addresses = elements.map((element) => fieldOf(element, "OPFContactEmailAddressAddress"));
  return [...new Set(addresses.filter((address) => address !== ""))];
}

/** All other fields of a contact, under Outlook's own names. */
function addOthers(contact: XmlElement, read: Fields): void {
  for (const { name, text } of contact.children) {
    if (!CONTACT_PREFIX.test(name) || OF_THE_RECORD.test(name)) continue;
    const own = name.replace(CONTACT_PREFIX, "");
    if (!OF_CONTACTS_READ.has(own)) read.add(own.replace(/(?<=[a-z])(?=[A-Z\d])/g, "_").toLowerCase(), text);
  }
}

function readGroup(group: XmlElement): OutlookItem {
  const read = new Fields();
  const subject = fieldOf(group, "OPFGroupCopyDisplayName");
  read.add("name", subject);
  const members = addressesOf(group, "OPFGroupCopyMemberList");
  read.add("members", members.map(({ name, email }) => `${name} <${email}>`.trim()).join("; "));
  return { kind: "distribution_list", subject, fields: read.fields };
}

function readTask(task: XmlElement): OutlookItem {
  const read = new Fields();
  const isComplete = fieldOf(task, "OPFTaskCopyCompletedDateTime") !== "";
  read.add("status", isComplete ? "completed" : "not completed");
  read.addDay("start_date", task, "OPFTaskCopyStartDateTime");
  read.addDay("due_date", task, "OPFTaskCopyDueDateTime");
  read.addDay("completed_date", task, "OPFTaskCopyCompletedDateTime");
  read.add("is_complete", isComplete ? "yes" : "no");
  const recurrence = recurrenceOf(childOf(task, "OPFTaskCopyRecurrence"), true);
  read.add("recurrence", recurrence?.rrule ?? null);
  read.add("recurrence_text", recurrence?.text ?? null);
  read.addTime("reminder", task, "OPFTaskCopyReminderTime");
  read.add("categories", categoriesOf(task, "OPFTaskCopyCategoryList").join("; "));
  read.addBody(task, "OPFTaskCopyNotePlain", "OPFTaskCopyNote");
  return { kind: "task", subject: fieldOf(task, "OPFTaskCopyName"), fields: read.fields };
}

function readNote(note: XmlElement): OutlookItem {
  const read = new Fields();
  read.addBody(note, "OPFNoteCopyText", "OPFNoteCopyHTMLText");
  read.addTime("created", note, "OPFNoteCopyCreationDate");
  const title = fieldOf(note, "OPFNoteCopyTitle");
  return { kind: "note", subject: title || (read.fields["body"] ?? "").split("\n", 1)[0]!.trim(), fields: read.fields };
}

/** Readers of items other than messages and appointments. */
export const OLM_ITEM_READERS: Readonly<
  Record<Exclude<OlmItemKind, "email" | "appointment">, (element: XmlElement) => OutlookItem>
> = { contact: readContact, group: readGroup, task: readTask, note: readNote };
