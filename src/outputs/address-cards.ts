import type { Archive } from "../mail/archive.ts";
import type { Contact } from "../mail/records/contact.ts";
import type { ItemId } from "../mail/records/ids.ts";
import type { ArchivedItem } from "../mail/records/item.ts";
import { foldKey } from "../mail/words/fold-key.ts";

/** An address book entry, as evidence in addition to mail. */
export interface AddressCard {
  readonly id: ItemId;
  readonly name: string;
  readonly company: string;
  /** Job title and department. */
  readonly title: string;
  /** With its label: `mobile 555 0100`. */
  readonly phones: readonly string[];
}

/** Maximum entries per person: people copy their address book from store to store. */
export const MAX_CARDS = 20;
/** Maximum addresses searched per person: the limit of a query; more indicate a list. */
const MAX_ADDRESSES = 50;

const ADDRESS_FIELDS = ["email_1", "email_2", "email_3"] as const;
const PHONE = "_phone";

/** The addresses of an address book entry; none for other items. */
export function addressesOfCard({ kind, fields }: ArchivedItem): readonly string[] {
  if (kind !== "contact") return [];
  return ADDRESS_FIELDS.flatMap((name) => (fields[name] === undefined ? [] : [fields[name]]));
}

export function addressCard({ id, subject, fields }: ArchivedItem): AddressCard {
  const { display_name: displayName, company, job_title: title, department } = fields;
  return {
    id,
    name: displayName ?? subject,
    company: company ?? "",
    title: [title, department].filter((part) => part !== undefined).join(", "),
    phones: Object.entries(fields).flatMap(([name, value]) =>
      name.endsWith(PHONE) ? [`${name.slice(0, -PHONE.length).replaceAll("_", " ")} ${value}`] : [],
    ),
  };
}

/**
 * The entries that contain an address of a contact, in id order; for a contact without an address, those with its name.
 */
export async function addressCardsOf(
  { items }: Pick<Archive, "items">,
  { name, email, aliases }: Pick<Contact, "name" | "email" | "aliases">,
): Promise<readonly AddressCard[]> {
  const known = [email, ...aliases].filter((address) => address !== "").slice(0, MAX_ADDRESSES);
  const wanted = new Set((known.length === 0 ? [name] : known).map(foldKey));
  const query = Array.from(wanted, (text) => `person:"${text.replaceAll('"', " ")}"`).join(" OR ");
  const { found } = await items.page({
    ...{ query, match: "all", sort: "id", after: null, before: null, offset: 0, limit: MAX_CARDS, kind: "contact" },
  });
  return found
    .map(({ record }) => record)
    .filter((item) =>
      (known.length === 0 ? [item.subject, item.fields["display_name"] ?? ""] : addressesOfCard(item)).some((text) =>
        wanted.has(foldKey(text)),
      ),
    )
    .map(addressCard);
}
