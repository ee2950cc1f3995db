import { countOf } from "../text/tokens/format-count.ts";
import { BARE_RULES, barePair } from "./bare-evidence.ts";
import { type ContactTraits, isEchoed, lettersOf } from "./contact-traits.ts";
import {
  CLOSE_SHARE,
  MIN_DEGREE,
  MIN_RARE_LOCAL,
  MIN_TOKEN_LETTERS,
  OWN_ADDRESS,
  type Pair,
  type Rule,
  SAME_LABEL,
  type Surroundings,
  type Term,
  term,
  usedGivenName,
} from "./evidence-term.ts";
import { compareNames, type FullName, type NameDifference } from "./names/full-name.ts";
import { comparableLocalPart, localFormsOf, localKindOf } from "./names/local-part-forms.ts";
import type { Ties } from "./pair-ties.ts";
import { haveDomains, isExtendedLabel, isSameLabel, labelOf, shareOrganization } from "./related-organizations.ts";

interface NamedPair extends Pair {
  readonly difference: NameDifference;
  readonly namesakes: number;
  /** Contacts whose name only an address spells. */
  readonly spellings: number;
}

const MAX_NAME_BITS = 7;
const MIN_NAME_BITS = -4;
/** A name is rare if it has fewer namesakes than this. */
const RARE_NAMESAKES = 0.001;
const COMMON_NAMESAKES = 0.1;
/** A domain with mail from at most this many people may belong to one family. */
const MAX_FAMILY = 5;
/** Minimum messages of people whom nobody answers directly. */
const MIN_MESSAGES = 3;
const MAX_COMMON_BITS = 3;

/** Evidence between two full names that may be one. */
const NAMED_RULES: readonly Rule<NamedPair>[] = [
  ({ namesakes }) =>
    term(
      clamp(2 - Math.log2(namesakes), MIN_NAME_BITS, MAX_NAME_BITS),
      `same full name, ${shortFigure(namesakes)} namesakes expected`,
    ),
  ({ difference: { isReversed, isShortened }, namesakes }) => {
    const shortened = namesakes >= COMMON_NAMESAKES ? -3 : -2;
    if (isReversed && isShortened) return term(shortened - 0.5, "in the other order and a short form");
    if (isReversed) return term(-0.5, "in the other order");
    return isShortened ? term(shortened, "a short form") : null;
  },
  ({ difference }) => (difference.hasMoreMiddle ? term(-1.5, "one middle name more") : null),
  ({ difference }) => (difference.hasMoreFamily ? term(-3, "one family name more") : null),
  ({ difference: { middleInitials } }) => {
    if (middleInitials === "none") return null;
    return middleInitials === "same" ? term(2, "same middle name") : term(-6, "different middle names");
  },
  ({ difference }) => (difference.isGenerationMissing ? term(-4, "one is called Jr. or the like") : null),
  unwrittenName,
  ({ one, other }) =>
    [usedGivenName(one, other), usedGivenName(other, one)].find((used) => (used?.bits ?? 0) < 0) ?? null,
  sameLocalPart,
  namedDomain,
  ({ one, other }, { domains }) => {
    let best = { shared: 0, bits: 0 };
    for (const organization of one.organizations)
      for (const against of other.organizations) {
        const found = domains.between(organization, against);
        if (found.bits > best.bits) best = found;
      }
    return best.bits === 0 ? null : term(best.bits, `${countOf(best.shared, "full name")} in both domains`);
  },
  ({ one, other }) => (haveDomains(one, other, isSameLabel) ? term(2, SAME_LABEL) : null),
  sameOrganization,
  // Of joins by a short form and succession alone, more than half were namesakes.
  (pair) => (pair.difference.isShortened ? null : succession(pair)),
];

/** Evidence from mail, independent of names. */
const COMMON_RULES: readonly Rule<Pair>[] = [
  directoryOrganization,
  directoryLeaf,
  sameLocalPartInPartOfDomain,
  ({ ties }) =>
    ties.common === 0
      ? null
      : term(
          Math.min(MAX_COMMON_BITS, 1 + Math.log2(1 + ties.commonWeight)),
          `${countOf(ties.common, "correspondent")} in common`,
        ),
  ({ ties }) => (ties.isReplyAddress ? term(5, "one is the Reply-To of the other") : null),
  ({ ties }) => (ties.isOneThread ? term(1, "both write in one thread") : null),
  sharedRole,
];

