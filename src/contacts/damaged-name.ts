import type { PagedUint32Column } from "../columns/paged-column.ts";
import type { Profiles } from "./address-profile.ts";
import { type PersonName, parsePersonName } from "./names/person-name.ts";

const LOST_LETTER = /[?\uFFFD]/g;
/** A letter that occurs in no name and replaces a lost one during parsing. */
const MARK = "\u{A66E}";

/**
 * Restores damaged names: assigns the only name in the archive that matches. If several or none match, the address
 * has no name. Returns the repaired addresses.
 */
export function repairNames(damaged: PagedUint32Column, profiles: Profiles): readonly number[] {
  const names = new Map<number, PersonName>();
  for (const index of damaged.values()) {
    const name = readDamagedName(profiles.at(index).damaged!);
    if (name !== null) names.set(index, name);
  }
  if (names.size === 0) return [];
  const known = namesWithWords([...names.values()].flatMap(wholeWords), profiles);
  const repaired: number[] = [];
  for (const [index, name] of names) {
    const candidates = new Map(wholeWords(name).flatMap((word) => [...known.get(word)!]));
    const fitting = [...candidates.values()].filter((whole) => isLeftOf(name, whole));
    const profile = profiles.at(index);
    if (fitting.length !== 1 || profile.name !== null) continue;
    const naming = { isOwn: false, uses: 1, of: 1, isShared: false };
    profiles.set(index, { ...profile, name: fitting[0]!, naming, isUnnamed: false });
    repaired.push(index);
  }
  return repaired;
}

type NamesByText = Map<string, PersonName>;

/** Maps each of the words to the full names in the archive that contain it. */
function namesWithWords(words: readonly string[], profiles: Profiles): ReadonlyMap<string, NamesByText> {
  const known = new Map(words.map((word): [string, NamesByText] => [word, new Map()]));
  for (let index = 0; index < profiles.length; index++) {
    const { name } = profiles.at(index);
    if (name === null) continue;
    for (const word of [name.given, name.family]) known.get(word)?.set(`${name.given} ${name.family}`, name);
  }
  return known;
}

/** A full name with MARK for each lost letter; null for other text. */
function readDamagedName(text: string): PersonName | null {
  return parsePersonName(text.replaceAll(LOST_LETTER, MARK));
}

/** Undamaged words of a damaged name, at least one of which must be known. */
function wholeWords({ given, family }: PersonName): readonly string[] {
  return [given, family].filter((word) => !word.includes(MARK));
}

/** True if a name is a damaged form of another. */
function isLeftOf(damaged: PersonName, whole: PersonName): boolean {
  return fits(damaged.given, whole.given) && fits(damaged.family, whole.family);
}

/** A run of marks represents at most as many letters, because a letter may leave one mark per byte. */
function fits(damaged: string, word: string): boolean {
  const pattern = [...damaged];
  /** Positions in the word where the pattern so far may end. */
  let ends: readonly number[] = [0];
  for (const [at, letter] of pattern.entries()) {
    const isFurther = letter === MARK && pattern[at - 1] === MARK;
    const next = ends.filter((end) => end < word.length && (letter === MARK || word[end] === letter));
    ends = [...new Set([...next.map((end) => end + 1), ...(isFurther ? ends : [])])];
  }
  return ends.includes(word.length);
}
