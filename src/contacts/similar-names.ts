import { isKnownGivenName } from "../mail/words/given-names.ts";
import type { AddressProfile, Profiles } from "./address-profile.ts";
import type { SiftedEvidence } from "./contact-evidence.ts";
import type { MergeForest } from "./merge-forest.ts";
import { bundledShare } from "./names/common-names.ts";
import { areSpellingsOfRareName } from "./names/name-spellings.ts";
import { namesAgree, type PersonName } from "./names/person-name.ts";

/** Maximum addresses compared in pairs; more have a common name. */
const MAX_COMPARED = 12;

/**
 * Joins spellings of a rare name in one organization, if nobody else there has either family name, and not both owners
 * wrote their own spelling.
 */
export function joinSimilarNames(evidence: SiftedEvidence, profiles: Profiles, forest: MergeForest): void {
  const { families, similarFamilies, isLeftOut } = evidence;
  for (const { key, addresses } of families.shared(isLeftOut)) {
    const [organization, family] = key.split("\0") as [string, string];
    if (isRare(family)) joinSpellings(addresses, { organization, profiles, forest });
  }
  // Large families are read once only: every given name may lead to them.
  const crowded = new Set<string>();
  const isSmall = (family: string): boolean => {
    if (!crowded.has(family) && families.of(family).length > MAX_COMPARED) crowded.add(family);
    return !crowded.has(family);
  };
  for (const { key, addresses } of similarFamilies.shared(isLeftOut)) {
    const names = new Set(addresses.map((address) => profiles.at(address).name!.family));
    if (names.size !== 2 || ![...names].every(isRare)) continue;
    const [organization] = key.split("\0") as [string];
    const keys = [...names].map((family) => `${organization}\0${family}`);
    if (!keys.every(isSmall)) continue;
    const all = new Set(keys.flatMap((family) => families.of(family)));
    const spellings = [...all].filter((address) => !isLeftOut(address));
    joinSpellings(spellings, { organization, profiles, forest });
  }
}

const isRare = (family: string): boolean => bundledShare(family) === 0;

interface Joining {
  readonly organization: string;
  readonly profiles: Profiles;
  readonly forest: MergeForest;
}

/** @param addresses all of the organization with one of the family names */
function joinSpellings(addresses: readonly number[], { organization, profiles, forest }: Joining): void {
  if (addresses.length > MAX_COMPARED) return;
  const nameOf = (address: number): PersonName => profiles.at(address).name!;
  // `Johnson Elsa` is a name in the other order.
  if (!addresses.map((address) => nameOf(address).given).every((given) => isKnownGivenName(given) || isRare(given)))
    return;
  const roots = new Map(addresses.map((address) => [address, forest.rootOf(address)]));
  const owners = new Set(addresses.filter((address) => profiles.at(address).naming.isOwn).map((at) => roots.get(at)));
  if (new Set(roots.values()).size === 1 || owners.size > 1) return;
  // Addresses with equal names that other rules kept apart belong to namesakes.
  const areOne = addresses.every((one, at) =>
    addresses
      .slice(at + 1)
      .every(
        (other) =>
          roots.get(one) === roots.get(other) ||
          (!namesAgree(nameOf(one), nameOf(other)) && areSpellingsOfRareName(nameOf(one), nameOf(other))),
      ),
  );
  if (!areOne) return;
  const [right, ...others] = [...addresses].sort((a, b) => reliability(profiles.at(b), profiles.at(a))) as [number];
  const reason = `spellings of one rare name (${nameOf(right).shown}) within ${organization}`;
  for (const other of others) forest.joinSpelling(right, other, reason);
}

/** Compares how reliable the spellings of two names are; then by address, which no order of sources changes. */
function reliability(one: AddressProfile, other: AddressProfile): number {
  const rank = ({ naming, isSpelledOnly }: AddressProfile): number =>
    naming.isOwn ? Number.POSITIVE_INFINITY : isSpelledOnly ? 0 : naming.uses;
  const [a, b] = [rank(one), rank(other)];
  return a === b ? (one.normal.text < other.normal.text ? 1 : -1) : a - b;
}
