import type { Address } from "../mail/address.ts";
import type { OutlookItem } from "../mail/item.ts";

/** The address fields of a contact item; Outlook has three. */
const EMAIL_FIELDS = ["email_1", "email_2", "email_3"] as const;

/** Whose addresses an Outlook contact says these are. None for other items, and for a contact that names nobody. */
export function itemAddresses(item: OutlookItem): readonly Address[] {
  if (item.kind !== "contact") return [];
  const name = nameOf(item);
  if (name === "") return [];
  const emails = EMAIL_FIELDS.map((field) => item.fields[field] ?? "").filter((email) => email.includes("@") || email.startsWith("/"));
  return [...new Set(emails)].map((email) => ({ name, email }));
}

function nameOf({ fields }: OutlookItem): string {
  const parts = [fields["given_name"], fields["middle_name"], fields["surname"]].filter((part) => part !== undefined && part !== "");
  return fields["display_name"] ?? parts.join(" ");
}
