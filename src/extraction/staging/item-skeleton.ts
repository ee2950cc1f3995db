import { hash } from "node:crypto";
import type { Address } from "../../mail/records/address.ts";
import { type ItemKind, type OutlookItem, SAVED_FILES_FIELD } from "../../mail/records/item.ts";

/** The address fields of a contact item; Outlook has three. */
const EMAIL_FIELDS = ["email_1", "email_2", "email_3"] as const;

/** Data of an Outlook item for the main thread: its identity and its addresses. */
export interface ItemSkeleton {
  readonly kind: "item";
  readonly mailbox: string;
  /** Equal for items with the same fields in the same mailbox. */
  readonly key: string;
  readonly addresses: readonly Address[];
  readonly itemKind: ItemKind;
  readonly subject: string;
  /** ISO 8601, or null if the item has none. Identifies the item, together with its kind, after it has changed. */
  readonly created: string | null;
}

/** @param item as archived, possibly redacted: incremental runs have no other */
export function itemSkeleton(item: OutlookItem, mailbox: string): ItemSkeleton {
  // The paths of saved attachments are not part of the item.
  const { [SAVED_FILES_FIELD]: _, ...content } = item.fields;
  const key = hash("sha256", JSON.stringify([mailbox, item.kind, item.subject, content]));
  const created = item.fields["created"] ?? null;
  return {
    kind: "item",
    mailbox,
    key,
    addresses: itemAddresses(item),
    itemKind: item.kind,
    subject: item.subject,
    created,
  };
}

/** Addresses of an Outlook contact or distribution list. Empty for other items and for contacts without names. */
function itemAddresses(item: OutlookItem): readonly Address[] {
  if (item.kind === "distribution_list") return listMembers(item.fields["members"] ?? "");
  if (item.kind !== "contact") return [];
  const name = nameOf(item);
  if (name === "") return [];
  const emails = EMAIL_FIELDS.map((field) => item.fields[field] ?? "").filter(isAddress);
  return [...new Set(emails)].map((email) => ({ name, email }));
}

/** Members as written by `readPstItem`: `Name <address>` separated by semicolons. Other parts are ignored. */
function listMembers(members: string): readonly Address[] {
  const found: Address[] = [];
  for (const member of members.split("; ")) {
    const open = member.lastIndexOf("<");
    const name = member.slice(0, Math.max(0, open)).trim();
    const email = member.slice(open + 1, -1).trim();
    // Outlook names a member without a name by its address.
    if (open > 0 && member.endsWith(">") && isAddress(email) && name !== "" && !isAddress(name))
      found.push({ name, email });
  }
  return found;
}

function isAddress(text: string): boolean {
  return text.includes("@") || text.startsWith("/");
}

function nameOf({ fields }: OutlookItem): string {
  const parts = [fields["given_name"], fields["middle_name"], fields["surname"]].filter(
    (part) => part !== undefined && part !== "",
  );
  return fields["display_name"] ?? parts.join(" ");
}
