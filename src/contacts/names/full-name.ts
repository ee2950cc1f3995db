import { fullGivenNames } from "../../mail/words/given-names.ts";
import { foldAcross } from "./fold-across.ts";
import { areAlike, type PersonName } from "./person-name.ts";

/** A full name in a form that is the same in every organization. */
export interface FullName {
  readonly given: string;
  /** Possible full forms of the given name, itself first. */
  readonly longForms: readonly string[];
  readonly middles: readonly string[];
  readonly family: string;
  readonly generation: string;
  readonly shown: string;
}

/** Differences between two full names that may belong to one person. */
export interface NameDifference {
  readonly isReversed: boolean;
  readonly isShortened: boolean;
  /** One has a middle name that the other lacks. */
  readonly hasMoreMiddle: boolean;
  /** One has an additional family name: `Ana Garcia`, `Ana Garcia Lopez`. */
  readonly hasMoreFamily: boolean;
  readonly middleInitials: "none" | "same" | "different";
  readonly isGenerationMissing: boolean;
}

export function fullNameOf(name: PersonName): FullName {
  return {
    given: foldAcross(name.given),
    longForms: fullGivenNames(name.given).map(foldAcross),
    middles: name.middle === "" ? [] : name.middle.split(" ").map(foldAcross),
    family: foldAcross(name.family),
    generation: name.generation,
    shown: name.shown,
  };
}

/** The words of a name in one order, whatever the order they were written in. */
export function nameKey({ given, family }: Pick<FullName, "given" | "family">): string {
  return given < family ? `${given} ${family}` : `${family} ${given}`;
}

/** The difference of two names; null if they belong to two people. */
export function compareNames(one: FullName, other: FullName): NameDifference | null {
  if (one.generation !== other.generation && one.generation !== "" && other.generation !== "") return null;
  const order = orderOf(one, other);
  if (order === null) return null;
  const [shorter, longer] = one.middles.length <= other.middles.length ? [one, other] : [other, one];
  return {
    ...order,
    hasMoreMiddle: longer.middles.slice(shorter.middles.length).some((middle) => middle.length > 1),
    middleInitials: compareMiddles(shorter.middles, longer.middles),
    isGenerationMissing: one.generation !== other.generation,
  };
}

type Order = Pick<NameDifference, "isReversed" | "isShortened" | "hasMoreFamily">;

function orderOf(one: FullName, other: FullName): Order | null {
  if (one.family === other.family) {
    if (one.given === other.given) return { isReversed: false, isShortened: false, hasMoreFamily: false };
    return givenNamesAgree(one, other) ? { isReversed: false, isShortened: true, hasMoreFamily: false } : null;
  }
  const turned = { ...other, given: other.family, longForms: [other.family], family: other.given };
  if (one.family === turned.family && one.given === turned.given)
    return { isReversed: true, isShortened: false, hasMoreFamily: false };
  if (one.family === other.given && one.longForms.includes(other.family))
    return { isReversed: true, isShortened: true, hasMoreFamily: false };
  if (other.family === one.given && other.longForms.includes(one.family))
    return { isReversed: true, isShortened: true, hasMoreFamily: false };
  return one.given === other.given && (one.middles.includes(other.family) || other.middles.includes(one.family))
    ? { isReversed: false, isShortened: false, hasMoreFamily: true }
    : null;
}

function givenNamesAgree(one: FullName, other: FullName): boolean {
  if (one.longForms.includes(other.given) || other.longForms.includes(one.given)) return true;
  return areAlike(one.given, other.given) && one.longForms.some((form) => other.longForms.includes(form));
}

function compareMiddles(shorter: readonly string[], longer: readonly string[]): NameDifference["middleInitials"] {
  if (shorter.length === 0) return "none";
  for (const [at, middle] of shorter.entries()) {
    const against = longer[at]!;
    const [short, long] = middle.length < against.length ? [middle, against] : [against, middle];
    if (short.length > 1 ? short !== long : !long.startsWith(short)) return "different";
  }
  return "same";
}
