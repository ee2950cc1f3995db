import { addressKey, normalAddress } from "./address-form.ts";
import type { Organizations } from "./organization.ts";
import type { CountedText } from "./text-counts.ts";

/**
 * Minimum share of the names of an address with which an export lists another one: below it, the address is a mailbox
 * of its own, and the exported name is that of a namesake.
 */
const LISTED_SHARE = 0.5;

/** Address in a name from an export (`readExportedNames`): `Doe, Jane <jane@mill.example>`. */
const LISTED = /<([^<>@\s]+@[^<>@\s]+)>$/;

/** Where the mail of an address that an export made up really goes. */
export interface ListedAddress {
  /** Normal form of the listed address; null if several are listed, so that the address belongs to nobody. */
  readonly text: string | null;
  /** Domain of the listed addresses; null if they differ. */
  readonly domain: string | null;
}

/**
 * The address that an export lists for recipients at another one, which it made up from their names. Null without one,
 * for an address that somebody writes from, and for one that is mostly used otherwise.
 * @param names all names of the address @param exported those from exports
 */
export function listedAddress(
  names: readonly CountedText[],
  exported: readonly CountedText[],
  organizations: Organizations,
): ListedAddress | null {
  const texts = new Set<string>();
  let listed = 0;
  for (const { text, count } of exported) {
    const address = text.endsWith(">") ? LISTED.exec(text)?.[1] : undefined;
    if (address === undefined) continue;
    texts.add(normalAddress(addressKey(address), organizations).text);
    listed += count;
  }
  if (texts.size === 0 || names.some(({ own }) => own > 0)) return null;
  if (listed < names.reduce((sum, { count }) => sum + count, 0) * LISTED_SHARE) return null;
  const domains = new Set([...texts].map((text) => text.slice(text.lastIndexOf("@") + 1)));
  return { text: onlyOf(texts), domain: onlyOf(domains) };
}

function onlyOf(texts: ReadonlySet<string>): string | null {
  const [first] = texts;
  return texts.size === 1 ? first! : null;
}
