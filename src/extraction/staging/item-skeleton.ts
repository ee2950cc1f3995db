import { hash } from "node:crypto";
import type { Address } from "../../mail/records/address.ts";
import { type ItemKind, type OutlookItem, SAVED_FILES_FIELD } from "../../mail/records/item.ts";

/** The address fields of a contact item; Outlook has three. */
const EMAIL_FIELDS = ["email_1", "email_2", "email_3"] as const;

/** What the main thread learns of an Outlook item: enough to know it again, and what it says of addresses. */
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

/** @param item as the archive holds it, redacted: an incremental run has no other. */
export function itemSkeleton(item: OutlookItem, mailbox: string): ItemSkeleton {
  // Where attachments were saved is nothing of the item itself.
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

/**
 * Whose addresses an Outlook contact or distribution list says these are. None for other items, and for a contact that
 * names nobody.
 */
function itemAddresses(item: OutlookItem): readonly Address[] {
  if (item.kind === "distribution_list") return listMembers(item.fields["members"] ?? "");
  if (item.kind !== "contact") return [];
  const name = nameOf(item);
  if (name === "") return [];
  const emails = EMAIL_FIELDS.map((field) => item.fields[field] ?? "").filter(isAddress);
  return [...new Set(emails)].map((email) => ({ name, email }));
}

/** Members as `readPstItem` writes them: `Name <address>` between semicolons. A part that is not that says nothing. */
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
