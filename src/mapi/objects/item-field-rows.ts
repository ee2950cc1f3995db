import type { ItemKind } from "../../mail/records/item.ts";
import { PROPERTY_SET, type PropertyName } from "../../properties/named-properties.ts";
import { PID } from "../../properties/property-ids.ts";

/** A field of an item: its published name and its property. */
export interface FieldRow {
  readonly name: string;
  readonly property: number | PropertyName;
  /** A property that has precedence. */
  readonly before?: PropertyName;
  /** Properties that may contain the address if this one does not: its original form, the displayed name, an entry id. */
  readonly mailbox?: readonly [original: PropertyName, shown: PropertyName, entryId: PropertyName];
  /** Properties that may contain the SMTP address if none of the others does. */
  readonly smtp?: readonly number[];
  /** A day without a time: midnight in an unknown zone. */
  readonly isDate?: true;
  /** Default value that is omitted. */
  readonly usual?: number | false;
  /** A flag without which the value is outdated. */
  readonly onlyWith?: PropertyName;
  /** Words for the numbers of an enumeration. */
  readonly words?: readonly string[];
}

/** A named property of contacts. */
export const address = (name: number): PropertyName => ({ set: PROPERTY_SET.address, name });
/** Where an address of a contact may be. @param first the number of its displayed name */
const mailbox = (first: number) => [address(first + 4), address(first), address(first + 5)] as const;
/** Properties of a mailbox, which importing programs and address lists write instead of those of a contact. */
const MAILBOX_SMTP = [PID.smtpAddress, PID.emailAddress] as const;
const common = (name: number): PropertyName => ({ set: PROPERTY_SET.common, name });
const task = (name: number): PropertyName => ({ set: PROPERTY_SET.task, name });
const log = (name: number): PropertyName => ({ set: PROPERTY_SET.log, name });

/** Items that users create; rules and out-of-office texts are read elsewhere (associated-item.ts). */
export type UserItemKind = Exclude<ItemKind, "rule" | "out_of_office">;

