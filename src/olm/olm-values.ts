import { type Instant, MINUTE_MS } from "../mail/dates/instant.ts";
import type { Address } from "../mail/records/address.ts";
import { parseAddressList } from "../mime/syntax/address-list.ts";
import { decapsulateAddresses } from "../mime/syntax/encapsulated-address.ts";
import { childOf, fieldOf, type XmlElement } from "./xml-element.ts";

/** Integers as Outlook writes them: `1`, `0`, `1E0`, `true`. */
export function numberOf(element: XmlElement, name: string): number | null {
  const text = fieldOf(element, name);
  const value = text === "" ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : null;
}

export function isSet(element: XmlElement, name: string): boolean {
  const number = numberOf(element, name);
  return number === null ? /^(?:true|yes)$/i.test(fieldOf(element, name)) : number !== 0;
}

const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2}):(\d{2})(?:[.,]\d{1,9})?)?\s{0,10}(?:Z|([+-])(\d{2}):?(\d{2}))?$/;

/** A point in time. Outlook writes no zone, and means UTC. */
export function instantOf(element: XmlElement, name: string): Instant | null {
  const match = DATE_TIME.exec(fieldOf(element, name));
  if (match === null) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((digits) => Number(digits ?? 0));
  const local = Date.UTC(year!, month! - 1, day, hour, minute, second);
  // Rejects days such as 31 April, and years before 100.
  if (new Date(local).getUTCMonth() !== month! - 1 || year! < 100) return null;
  const [, , , , , , , sign, hours, minutes] = match;
  if (sign === undefined) return local;
  return local - (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
}

/** The names of the categories of an item. */
export function categoriesOf(element: XmlElement, name: string): readonly string[] {
  const list = childOf(element, name);
  return list === null
    ? []
    : list.children.map((category) => fieldOf(category, "OPFCategoryCopyName")).filter((category) => category !== "");
}

/** The addresses in a list element, or in its text; addresses of other systems as in transmitted mail. */
export function addressesOf(element: XmlElement, name: string): readonly Address[] {
  const list = childOf(element, name);
  if (list === null) return [];
  const isText = list.children.length === 0;
  const written = isText ? parseAddressList(list.text.trim()) : list.children.map(addressOf);
  return decapsulateAddresses(written.filter((address) => address !== null));
}

function addressOf(element: XmlElement): Address | null {
  const written = fieldOf(element, "OPFContactEmailAddressAddress");
  const named = fieldOf(element, "OPFContactEmailAddressName");
  if (written === "" && named === "") return null;
  // For people in an Exchange directory this may be their directory name, which begins with a slash.
  const isAddress = written.includes("@") || written.startsWith("/");
  const name = named === "" && !isAddress ? written : named;
  return { name: name === written && isAddress ? "" : name, email: isAddress ? written : "" };
}
