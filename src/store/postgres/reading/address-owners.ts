import type { ContactOrdinal } from "../../../mail/records/ordinal.ts";
import { comparedAddress } from "../../contract/compared-address.ts";
import type { AddressOwner } from "../../reading/hit-mapper.ts";
import { validIn } from "../client/valid-rows.ts";
import { indexed } from "../collections/layout.ts";
import type { OpenEpoch } from "../collections/open-epoch.ts";

/** The contact of each address, in any case. */
export async function ownersOf(
  epoch: OpenEpoch,
  addresses: Iterable<string>,
): Promise<(address: string) => AddressOwner | null> {
  const keys = Array.from(new Set(Array.from(addresses, comparedAddress)));
  if (keys.length === 0) return () => null;
  const rows = await epoch.rows(
    `SELECT asked, contacts.id, contacts.name FROM (
       SELECT asked, min(contact_id) AS owner FROM unnest($2::text[]) AS asked
       JOIN addresses ON ${validIn("addresses")} AND ${indexed("address_key")} = ${indexed("asked")} AND address_key = asked GROUP BY asked
     ) AS found JOIN contacts ON ${validIn("contacts")} AND contacts.id = owner`,
    keys,
  );
  const owners = new Map(
    (rows as [string, ContactOrdinal, string][]).map(([key, contact, name]) => [key, { contact, name }]),
  );
  return (address) => owners.get(comparedAddress(address)) ?? null;
}
