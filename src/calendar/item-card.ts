import type { ArchivedItem } from "../mail/records/item.ts";
import { escapeCardText, escapeText, foldLine, oneLine } from "./escape-content.ts";

/** Fields of an item on a card. */
type CardItem = Pick<ArchivedItem, "kind" | "subject" | "fields"> & { readonly id: string };

/** Properties of a vCard (RFC 6350) with one address book field each, in output order. */
const PROPERTIES: Readonly<Record<string, string>> = {
  nickname: "NICKNAME",
  email_1: "EMAIL;PREF=1",
  email_2: "EMAIL",
  email_3: "EMAIL",
  job_title: "TITLE",
  profession: "ROLE",
  primary_phone: "TEL;VALUE=text;PREF=1;TYPE=voice",
  business_phone: 'TEL;VALUE=text;TYPE="work,voice"',
  business_phone_2: 'TEL;VALUE=text;TYPE="work,voice"',
  company_phone: 'TEL;VALUE=text;TYPE="work,voice"',
  home_phone: 'TEL;VALUE=text;TYPE="home,voice"',
  home_phone_2: 'TEL;VALUE=text;TYPE="home,voice"',
  mobile_phone: "TEL;VALUE=text;TYPE=cell",
  other_phone: "TEL;VALUE=text;TYPE=voice",
  pager: "TEL;VALUE=text;TYPE=pager",
  text_telephone: "TEL;VALUE=text;TYPE=textphone",
  primary_fax: "TEL;VALUE=text;TYPE=fax",
  business_fax: 'TEL;VALUE=text;TYPE="work,fax"',
  home_fax: 'TEL;VALUE=text;TYPE="home,fax"',
  web_page: "URL",
  business_home_page: "URL;TYPE=work",
  personal_home_page: "URL;TYPE=home",
  ftp_site: "URL",
  free_busy_address: "FBURL",
  children: "RELATED;VALUE=text;TYPE=child",
  spouse: "RELATED;VALUE=text;TYPE=spouse",
  manager: "RELATED;VALUE=text;TYPE=co-worker",
  body: "NOTE",
};
/** Properties with several parts, one field each; missing parts stay empty. */
const STRUCTURED: readonly { readonly property: string; readonly parts: readonly (string | null)[] }[] = [
  { property: "N", parts: ["surname", "given_name", "middle_name", "title", "suffix"] },
  { property: "ORG", parts: ["company", "department", "office"] },
  { property: "ADR", parts: ["post_office_box", null, "street", "city", "state", "postal_code", "country"] },
];
/** Addresses as one text, and in parts under a common prefix: street, city and others. */
const ADDRESSES: readonly { readonly property: string; readonly field: string; readonly parts: readonly string[] }[] = [
  { property: "ADR;TYPE=work", field: "business_address", parts: addressParts("business") },
  { property: "ADR;TYPE=home", field: "home_address", parts: addressParts("home") },
  { property: "ADR", field: "other_address", parts: addressParts("other") },
];
const DATES: Readonly<Record<string, string>> = { birthday: "BDAY", anniversary: "ANNIVERSARY" };
const URI = /^(?:FB)?URL/;
const CALENDAR_DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
/** Fields that other properties of the card contain. */
const SHOWN_ELSEWHERE = new Set([
  "display_name",
  "name",
  ...Object.keys(PROPERTIES),
  ...STRUCTURED.flatMap(({ parts }) => parts),
  ...ADDRESSES.flatMap(({ field, parts }) => [field, ...parts]),
  ...Object.keys(DATES),
]);

/**
 * An entry of an address book as a vCard 4.0 (RFC 6350): a contact, or a distribution list as a group. Null for an item
 * of another kind. A field without a standard property becomes `X-ARCHIVETOOL-<FIELD>`, so that no field is lost.
 */
export function itemCard({ id, kind, subject, fields }: CardItem): string | null {
  if (kind !== "contact" && kind !== "distribution_list") return null;
  const name = fields["display_name"] ?? fields["name"] ?? subject;
  const lines = ["BEGIN:VCARD", "VERSION:4.0", `UID:${id}`];
  if (kind === "distribution_list") lines.push("KIND:group");
  lines.push(`FN:${escapeCardText(name === "" ? id : name)}`);
  for (const { property, parts } of STRUCTURED) {
    const values = parts.map((part) => (part === null ? "" : escapeText(fields[part] ?? "")));
    if (values.some((value) => value !== "")) lines.push(`${property}:${values.join(";")}`);
  }
  for (const address of ADDRESSES) lines.push(...addressLines(fields, address));
  for (const [field, value] of Object.entries(fields)) lines.push(...propertyLines(field, value));
  lines.push("END:VCARD");
  return lines.map(foldLine).join("");
}

function propertyLines(field: string, value: string): readonly string[] {
  if (Object.hasOwn(PROPERTIES, field)) {
    const property = PROPERTIES[field]!;
    // A URI is not text: it is not escaped, and it ends with its line.
    return [`${property}:${URI.test(property) ? oneLine(value) : escapeCardText(value)}`];
  }
  if (Object.hasOwn(DATES, field)) return [`${DATES[field]}${dateValue(value)}`];
  if (SHOWN_ELSEWHERE.has(field)) return [];
  return [`X-ARCHIVETOOL-${field.toUpperCase().replace(/[^A-Z0-9]/g, "-")}:${escapeCardText(value)}`];
}

/** Post office box, an empty part that the standard keeps for old cards, and what follows (RFC 6350 section 6.3.1). */
function addressParts(kind: string): readonly string[] {
  return ["post_office_box", "", "street", "city", "state", "postal_code", "country"].map((part) =>
    part === "" ? "" : `${kind}_${part}`,
  );
}

function addressLines(
  fields: ArchivedItem["fields"],
  { property, field, parts }: (typeof ADDRESSES)[number],
): readonly string[] {
  const whole = fields[field] ?? "";
  const values = parts.map((part) => escapeText(fields[part] ?? ""));
  if (whole === "" && values.every((value) => value === "")) return [];
  return [`${property}${whole === "" ? "" : `;LABEL="${label(whole)}"`}:${values.join(";")}`];
}

/** Escapes a quoted parameter as RFC 6868 requires. */
function label(text: string): string {
  return oneLine(text.replaceAll("^", "^^").replace(/\r\n?|\n/g, "^n")).replaceAll('"', "^'");
}

/** RFC 6350 section 4.3.1 has days without hyphens. */
function dateValue(text: string): string {
  const [, year, month, day] = CALENDAR_DATE.exec(text) ?? [];
  return year === undefined ? `;VALUE=text:${escapeCardText(text)}` : `:${year}${month}${day}`;
}