/** Fields by kind, in the order they are shown ([MS-OXOCNTC], [MS-OXOTASK], [MS-OXOJRNL], [MS-OXONOTE]). */
export const FIELDS: Readonly<Record<UserItemKind, readonly FieldRow[]>> = {
  contact: [
    { name: "display_name", property: 0x3001 },
    { name: "title", property: 0x3a45 },
    { name: "given_name", property: 0x3a06 },
    { name: "middle_name", property: 0x3a44 },
    { name: "surname", property: 0x3a11 },
    { name: "suffix", property: 0x3a05 },
    { name: "initials", property: 0x3a0a },
    { name: "nickname", property: 0x3a4f },
    { name: "given_name_phonetic", property: address(0x802c) },
    { name: "surname_phonetic", property: address(0x802d) },
    { name: "file_as", property: address(0x8005) },
    { name: "email_1", property: address(0x8083), mailbox: mailbox(0x8080), smtp: MAILBOX_SMTP },
    { name: "email_1_name", property: address(0x8080) },
    { name: "email_2", property: address(0x8093), mailbox: mailbox(0x8090) },
    { name: "email_2_name", property: address(0x8090) },
    { name: "email_3", property: address(0x80a3), mailbox: mailbox(0x80a0) },
    { name: "email_3_name", property: address(0x80a0) },
    { name: "instant_messaging", property: address(0x8062) },
    { name: "company", property: 0x3a16 },
    { name: "company_phonetic", property: address(0x802e) },
    { name: "department", property: 0x3a18 },
    { name: "job_title", property: 0x3a17 },
    { name: "office", property: 0x3a19 },
    { name: "location", property: 0x3a0d },
    { name: "manager", property: 0x3a4e },
    { name: "assistant", property: 0x3a30 },
    { name: "primary_phone", property: 0x3a1a },
    { name: "business_phone", property: 0x3a08 },
    { name: "business_phone_2", property: 0x3a1b },
    { name: "company_phone", property: 0x3a57 },
    { name: "assistant_phone", property: 0x3a2e },
    { name: "callback_phone", property: 0x3a02 },
    { name: "home_phone", property: 0x3a09 },
    { name: "home_phone_2", property: 0x3a2f },
    { name: "mobile_phone", property: 0x3a1c },
    { name: "car_phone", property: 0x3a1e },
    { name: "radio_phone", property: 0x3a1d },
    { name: "other_phone", property: 0x3a1f },
    { name: "pager", property: 0x3a21 },
    { name: "text_telephone", property: 0x3a4b },
    { name: "telex", property: 0x3a2c },
    { name: "isdn", property: 0x3a2d },
    { name: "primary_fax", property: 0x3a23 },
    { name: "business_fax", property: 0x3a24 },
    { name: "home_fax", property: 0x3a25 },
    { name: "business_address", property: address(0x801b) },
    { name: "home_address", property: address(0x801a) },
    { name: "other_address", property: address(0x801c) },
    { name: "business_street", property: address(0x8045) },
    { name: "business_post_office_box", property: address(0x804a) },
    { name: "business_city", property: address(0x8046) },
    { name: "business_state", property: address(0x8047) },
    { name: "business_postal_code", property: address(0x8048) },
    { name: "business_country", property: address(0x8049) },
    { name: "home_street", property: 0x3a5d },
    { name: "home_post_office_box", property: 0x3a5e },
    { name: "home_city", property: 0x3a59 },
    { name: "home_state", property: 0x3a5c },
    { name: "home_postal_code", property: 0x3a5b },
    { name: "home_country", property: 0x3a5a },
    { name: "other_street", property: 0x3a63 },
    { name: "other_post_office_box", property: 0x3a64 },
    { name: "other_city", property: 0x3a5f },
    { name: "other_state", property: 0x3a62 },
    { name: "other_postal_code", property: 0x3a61 },
    { name: "other_country", property: 0x3a60 },
    { name: "mailing_address", property: address(0x8022), usual: 0, words: ["", "home", "business", "other"] },
    { name: "postal_address", property: 0x3a15 },
    { name: "street", property: 0x3a29 },
    { name: "post_office_box", property: 0x3a2b },
    { name: "city", property: 0x3a27 },
    { name: "state", property: 0x3a28 },
    { name: "postal_code", property: 0x3a2a },
    { name: "country", property: 0x3a26 },
    { name: "web_page", property: address(0x802b) },
    { name: "business_home_page", property: 0x3a51 },
    { name: "personal_home_page", property: 0x3a50 },
    { name: "ftp_site", property: 0x3a4c },
    { name: "free_busy_address", property: address(0x80d8) },
    { name: "birthday", property: 0x3a42, before: address(0x80de), isDate: true },
    { name: "anniversary", property: 0x3a41, before: address(0x80df), isDate: true },
    { name: "spouse", property: 0x3a48 },
    { name: "children", property: 0x3a58 },
    { name: "gender", property: 0x3a4d, usual: 0, words: ["", "female", "male"] },
    { name: "profession", property: 0x3a46 },
    { name: "hobbies", property: 0x3a43 },
    { name: "language", property: 0x3a0c },
    { name: "referred_by", property: 0x3a47 },
    { name: "has_picture", property: address(0x8015), usual: false },
    { name: "is_journaled", property: address(0x8025), usual: false },
    { name: "account", property: 0x3a00 },
    { name: "customer_id", property: 0x3a4a },
    { name: "organisation_id", property: 0x3a10 },
    { name: "government_id", property: 0x3a07 },
    { name: "computer_network", property: 0x3a49 },
    { name: "user_field_1", property: address(0x804f) },
    { name: "user_field_2", property: address(0x8050) },
    { name: "user_field_3", property: address(0x8051) },
    { name: "user_field_4", property: address(0x8052) },
  ],
  distribution_list: [{ name: "name", property: address(0x8053) }],
  task: [
    {
      name: "status",
      property: task(0x8101),
      words: ["not started", "in progress", "completed", "waiting on others", "deferred"],
    },
    { name: "percent_complete", property: task(0x8102) },
    { name: "start_date", property: common(0x8516), before: task(0x8104), isDate: true },
    { name: "due_date", property: common(0x8517), before: task(0x8105), isDate: true },
    { name: "completed_date", property: task(0x810f), isDate: true },
    { name: "is_complete", property: task(0x811c) },
    { name: "is_team_task", property: task(0x8103), usual: false },
    { name: "owner", property: task(0x811f) },
    { name: "assigned_by", property: task(0x8121) },
    { name: "last_changed_by", property: task(0x8122) },
    { name: "last_update", property: task(0x8115) },
    {
      name: "last_change",
      property: task(0x811a),
      usual: 0,
      words: ["", "accepted", "declined", "changed by its owner", "due date changed", "assigned"],
    },
    { name: "last_delegate", property: task(0x8125) },
    { name: "role", property: task(0x8127) },
    {
      name: "mode",
      property: common(0x8518),
      usual: 0,
      words: ["", "request", "accepted", "declined", "update", "assigned to oneself"],
    },
    {
      name: "ownership",
      property: task(0x8129),
      usual: 0,
      words: ["", "assigned to somebody else", "assigned by somebody else"],
    },
    {
      name: "acceptance",
      property: task(0x812a),
      usual: 0,
      words: ["", "not answered", "accepted", "declined"],
    },
    { name: "reports_completion", property: task(0x8119), usual: false },
    { name: "keeps_assigner_updated", property: task(0x811b), usual: false },
    { name: "actual_work_minutes", property: task(0x8110), usual: 0 },
    { name: "total_work_minutes", property: task(0x8111), usual: 0 },
  ],
  note: [
    {
      name: "color",
      property: { set: PROPERTY_SET.note, name: 0x8b00 },
      words: ["blue", "green", "pink", "yellow", "white"],
    },
  ],
  journal: [
    { name: "type", property: log(0x8700) },
    { name: "type_description", property: log(0x8712) },
    { name: "start", property: log(0x8706) },
    { name: "end", property: log(0x8708) },
    { name: "duration_minutes", property: log(0x8707) },
    { name: "was_printed", property: log(0x870e), usual: false },
    { name: "was_saved", property: log(0x870f), usual: false },
    { name: "was_routed", property: log(0x8710), usual: false },
    { name: "was_posted", property: log(0x8711), usual: false },
  ],
  other: [],
};

