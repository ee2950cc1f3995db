import type { FacetName } from "../../mail/exploration.ts";
import { byMentionKind } from "../../mail/records/mention.ts";
import type { NumberLists, SearchSource } from "./search-source.ts";

/** Conditions on whether a message has any value of a facet. */
type ValueTest = (document: number) => boolean;

const numbered =
  (numbers: Uint32Array | Int32Array, none: number): ValueTest =>
  (document) =>
    numbers[document] !== none;

const listed =
  ({ starts }: Pick<NumberLists, "starts">): ValueTest =>
  (document) =>
    starts[document + 1]! > starts[document]!;

/** Facets that a message may have no value of, except those covered by another operator. */
const VALUE_TESTS = {
  from: async ({ columns }) => numbered(columns.authors, -1),
  to: async (source) => listed(await source.recipients("to")),
  recipient: async (source) => listed(await source.recipients("all")),
  domain: async (source) => numbered((await source.facts()).domains.numbers, 0),
  topic: async ({ columns }) => numbered(columns.topics, -1),
  lang: async (source) => numbered((await source.facts()).languages.numbers, 0),
  label: async (source) => listed((await source.facts()).labels),
  ...byMentionKind((kind) => async (source: SearchSource) => listed(await source.mentions(kind))),
  async tag(source) {
    const { tags } = await source.marked();
    return (document) => (tags.get(document)?.length ?? 0) > 0;
  },
} satisfies Partial<Readonly<Record<FacetName, (source: SearchSource) => Promise<ValueTest>>>>;

type ValuedFacet = keyof typeof VALUE_TESTS;

/** The value of `has:` that finds any value of a facet. */
export const FACET_OF_HAS: Readonly<Record<string, ValuedFacet>> = {
  sender: "from",
  to: "to",
  recipient: "recipient",
  domain: "domain",
  topic: "topic",
  language: "lang",
  label: "label",
  tag: "tag",
  ...byMentionKind((kind) => kind),
};

/** @param word one of `FACET_OF_HAS` */
export function valueTest(word: string, source: SearchSource): Promise<ValueTest> {
  return VALUE_TESTS[FACET_OF_HAS[word]!](source);
}

/** Clauses for messages without a value that are not words of `FACET_OF_HAS`. */
const NONE_CLAUSES: Partial<Readonly<Record<FacetName, string>>> = { year: "is:undated", type: "-has:attachment" };

/** The clause for messages without a value of a facet; "" if every message has one. */
export function clauseOfNone(facet: FacetName): string {
  const word = Object.keys(FACET_OF_HAS).find((known) => FACET_OF_HAS[known] === facet);
  return word === undefined ? (NONE_CLAUSES[facet] ?? "") : `-has:${word}`;
}
