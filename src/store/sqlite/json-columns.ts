import type { Address } from "../../mail/address.ts";

/** Lists stand as JSON in one column, NULL when empty. Addresses are pairs `[name, email]`: half the size of objects. */

export function encodeList(list: readonly unknown[]): string | null {
  return list.length === 0 ? null : JSON.stringify(list);
}

/** Most lists are empty, and one serves them all. */
const NOTHING: readonly never[] = Object.freeze([]);

export function decodeList<T>(column: string | null): readonly T[] {
  return column === null ? NOTHING : (JSON.parse(column) as T[]);
}

export function encodeAddresses(addresses: readonly Address[]): string | null {
  if (addresses.length === 0) return null;
  return JSON.stringify(addresses.map((address) => [address.name, address.email]));
}

export function decodeAddresses(column: string | null): readonly Address[] {
  if (column === null) return NOTHING;
  const pairs = JSON.parse(column) as (readonly [name: string, email: string])[];
  return pairs.map((pair) => ({ name: pair[0], email: pair[1] }));
}

export function encodeAddress(address: Address | null): string | null {
  return address === null ? null : JSON.stringify([address.name, address.email]);
}

export function decodeAddress(column: string | null): Address | null {
  if (column === null) return null;
  const pair = JSON.parse(column) as readonly [name: string, email: string];
  return { name: pair[0], email: pair[1] };
}

export function encodeHex(hex: string): Uint8Array {
  return Buffer.from(hex, "hex");
}

export function decodeHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}
