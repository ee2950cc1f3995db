import type { Address } from "../../mail/records/address.ts";
import { bracketedGroup } from "./bracketed-address.ts";
import { groupAddress, isNotesAddress } from "./notes-address.ts";

/** An address of another system that Exchange packed into an SMTP one. */
interface EncapsulatedAddress {
  /** `ex`, `notes`, `smtp`, …, lower case. */
  readonly type: string;
  /** Decoded address, as written. */
  readonly address: string;
}

/**
 * `IMCEA<type>-<encoded address>@<domain>` ([MS-OXCMAIL] 2.1.3.1, IMCEA encapsulation): how Exchange writes an address
 * of another system as SMTP. Real types are EX, NOTES, SMTP, INVALID, CCMAIL, FAX, X400.
 */
const ENCAPSULATED = /^IMCEA([A-Z]{1,16})-([^@]{1,2000})@[^@]+$/i;
const ADDRESS_IN_BRACKETS = /<([^<>@\s"]+@[^<>@\s"]+)>/;
/** A bare address, and the name of the Notes domain after it. */
const BARE_ADDRESS = /^"?([^<>@\s"()]+@[^<>@\s"()]+\.[^<>@\s"()]+)"?(?:[\s(][^@]*)?(?:@[^@\s.]+)?$/;

/** Decodes an encapsulated address in any letter case; null if it is not one. */
export function parseEncapsulatedAddress(email: string): EncapsulatedAddress | null {
  const match = mayBeEncapsulated(email) ? ENCAPSULATED.exec(email) : null;
  return match === null ? null : { type: match[1]!.toLowerCase(), address: decode(match[2]!) };
}

/** True if the first letter matches IMCEA: a fast check that excludes nearly all others. */
export function mayBeEncapsulated(email: string): boolean {
  return (email.charCodeAt(0) | 0x20) === 0x69;
}

/** Decodes the addresses of a field; returns the same array if none is encapsulated. */
export function decapsulateAddresses(addresses: readonly Address[]): readonly Address[] {
  for (const { email } of addresses)
    if (mayBeEncapsulated(email) || email.includes(DMARC_SIGN)) return addresses.map(unpackedAddress);
  return addresses;
}

function unpackedAddress(address: Address): Address {
  const email = withoutDmarc(address.email);
  // A name that repeats the address is ignored.
  const name = email !== address.email && address.name === address.email ? "" : address.name;
  return decapsulateAddress({ name, email });
}

/** `@` of the author's address in addresses that IETF lists generate for domains with a strict DMARC policy. */
const DMARC_SIGN = "=40";
const DMARC_ADDRESS = /^([^@\s]{1,320})@dmarc\.[^@\s]{1,255}$/i;

/** `ann=40mill.example@dmarc.lists.example` becomes `ann@mill.example`; other addresses are unchanged. */
function withoutDmarc(email: string): string {
  const local = email.includes(DMARC_SIGN) ? DMARC_ADDRESS.exec(email)?.[1] : undefined;
  const author = local?.replace(/=([\da-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return author !== undefined && /^[\x21-\x3f\x41-\x7e]+@[\x21-\x3f\x41-\x7e]+$/.test(author) ? author : email;
}

/** The address inside an encapsulated one: SMTP if present, else X.500 for Exchange; else the address unchanged. */
export function decapsulateAddress(address: Address): Address {
  const packed = parseEncapsulatedAddress(address.email);
  if (packed === null) return address;
  const { type, address: decoded } = packed;
  if (type === "ex") return decoded.startsWith("/") ? { ...address, email: decoded } : address;
  if (type === "notes" && isNotesAddress(decoded)) return { ...address, email: decoded };
  const inside = ADDRESS_IN_BRACKETS.exec(decoded)?.[1] ?? BARE_ADDRESS.exec(decoded)?.[1];
  if (inside === undefined) return { ...address, email: groupAddress(decoded) ?? address.email };
  const group = bracketedGroup(inside);
  if (group !== null && group.members.length === 0) return { name: address.name || group.name, email: "" };
  const named = decoded.includes("<") ? decoded.slice(0, decoded.indexOf("<")).replace(/["']/g, "").trim() : "";
  return { name: named === "" ? nameWithout(address.name, inside) : named, email: inside };
}

/**
 * `_` stands for `/`, `+XX` for any byte ([MS-OXOABK] has no list; Exchange escapes all but letters, digits and these).
 */
function decode(encoded: string): string {
  return encoded
    .replaceAll("_", "/")
    .replace(/\+([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Exchange writes such senders as `Jim Doe jim@example.org@NOTES`. */
function nameWithout(name: string, email: string): string {
  const at = name.toLowerCase().indexOf(email.toLowerCase());
  return at < 0 ? name : name.slice(0, at).trim();
}
