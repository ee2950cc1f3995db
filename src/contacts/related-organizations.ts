import { type ContactTraits, lettersOf } from "./contact-traits.ts";
import { isMisspelled } from "./names/name-spellings.ts";

/** Minimum letters of a domain that the other one contains. */
const MIN_LABEL = 5;
/** Minimum letters of a domain that differs from another one by an error rather than by chance. */
const MIN_TYPED_LABEL = 6;

/** Letters and digits of a registrable domain before its first dot. */
export function labelOf(organization: string): string {
  return lettersOf(organization.slice(0, organization.indexOf(".")));
}

/** True for `harbor.com` and `harbor.net`. */
export const isSameLabel = (one: string, other: string): boolean => one === other;

/** True for `harborlines` and `harbor`: a company and its former name, a part or its parent. */
export function isExtendedLabel(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length >= MIN_LABEL && short.length < long.length && (long.startsWith(short) || long.endsWith(short));
}

/** True for `harborlines` and `harbrolines`: a typing error. */
export function isMistypedLabel(one: string, other: string): boolean {
  return one !== other && Math.min(one.length, other.length) >= MIN_TYPED_LABEL && isMisspelled(one, other);
}

/** True if two domains of the contacts are related. */
export function haveDomains(
  one: ContactTraits,
  other: ContactTraits,
  areRelated: (label: string, other: string) => boolean,
): boolean {
  return one.organizations.some((organization) =>
    other.organizations.some(
      (against) => organization !== against && areRelated(labelOf(organization), labelOf(against)),
    ),
  );
}

/** True if both have an address in one organization. */
export function shareOrganization(one: ContactTraits, other: ContactTraits): boolean {
  return one.organizations.some((organization) => other.organizations.includes(organization));
}
