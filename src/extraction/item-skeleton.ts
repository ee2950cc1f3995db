import { hash } from "node:crypto";
import type { Address } from "../mail/address.ts";
import type { OutlookItem } from "../mail/item.ts";

/** The address fields of a contact item; Outlook has three. */
const EMAIL_FIELDS = ["email_1", "email_2", "email_3"] as const;

/** What the main thread learns of an Outlook item: enough to know it again, and what it says of addresses. */
export interface ItemSkeleton {
  readonly kind: "item";
  readonly mailbox: string;
  /** Equal for items with the same fields in the same mailbox. */
  readonly key: string;
  readonly addresses: readonly Address[];
}

/** @param item as the archive holds it, redacted: an incremental run has no other. */
export function itemSkeleton(item: OutlookItem, mailbox: string): ItemSkeleton {
  const key = hash("sha256", JSON.stringify([mailbox, item.kind, item.subject, item.fields]));
  return { kind: "item", mailbox, key, addresses: itemAddresses(item) };
}

/** Whose addresses an Outlook contact says these are. None for other items, and for a contact that names nobody. */
function itemAddresses(item: OutlookItem): readonly Address[] {
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
