import type { ContactTraits } from "./contact-traits.ts";
import type { NameRarity } from "./names/name-rarity.ts";
import type { Ties } from "./pair-ties.ts";
import type { SharedDomains } from "./shared-domains.ts";

/** Two contacts that may be one person, and the evidence on both. */
export interface Pair {
  readonly one: ContactTraits;
  readonly other: ContactTraits;
  readonly ties: Ties;
}

/** Data of the whole archive. */
export interface Surroundings {
  readonly rarity: NameRarity;
  readonly domains: SharedDomains;
  /** Number of distinct full names that match a local part without a name. */
  peopleFitting(local: string): number;
  /** Contacts that have a local part. */
  contactsWithLocal(local: string): number;
}

/** A piece of evidence for or against two contacts being one person. */
export interface Term {
  readonly bits: number;
  /** Plain English. */
  readonly words: string;
}

/** Evaluates one kind of evidence; null if it does not apply. */
export type Rule<T> = (pair: T, around: Surroundings) => Term | null;

export const MIN_TOKEN_LETTERS = 4;
export const MIN_RARE_LOCAL = 6;
/** Minimum correspondents of both contacts before a lack of common ones counts as evidence. */
export const MIN_DEGREE = 5;
/** Share of an address's messages with one contact from which it likely belongs to that contact. */
export const CLOSE_SHARE = 0.3;

export const OWN_ADDRESS = "one gives the other as its own address";
export const SAME_LABEL = "same domain under another top-level domain";

export const term = (bits: number, words: string): Term => ({ bits, words });

/** A given name written alone with the addresses of a contact, compared with the full name of another. */
export function usedGivenName({ givenName }: ContactTraits, { name }: ContactTraits): Term | null {
  if (givenName === "" || name === null) return null;
  const agrees = [name.given, name.family, ...name.longForms].includes(givenName);
  return agrees ? term(3, "given name used with the address") : term(-3, "another name used with the address");
}
