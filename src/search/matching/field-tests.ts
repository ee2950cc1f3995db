import type { AttachmentType } from "../../mail/records/attachment-types.ts";
import { foldKey } from "../../mail/words/fold-key.ts";
import { tokensOf } from "../../text/tokens/tokens.ts";
import type { MarkedMessages } from "../indexing/marked-messages.ts";
import {
  type DictionaryColumn,
  type DictionaryLists,
  type MessageFacts,
  type Trait,
  traitBit,
  typeBit,
} from "../indexing/message-facts.ts";
import { matchesToken, patternMatcher } from "../indexing/term-pattern.ts";
import type { Leaf } from "../query/query-syntax.ts";

type FieldLeaf = Leaf & { readonly kind: "field" };

/** Tests a message by its number. */
type MessageTest = (document: number) => boolean;

/** Conditions on marks in the notebook. */
export const MARK_TESTS = {
  note:
    (_, { noted }) =>
    (document) =>
      noted.has(document),
  review:
    ({ text }, { reviews }) =>
    (document) =>
      (reviews.get(document) ?? "open") === text,
  tag: ({ text }, { tagNames, tags }) => {
    const wanted = new Set(tagNames.flatMap((name, number) => (foldKey(name) === text ? [number] : [])));
    return (document) => tags.get(document)?.some((number) => wanted.has(number)) ?? false;
  },
} as const satisfies Readonly<Record<string, (leaf: FieldLeaf, marked: MarkedMessages) => MessageTest>>;

/** Conditions on columns of a message. */
export const FACT_TESTS = {
  domain: ({ text }, { domains }) => (WILDCARDS.test(text) ? fitsName(domains, text) : isNamed(domains, text)),
  lang: ({ text }, { languages }) => isNamed(languages, text),
  larger:
    ({ text }, { sizes }) =>
    (document) =>
      sizes[document]! > Number(text),
  smaller:
    ({ text }, { sizes }) =>
    (document) =>
      sizes[document]! < Number(text),
  label: (leaf, { labels }) => isLabeled(labels, leaf),
  type: ({ text }, { traits }) => hasBit(traits, typeBit(text as AttachmentType)),
  trait: ({ text }, { traits }) => hasBit(traits, traitBit(text as Trait)),
} as const satisfies Readonly<Record<string, (leaf: FieldLeaf, facts: MessageFacts) => MessageTest>>;

function isNamed({ numbers, names }: DictionaryColumn, name: string): MessageTest {
  const number = names.indexOf(name, 1);
  return (document) => number > 0 && numbers[document] === number;
}

/** A tilde marks a stem; domains have none. */
const WILDCARDS = /^[^~]*[*?][^~]*$/;

function fitsName({ numbers, names }: DictionaryColumn, pattern: string): MessageTest {
  const fits = patternMatcher(pattern);
  const wanted = new Set(names.flatMap((name, number) => (name !== "" && fits(name) ? [number] : [])));
  return (document) => wanted.has(numbers[document]!);
}

function hasBit(bits: Uint32Array, bit: number): MessageTest {
  return (document) => (bits[document]! & bit) !== 0;
}

/** The label with this name, else every label whose name contains all the words. */
function isLabeled({ starts, values, names }: DictionaryLists, { text, tokens }: FieldLeaf): MessageTest {
  const exact = names.indexOf(text, 1);
  const numbers = names.flatMap((name, number) => (holdsAll(tokensOf(name), tokens) ? [number] : []));
  const wanted = new Set(exact > 0 ? [exact] : numbers);
  return (document) => {
    for (let at = starts[document]!; at < starts[document + 1]!; at++) if (wanted.has(values[at]!)) return true;
    return false;
  };
}

function holdsAll(words: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((word) => matchesToken(words, word));
}