/** Fields any item may have ([MS-OXCMSG], [MS-OXOFLAG], [MS-OXORMDR]). */
export const COMMON_FIELDS: readonly FieldRow[] = [
  { name: "categories", property: { set: PROPERTY_SET.publicStrings, name: "Keywords" } },
  { name: "importance", property: 0x0017, usual: 1, words: ["low", "normal", "high"] },
  { name: "sensitivity", property: 0x0036, usual: 0, words: ["normal", "personal", "private", "confidential"] },
  { name: "is_private", property: common(0x8506), usual: false },
  { name: "classification", property: common(0x85b6) },
  { name: "classification_description", property: common(0x85b7) },
  { name: "expires", property: 0x0015 },
  { name: "follow_up", property: common(0x8530) },
  { name: "follow_up_title", property: common(0x85a4) },
  { name: "follow_up_completed", property: 0x1091 },
  { name: "reminder", property: common(0x8560), before: common(0x8502), onlyWith: common(0x8503) },
  { name: "contacts", property: common(0x853a) },
  { name: "linked_contact", property: common(0x8586) },
  { name: "companies", property: common(0x8539) },
  { name: "billing", property: common(0x8535) },
  { name: "mileage", property: common(0x8534) },
];

/** Dates of a follow-up flag; for a task, its own dates ([MS-OXOFLAG] 2.2.1). */
export const FLAG_FIELDS: readonly FieldRow[] = [
  { name: "follow_up_status", property: 0x1090, usual: 0, words: ["", "completed", "flagged"] },
  { name: "follow_up_start", property: task(0x8104), isDate: true },
  { name: "follow_up_due", property: task(0x8105), isDate: true },
];
