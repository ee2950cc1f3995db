import { NO_ENTRY } from "../../columns/hash-index.ts";
import { NumberedTexts } from "../../columns/numbered-texts.ts";
import { PagedUint32Column } from "../../columns/paged-column.ts";
import type { PagedMemory } from "../../columns/paged-memory.ts";
import { bundledShare } from "./common-names.ts";
import { type FullName, nameKey } from "./full-name.ts";

/** Minimum names in an archive before its own frequencies are used. */
const MIN_NAMES = 60;
/** Minimum assumed number of people, for archives with few. */
const MIN_PEOPLE = 200;
/** Minimum share of a word by its length: short words are always common (pinyin). */
const LEAST_SHARES: readonly (readonly [letters: number, share: number])[] = [
  [3, 0.01],
  [4, 0.003],
  [Number.POSITIVE_INFINITY, 0.0004],
];

/** A name is common from this number of expected namesakes. */
const COMMON_NAMESAKES = 0.2;

/** How rare names are: in the mail of an archive, and anywhere. */
export class NameRarity {
  private readonly names: NumberedTexts;
  private readonly words: NumberedTexts;
  /** By word: number of distinct full names with it. */
  private readonly uses: PagedUint32Column;

  constructor(memory: PagedMemory) {
    this.names = new NumberedTexts(memory);
    this.words = new NumberedTexts(memory);
    this.uses = new PagedUint32Column(memory);
  }

  /** Counts a full name once. */
  add(name: FullName): void {
    const known = this.names.size;
    if (this.names.numberOf(nameKey(name)) < known) return;
    for (const word of new Set([name.given, name.family])) {
      const number = this.words.numberOf(word);
      if (number === this.uses.length) this.uses.push(0);
      this.uses.set(number, this.uses.at(number) + 1);
    }
  }

  /** Expected number of other people with one of these names, in either order, from the frequency of each word. */
  expectedNamesakes(one: FullName, other: FullName): number {
    const keys = new Set([nameKey(one), nameKey(other)]);
    const own = [...keys].filter((key) => this.names.find(key) !== NO_ENTRY).length;
    const isReversed = one.family === other.given || one.given === other.family;
    const [otherGiven, otherFamily] = isReversed ? [other.family, other.given] : [other.given, other.family];
    const given = Math.max(this.shareOf(one.given, own), this.shareOf(otherGiven, own));
    const family = Math.max(this.shareOf(one.family, own), this.shareOf(otherFamily, own));
    return this.people * given * family;
  }

  /** True if several people are expected to have a name. */
  isCommon(key: string): boolean {
    const [one, other] = key.split(" ");
    const own = this.names.find(key) === NO_ENTRY ? 0 : 1;
    return this.people * this.shareOf(one!, own) * this.shareOf(other!, own) > COMMON_NAMESAKES;
  }

  /** Expected number of people with a family name, and with the same initial of the given name if `isInitial`. */
  expectedLikeLocalPart({ given, family }: FullName, isInitial: boolean): number {
    return this.people * this.shareOf(family, 1) * (isInitial ? INITIAL_SHARE : this.shareOf(given, 1));
  }

  clear(): void {
    for (const part of [this.names, this.words, this.uses]) part.clear();
  }

  private get people(): number {
    return Math.max(this.names.size, MIN_PEOPLE);
  }

  private shareOf(word: string, own: number): number {
    const number = this.words.find(word);
    const others = number === NO_ENTRY ? 0 : Math.max(0, this.uses.at(number) - own);
    const least = LEAST_SHARES.find(([letters]) => word.length <= letters)![1];
    return Math.max(others / Math.max(this.names.size, MIN_NAMES), bundledShare(word), least);
  }
}

/** Share of people whose given name has a certain initial. */
const INITIAL_SHARE = 1 / 20;