/** Rules for two full names, based on mail between the contacts. */
const NAMED_MAIL_RULES: readonly Rule<Pair>[] = [
  ({ ties }) => (ties.isOwnAddress ? term(5, OWN_ADDRESS) : null),
  ({ ties: { written, returned, messages } }) => {
    const between = written + returned;
    if (between === 0) return null;
    const words = `${countOf(between, "message")} between the two`;
    if (between >= Math.min(...messages) * CLOSE_SHARE) return term(4, words);
    return term(written > 0 && returned > 0 ? 2 : 1.5, words);
  },
  ({ ties: { common, degrees } }) =>
    common === 0 && degrees[0] >= MIN_DEGREE && degrees[1] >= MIN_DEGREE
      ? term(-1, "no correspondent in common")
      : null,
];

/**
 * All evidence about two contacts. Returns null if they are two people, if there is no evidence, or if nobody else ever
 * wrote to either, as in scams.
 */
export function evidenceOf(pair: Pair, around: Surroundings): readonly Term[] | null {
  const { ties } = pair;
  if (ties.writers[0] + ties.writers[1] === 0 && !lacksRecipients(ties) && !areMembers(pair) && !writesToItself(ties))
    return null;
  const names = namesOf(pair);
  if (names !== null) return namedEvidence(pair, names, around);
  const bare = barePair(pair, around);
  if (bare === null) return null;
  const common = bare.isOnlySaid ? [] : found([...COMMON_RULES, succession], pair, around);
  return [...found(BARE_RULES, bare, around), ...common];
}

/**
 * The full names of both, also if only an address spells it; null if one has none. Within an organization, stricter
 * rules apply to addresses that spell a name.
 */
function namesOf(pair: Pair): readonly [FullName, FullName] | null {
  const { one, other } = pair;
  if (one.name !== null && other.name !== null) return [one.name, other.name];
  if (shareOrganization(one, other)) return null;
  const [first, second] = [one.name ?? one.spelledName, other.name ?? other.spelledName];
  return first === null || second === null ? null : [first, second];
}

function namedEvidence(
  pair: Pair,
  [name, otherName]: readonly [FullName, FullName],
  around: Surroundings,
): readonly Term[] | null {
  const difference = compareNames(name, otherName);
  if (difference === null) return null;
  const namesakes = around.rarity.expectedNamesakes(name, otherName);
  const spellings = [pair.one, pair.other].filter((contact) => contact.name === null).length;
  const [one, other] = [
    { ...pair.one, name },
    { ...pair.other, name: otherName },
  ];
  const named: NamedPair = { ...pair, one, other, difference, namesakes, spellings };
  return [
    ...found(NAMED_RULES, named, around),
    ...found(NAMED_MAIL_RULES, named, around),
    ...found(COMMON_RULES, pair, around),
  ];
}

/** True if both sign their own mail or occur often, as on a list; a scam has a sender and an address for answers. */
function areMembers({ one, other, ties: { messages, isReplyAddress } }: Pair): boolean {
  const isOften = Math.min(...messages) >= MIN_MESSAGES && (one.name !== null || other.name !== null);
  return !isReplyAddress && ((one.isOwnName && other.isOwnName) || isOften);
}

/** True for mail between the two that names both: a scam names its second address as Reply-To. */
function writesToItself({ written, returned, isReplyAddress }: Ties): boolean {
  return written + returned > 0 && !isReplyAddress;
}

/** True if both wrote, and no mail of either has recipients: web archives of lists omit them. */
function lacksRecipients({ messages, degrees }: Ties): boolean {
  return degrees[0] + degrees[1] === 0 && messages[0] > 0 && messages[1] > 0;
}

