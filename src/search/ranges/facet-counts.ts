import { FACET_CLAUSES, type FacetName } from "../../mail/exploration.ts";
import { ATTACHMENT_TYPES } from "../../mail/records/attachment-types.ts";
import { contactId, topicId } from "../../mail/records/ids.ts";
import { byMentionKind, type MentionedValue, type MentionKind } from "../../mail/records/mention.ts";
import type { ContactOrdinal, TopicOrdinal } from "../../mail/records/ordinal.ts";
import { shortNames } from "../../mail/records/source-names.ts";
import { sharedMailboxNames } from "../../mail/shared-mailboxes.ts";
import { countOfSet, type DocumentSet } from "../indexing/document-set.ts";
import { typeBit } from "../indexing/message-facts.ts";
import type { NumberLists, Places, SearchSource } from "../indexing/search-source.ts";
import { type Clause, leavesOf } from "../query/query-syntax.ts";
import { ValueCounts } from "./value-counts.ts";

/** How often each value of a facet occurs in a set of messages. */
export interface FacetCounts {
  /** Messages by number of the value. */
  readonly counts: ValueCounts;
  /** Messages without any value. */
  readonly none: number;
  /** Names of the values when they were counted, if they can change before they are read. */
  readonly names?: readonly string[];
}

/** The clause for a value, "" if it cannot be expressed, and its label. */
export interface LabeledValue {
  readonly clause: string;
  readonly label: string;
}

/** How a facet is counted, and how its values are named. */
interface FacetKind {
  readonly isMultiple: boolean;
  count(source: SearchSource, set: DocumentSet): Promise<FacetCounts>;
  /** Names counted values. */
  name(source: SearchSource, values: readonly number[], counted: FacetCounts): Promise<readonly LabeledValue[]>;
}

const NO_YEAR = -1;

/** Milliseconds of a mean Gregorian year, for estimating a year. */
const MEAN_YEAR_MS = 365.2425 * 86_400_000;

/** Number of years with up to four digits, plus one. */
const YEARS = 10_001;

/**
 * Returns the UTC year of an instant. Estimates it and checks a table of year starts: a Date for each message takes
 * longer.
 */
function yearReader(): (instant: number) => number {
  const beginnings = new Float64Array(YEARS);
  // Date.UTC maps years of two digits to the 20th century.
  for (let year = 100; year < YEARS; year++) beginnings[year] = Date.UTC(year, 0, 1);
  return (instant) => {
    const guess = 1970 + Math.floor(instant / MEAN_YEAR_MS);
    if (guess < 101 || guess >= YEARS - 1)
      return instant === Number.NEGATIVE_INFINITY ? NO_YEAR : Math.max(0, new Date(instant).getUTCFullYear());
    if (instant < beginnings[guess]!) return guess - 1;
    return instant < beginnings[guess + 1]! ? guess : guess + 1;
  };
}

/** Counts one value per message. @param none the value for "none"; null if every message has a value */
function countSingle(set: DocumentSet, valueIn: (document: number) => number, none: number | null): FacetCounts {
  const counts = new ValueCounts();
  for (let document = 0; document < set.length; document++) if (set[document] === 1) counts.add(valueIn(document));
  return { counts, none: none === null ? 0 : counts.take(none) };
}

/** Counts every value of a message once. */
function countLists(set: DocumentSet, { starts, values }: NumberLists): FacetCounts {
  const counts = new ValueCounts();
  let none = 0;
  for (let document = 0; document < set.length; document++) {
    if (set[document] === 0) continue;
    const [from, to] = [starts[document]!, starts[document + 1]!];
    if (from === to) none++;
    for (let at = from; at < to; at++) counts.add(values[at]!);
  }
  return { counts, none };
}

/** Counts messages by the bits of their values. */
function countBits(set: DocumentSet, words: Uint32Array, bits: readonly number[]): FacetCounts {
  const counts = new ValueCounts();
  const any = bits.reduce((sum, bit) => sum | bit, 0);
  let none = 0;
  for (let document = 0; document < set.length; document++) {
    if (set[document] === 0) continue;
    const word = words[document]! & any;
    if (word === 0) none++;
    else for (let value = 0; value < bits.length; value++) if ((word & bits[value]!) !== 0) counts.add(value);
  }
  return { counts, none };
}

