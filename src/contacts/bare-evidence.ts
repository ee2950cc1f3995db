import { countOf } from "../text/tokens/format-count.ts";
import type { ContactTraits } from "./contact-traits.ts";
import {
  CLOSE_SHARE,
  MIN_DEGREE,
  MIN_RARE_LOCAL,
  OWN_ADDRESS,
  type Pair,
  type Rule,
  SAME_LABEL,
  type Surroundings,
  type Term,
  term,
  usedGivenName,
} from "./evidence-term.ts";
import type { FullName } from "./names/full-name.ts";
import { comparableLocalPart, localFormsOf, localKindOf } from "./names/local-part-forms.ts";
import { haveDomains, isMistypedLabel, isSameLabel, shareOrganization } from "./related-organizations.ts";

/** Maximum for a local part made of the name, which is insufficient alone; and of both names at another organization. */
const MAX_LOCAL_BITS = 4.5;
const MAX_SPELLED_BITS = 6;

/** A contact without a full name, and one with a full name. */
interface BarePair extends Pair {
  readonly bare: ContactTraits;
  readonly named: ContactTraits;
  /** The local part of the former that is derived from the name of the latter. */
  readonly spelled: SpelledLocal | null;
  /** The same, also if several people have such a name. */
  readonly derived: SpelledLocal | null;
  /** True if only the words of one relate the two: an assistant has the same correspondents. */
  readonly isOnlySaid: boolean;
}

/** Evidence between a contact without a full name and one that has one. */
export const BARE_RULES: readonly Rule<BarePair>[] = [
  spelledLocalPart,
  ({ spelled, one, other }) =>
    spelled !== null && shareOrganization(one, other) ? term(2.5, "same organization") : null,
  ({ spelled, one, other }) =>
    spelled !== null && !shareOrganization(one, other) && haveDomains(one, other, isSameLabel)
      ? term(2.5, SAME_LABEL)
      : null,
  ({ spelled, one, other, named }) =>
    spelled !== null && named.locals.includes(spelled.local) && haveDomains(one, other, isMistypedLabel)
      ? term(2.5, "same local part, at a domain with one wrong letter")
      : null,
  ownAddress,
  ({ bare, named }) => usedGivenName(bare, named),
  mailsBetween,
  (pair) => {
    const { common, degrees } = pair.ties;
    if (isOnlyItsOwn(pair)) return null;
    const isExpected = !isSpelledAcross(pair) || Math.min(...degrees) >= MIN_DEGREE;
    return common === 0 && isExpected ? term(-2, "no correspondent in common") : null;
  },
  rareLocalPart,
];

interface SpelledLocal {
  readonly local: string;
  readonly isInitial: boolean;
  readonly isShort: boolean;
}

/** The local part derived from a name. */
function spelledLocal(locals: readonly string[], name: FullName): SpelledLocal | null {
  const forms = localFormsOf(name);
  for (const local of locals) {
    const text = comparableLocalPart(local);
    const form = forms.find((made) => made.text === text);
    if (form !== undefined) return { ...form, local };
  }
  return null;
}

/** True for a local part of both names at another organization; within one, namesakes have such addresses. */
function isSpelledAcross({ spelled, one, other }: BarePair): boolean {
  return spelled !== null && !spelled.isInitial && !shareOrganization(one, other);
}

/** Without the name in it, it may be the address of an assistant; with another initial, that of a relative. */
function ownAddress({ bare, named, derived, isOnlySaid, ties }: BarePair): Term | null {
  if (!ties.isOwnAddress) return null;
  if (derived !== null) return term(5, OWN_ADDRESS);
  if (isOnlySaid) return term(0.5, OWN_ADDRESS);
  const family = named.name?.family;
  const withFamily = family === undefined ? [] : bare.locals.filter((local) => local.includes(family));
  if (withFamily.length === 0) return term(1.5, OWN_ADDRESS);
  return withFamily.some((local) => comparableLocalPart(local) === family) ? term(3.5, OWN_ADDRESS) : null;
}

function spelledLocalPart(pair: BarePair, { rarity }: Surroundings): Term | null {
  const { spelled, named } = pair;
  if (spelled === null) return null;
  const [most, start] = isSpelledAcross(pair) ? [MAX_SPELLED_BITS, 1.5] : [MAX_LOCAL_BITS, 0.5];
  const bits = Math.min(most, start - Math.log2(rarity.expectedLikeLocalPart(named.name!, spelled.isInitial)));
  const isUncertain = /\d/.test(spelled.local) || named.name!.family.startsWith(comparableLocalPart(spelled.local));
  const certain = isUncertain ? bits - 1.5 : bits;
  // Of several short forms of a name, people use one.
  return term(spelled.isShort ? Math.max(0, certain - 2) : certain, `local part of the only ${named.name!.shown} here`);
}

function mailsBetween({ bare, one, ties }: BarePair): Term | null {
  const between = ties.written + ties.returned;
  if (between === 0) return null;
  const all = ties.messages[bare === one ? 0 : 1];
  return term(between >= all * CLOSE_SHARE ? 4 : 2, `${between} of its ${countOf(all, "message")} between the two`);
}

/** True for an address whose only correspondent is the other one: no correspondent can be common. */
function isOnlyItsOwn({ bare, one, named, spelled, ties }: BarePair): boolean {
  const degree = ties.degrees[bare === one ? 0 : 1];
  if (spelled === null || ties.written + ties.returned === 0 || degree > 1) return false;
  return comparableLocalPart(spelled.local) !== named.name!.family;
}

/** The same local part, which no other contact has and which is not derived from a name. */
function rareLocalPart({ one, other, bare, named }: BarePair, { contactsWithLocal }: Surroundings): Term | null {
  if (shareOrganization(one, other)) return null;
  const local = bare.locals.find((text) => text.length >= MIN_RARE_LOCAL && named.locals.includes(text));
  if (local === undefined || contactsWithLocal(local) > 2) return null;
  if (named.name !== null && localKindOf(local, named.name) !== "handle") return null;
  return term(named.name === null ? 3 : 4, "same local part, which nobody else has");
}

/** The pair as one without a full name; null if nothing relates the two. */
export function barePair(pair: Pair, around: Surroundings): BarePair | null {
  const [bare, named] = bareAndNamed(pair);
  const { name } = named;
  const spelled = name === null ? null : spelledLocal(bare.locals, name);
  const isOnly = spelled !== null && around.peopleFitting(comparableLocalPart(spelled.local)) === 1;
  const found = { ...pair, bare, named, spelled: isOnly ? spelled : null, derived: spelled, isOnlySaid: false };
  if (isOnly || rareLocalPart(found, around) !== null) return found;
  if (name === null || bare.name !== null || bare.isVoid) return null;
  const isNamedAlike =
    bare.locals.some((local) => local.includes(name.family)) || (usedGivenName(bare, named)?.bits ?? 0) > 0;
  const own = { ...found, isOnlySaid: spelled === null && !isNamedAlike };
  return ownAddress(own) === null ? null : own;
}

/** A contact without a name, and one with a written name or, without one, a name that its address spells. */
function bareAndNamed({ one, other }: Pair): readonly [bare: ContactTraits, named: ContactTraits] {
  if (one.name !== null) return [other, one];
  if (other.name !== null) return [one, other];
  const [bare, spelling] = one.spelledName === null ? [one, other] : [other, one];
  return [bare, bare.spelledName === null ? { ...spelling, name: spelling.spelledName } : spelling];
}