function found<T>(rules: readonly Rule<T>[], pair: T, around: Surroundings): readonly Term[] {
  return rules.map((rule) => rule(pair, around)).filter((each) => each !== null);
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

/** Formats a number with two significant digits. */
function shortFigure(value: number): string {
  return value >= 10 ? String(Math.round(value)) : String(Number(value.toPrecision(2)));
}

function succession({ ties }: Pair): Term | null {
  return ties.isSuccession ? term(1, "one begins soon after the other ends") : null;
}

/** A name that its owner never wrote counts less; one that only an address spells, or only one contact wrote, least. */
function unwrittenName(pair: NamedPair): Term | null {
  if (pair.spellings === 2) return term(-2, "only the addresses spell the name");
  if (pair.spellings === 0 && saysOnlyOneWriter(pair)) return term(-5, "only one contact calls it so");
  return pair.one.isOwnName && pair.other.isOwnName ? null : term(-0.5, "one never wrote the name itself");
}

function saysOnlyOneWriter({ one, other, ties }: Pair): boolean {
  return [one, other].some(
    ({ name, isOwnName, echoes, organizations }, at) =>
      !isOwnName && ties.writers[at]! <= 1 && !isEchoed(name!, [...echoes, ...organizations.map(labelOf)]),
  );
}

function sameLocalPart({ one, other, namesakes, spellings }: NamedPair): Term | null {
  // The name was read from the local part.
  if (spellings > 0) return null;
  const locals = one.locals.filter((local) => other.locals.includes(local));
  const kinds = locals.map((local) => localKindOf(local, one.name!));
  if (kinds.length === 0) return null;
  if (kinds.includes("handle")) return term(5, "same local part, which is no name");
  if (kinds.includes("name")) return term(namesakes >= COMMON_NAMESAKES ? 2 : 1.5, "same local part, made of the name");
  return term(2, "same local part, the given name");
}

/** A domain with few people that contains a word of the name. */
function namedDomain({ one, other }: Pair, { domains }: Surroundings): Term | null {
  const carries = (organization: string): boolean => {
    if (domains.peopleOf(organization) > MAX_FAMILY) return false;
    const label = organization.slice(0, organization.indexOf("."));
    const letters = lettersOf(label);
    const { given, family } = one.name!;
    const words = label.split("-");
    return [given, family].some(
      (token) =>
        token.length >= MIN_TOKEN_LETTERS &&
        (words.includes(token) || (token === family && (letters.startsWith(token) || letters.endsWith(token)))),
    );
  };
  if (shareOrganization(one, other)) return null;
  return [...one.organizations, ...other.organizations].some(carries) ? term(3, "the domain carries the name") : null;
}

function sameLocalPartInPartOfDomain({ one, other }: Pair): Term | null {
  if (shareOrganization(one, other) || !haveDomains(one, other, isExtendedLabel)) return null;
  const isSame = one.locals.some((local) => local.length >= MIN_RARE_LOCAL && other.locals.includes(local));
  return isSame ? term(2, "same local part, at a domain that contains the other") : null;
}

/** An office whose mail is signed by one person, and that person; other shared addresses belong to nobody. */
function sharedRole(pair: Pair, around: Surroundings): Term | null {
  const { one, other } = pair;
  if (one.role === "none" && other.role === "none") return null;
  if (one.role !== "shared" && other.role !== "shared" && shareOrganization(one, other))
    return term(3, "signs the mail of this office");
  if (one.name !== null && other.name !== null && namedDomain(pair, around) !== null) return null;
  return term(-6, "people share one of the addresses");
}

/**
 * Two people with the same name, kept apart by the rules within an organization, are hardly one, unless a local part
 * was reversed.
 */
function sameOrganization({ one, other, namesakes }: NamedPair): Term | null {
  if (!shareOrganization(one, other)) return null;
  const { given, family } = one.name!;
  const [straight, turned] = [given + family, family + given];
  const spelledBy = ({ locals }: ContactTraits, text: string): boolean =>
    locals.map(comparableLocalPart).includes(text);
  if ((spelledBy(one, straight) && spelledBy(other, turned)) || (spelledBy(one, turned) && spelledBy(other, straight)))
    return term(3, "the local parts spell the name in both orders");
  const isRare = namesakes < RARE_NAMESAKES || one.locals.some((local) => other.locals.includes(local));
  return term(isRare ? -2 : -4, "same organization, which has both");
}

/** An Exchange directory whose organization is named as a domain of the other. */
function directoryOrganization({ one, other }: Pair): Term | null {
  const isNamed = (directory: ContactTraits, mailbox: ContactTraits): boolean =>
    directory.directories.some(({ organization }) =>
      mailbox.organizations.some(
        (domain) => organization.length >= MIN_TOKEN_LETTERS && labelOf(domain).includes(organization),
      ),
    );
  return isNamed(one, other) || isNamed(other, one) ? term(5, "Exchange directory of the same organization") : null;
}

/** A directory entry that equals the other's local part, or is derived from its name, possibly truncated. */
function directoryLeaf({ one, other }: Pair): Term | null {
  const isMade = (directory: ContactTraits, mailbox: ContactTraits): boolean =>
    directory.directories.some(
      ({ leaf }) =>
        mailbox.locals.includes(leaf) ||
        (mailbox.name !== null && localFormsOf(mailbox.name).some(({ text }) => text === comparableLocalPart(leaf))),
    );
  return isMade(one, other) || isMade(other, one) ? term(3, "directory entry made of the name") : null;
}