/** Counts the tags of the few messages that have any. */
function countTags(set: DocumentSet, tags: ReadonlyMap<number, readonly number[]>): FacetCounts {
  const counts = new ValueCounts();
  let none = countOfSet(set);
  for (const [document, values] of tags) {
    if (set[document] !== 1 || values.length === 0) continue;
    for (const value of values) counts.add(value);
    none--;
  }
  return { counts, none };
}

/** A quoted value of an operator; "" if it contains quotation marks, which the query language cannot express. */
export function quoted(operator: string, text: string): string {
  if (/["“”„‟]/.test(text)) return "";
  return /^[\w.@-]+$/.test(text) ? `${operator}:${text}` : `${operator}:"${text}"`;
}

/** Counts a property of the mailboxes that contain a message, each value once per message. */
function countPlaces(
  set: DocumentSet,
  { named, mailboxes, further }: Places,
  valueFor: (mailbox: number) => number,
): FacetCounts {
  // Every mailbox once: a Map lookup for each message takes longer.
  const table = new Int32Array(Array.from(named.keys()).reduce((most, id) => Math.max(most, id + 1), 0));
  for (const mailbox of named.keys()) table[mailbox] = valueFor(mailbox);
  const valueIn = (mailbox: number): number => table[mailbox] ?? valueFor(mailbox);
  const { counts } = countSingle(set, (document) => valueIn(mailboxes[document]!), null);
  // Further occurrences as single numbers, so that sorting groups equal pairs of message and value.
  let most = 0;
  for (let at = 1; at < further.length; at += 2) most = Math.max(most, valueIn(further[at]!) + 1);
  const others = new Float64Array(further.length >> 1);
  let found = 0;
  for (let at = 0; at + 1 < further.length; at += 2) {
    const document = further[at]!;
    const value = valueIn(further[at + 1]!);
    if (set[document] === 1 && value !== valueIn(mailboxes[document]!)) others[found++] = document * most + value;
  }
  let last = -1;
  for (const other of others.subarray(0, found).sort()) {
    if (other !== last) counts.add(other % most);
    last = other;
  }
  return { counts, none: 0 };
}

/** A mailbox by name, with the source if several sources have the name. */
function mailboxesNamed(
  values: readonly number[],
  { named }: Places,
  paths: readonly string[],
): readonly LabeledValue[] {
  const shared = sharedMailboxNames(Array.from(named.values(), ({ name, source }) => ({ mailbox: name, source })));
  const sources = shortNames(paths);
  return values.map((value) => {
    const { name = "", source = 0 } = named.get(value) ?? {};
    if (!shared.has(name)) return { clause: quoted("mailbox", name), label: name };
    return { clause: quoted("mailbox", `${source}:${name}`), label: `${name} (${sources[source] ?? source})` };
  });
}

/** Pairs names with their clauses. */
function namedBy(
  operator: string,
  idOf: (value: number) => string,
): (values: readonly number[], labels: readonly string[]) => readonly LabeledValue[] {
  return (values, labels) => values.map((value, at) => ({ clause: `${operator}:${idOf(value)}`, label: labels[at]! }));
}

/** The clause matches exactly this name. */
function quotedNames(
  operator: string,
  values: readonly number[],
  nameOf: (value: number) => string | undefined,
): readonly LabeledValue[] {
  return values.map((value) => {
    const label = nameOf(value) ?? "";
    return { clause: quoted(operator, label), label };
  });
}

const contactsNamed = namedBy("from", (value) => contactId(value as ContactOrdinal));
const receiversNamed = namedBy("to", (value) => contactId(value as ContactOrdinal));
const recipientsNamed = (values: readonly number[], labels: readonly string[]): readonly LabeledValue[] =>
  values.map((value, at) => {
    const id = contactId(value as ContactOrdinal);
    return { clause: `(to:${id} OR cc:${id})`, label: labels[at]! };
  });
const topicNames = namedBy("topic", (value) => topicId(value as TopicOrdinal));

export const FACET_KINDS: Readonly<Record<FacetName, FacetKind>> = {
  from: {
    isMultiple: false,
    count: async ({ columns: { authors } }, set) => countSingle(set, numberIn(authors), -1),
    name: async (source, values) => contactsNamed(values, await source.contactNames(values)),
  },
  to: {
    isMultiple: true,
    count: async (source, set) => countLists(set, await source.recipients("to")),
    name: async (source, values) => receiversNamed(values, await source.contactNames(values)),
  },
  recipient: {
    isMultiple: true,
    count: async (source, set) => countLists(set, await source.recipients("all")),
    name: async (source, values) => recipientsNamed(values, await source.contactNames(values)),
  },
  domain: {
    isMultiple: false,
    count: async (source, set) => countSingle(set, numberIn((await source.facts()).domains.numbers), 0),
    async name(source, values) {
      const { names } = (await source.facts()).domains;
      return quotedNames("domain", values, (value) => names[value]);
    },
  },
  year: {
    isMultiple: false,
    async count({ columns: { sentAt } }, set) {
      const yearOf = yearReader();
      return countSingle(set, (document) => yearOf(sentAt[document]!), NO_YEAR);
    },
    async name(_, values) {
      const years = values.map((value) => String(value).padStart(4, "0"));
      return years.map((label) => ({ clause: `on:${label}`, label }));
    },
  },
  topic: {
    isMultiple: false,
    count: async ({ columns: { topics } }, set) => countSingle(set, numberIn(topics), -1),
    name: async (source, values) => topicNames(values, await source.topicNames(values)),
  },
  lang: {
    isMultiple: false,
    count: async (source, set) => countSingle(set, numberIn((await source.facts()).languages.numbers), 0),
    async name(source, values) {
      const { names } = (await source.facts()).languages;
      return values.map((value) => ({ clause: `lang:${names[value]!}`, label: names[value]! }));
    },
  },
  mailbox: {
    isMultiple: true,
    async count(source, set) {
      return countPlaces(set, await source.places(), (mailbox) => mailbox);
    },
    name: async (source, values) => mailboxesNamed(values, await source.places(), await source.sourcePaths()),
  },
  type: {
    isMultiple: true,
    count: async (source, set) => countBits(set, (await source.facts()).traits, ATTACHMENT_TYPES.map(typeBit)),
    name: async (_, values) =>
      values.map((value) => ({ clause: `type:${ATTACHMENT_TYPES[value]!}`, label: ATTACHMENT_TYPES[value]! })),
  },
  label: {
    isMultiple: true,
    count: async (source, set) => countLists(set, (await source.facts()).labels),
    async name(source, values) {
      const { names } = (await source.facts()).labels;
      return quotedNames("label", values, (value) => names[value]);
    },
  },
  tag: {
    isMultiple: true,
    async count(source, set) {
      const { tags, tagNames } = await source.marked();
      return { ...countTags(set, tags), names: tagNames };
    },
    // A tag deleted during the query has no name, and its number may be reused.
    name: async (_, values, { names = [] }) => quotedNames("tag", values, (value) => names[value]),
  },
  source: {
    isMultiple: true,
    async count(source, set) {
      const places = await source.places();
      return countPlaces(set, places, (mailbox) => places.named.get(mailbox)?.source ?? 0);
    },
    async name(source, values) {
      const paths = await source.sourcePaths();
      return values.map((value) => ({ clause: `source:${value}`, label: paths[value] ?? String(value) }));
    },
  },
  ...byMentionKind(mentionFacet),
};

/** Mentions of one kind; people of the archive are selected by id, other values by name. */
function mentionFacet(kind: MentionKind): FacetKind {
  return {
    isMultiple: true,
    count: async (source, set) => countLists(set, await source.mentions(kind)),
    async name(source, values) {
      const { names } = await source.mentions(kind);
      return values.map((value) => labeledMention(kind, names[value] ?? [""]));
    },
  };
}

/** The clause and label of a mention: people of the archive are selected by ID, other values by name. */
export function labeledMention(kind: MentionKind, [label, contact]: MentionedValue): LabeledValue {
  return { clause: contact === undefined ? quoted(kind, label) : `${kind}:${contactId(contact)}`, label };
}

const numberIn =
  (numbers: Uint32Array | Int32Array) =>
  (document: number): number =>
    numbers[document]!;

/**
 * Removes the clauses about a facet's own values, so that it shows alternatives. Removes a group if all its clauses
 * are about them.
 */
export function withoutFacetClauses(clauses: readonly Clause[], name: FacetName): readonly Clause[] {
  const asks = FACET_CLAUSES[name];
  return clauses.filter(
    (clause) =>
      clause.demand === "excluded" ||
      !leavesOf([clause]).every((leaf) => asks.includes(leaf.kind === "field" ? leaf.field : leaf.kind)),
  );
}
