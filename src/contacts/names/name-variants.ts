import { fullGivenNames } from "../../mail/words/given-names.ts";
import { namesAgree, type PersonName } from "./person-name.ts";

/** Addresses that carry one spelling of a full name within one organization. */
export interface NameVariant {
  readonly name: PersonName;
  /** Address indices, ascending. */
  readonly addresses: number[];
}

/**
 * Spellings of one family name within one organization that are compared in pairs; with more, only equal spellings are
 * joined.
 */
const MAX_COMPARED_VARIANTS = 2_000;

/**
 * Groups the spellings of one family name in one organization into persons: `Jim Doe`, `James Doe` and `James M. Doe`
 * are one. A spelling that agrees with two others that disagree with each other is ambiguous and is not grouped: `James
 * Doe` with `James M. Doe` and `James T. Doe`, or `Chris` with `Christine` and `Christopher`.
 * @returns groups of variants, in order of the first variant.
 */
export function groupNameVariants(variants: readonly NameVariant[]): readonly (readonly NameVariant[])[] {
  if (variants.length === 1 || variants.length > MAX_COMPARED_VARIANTS) return variants.map((variant) => [variant]);
  const agreeing = agreeingVariants(variants);
  const isOpen = agreeing.map((others) => isClique(others.map((other) => variants[other]!)));
  const groups: NameVariant[][] = [];
  const groupOf = new Map<number, NameVariant[]>();
  for (const [at, variant] of variants.entries()) {
    const earlier = isOpen[at] ? agreeing[at]!.find((other) => other < at && isOpen[other]) : undefined;
    const group = earlier === undefined ? [] : groupOf.get(earlier)!;
    if (earlier === undefined) groups.push(group);
    group.push(variant);
    groupOf.set(at, group);
  }
  return groups;
}

/** For each variant the matching others; candidates share a full given name. */
function agreeingVariants(variants: readonly NameVariant[]): readonly (readonly number[])[] {
  const byGivenName = new Map<string, number[]>();
  for (const [at, { name }] of variants.entries()) {
    for (const full of fullGivenNames(name.given)) {
      const sharing = byGivenName.get(full);
      if (sharing === undefined) byGivenName.set(full, [at]);
      else sharing.push(at);
    }
  }
  return variants.map(({ name }, at) => {
    const candidates = new Set(fullGivenNames(name.given).flatMap((full) => byGivenName.get(full)!));
    return [...candidates]
      .filter((other) => other !== at && namesAgree(name, variants[other]!.name))
      .sort((a, b) => a - b);
  });
}

/** More matching variants than this belong to several people. */
const MAX_CLIQUE = 24;

function isClique(variants: readonly NameVariant[]): boolean {
  if (variants.length > MAX_CLIQUE) return false;
  return variants.every((one, at) => variants.slice(at + 1).every((other) => namesAgree(one.name, other.name)));
}
