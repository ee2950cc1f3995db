import { ATTACHMENT_TYPES } from "../mail/attachment-types.ts";
import { FACET_CLAUSES, type FacetName } from "../mail/exploration.ts";
import { contactId, topicId } from "../mail/ids.ts";
import type { ContactOrdinal, TopicOrdinal } from "../mail/ordinal.ts";
import type { DocumentSet } from "./clause-sets.ts";
import { typeBit } from "./message-facts.ts";
import { type Clause, leavesOf } from "./query-syntax.ts";
import type { Places, SearchSource } from "./search-source.ts";

/** How often each value of a facet stands in some messages. */
export interface FacetCounts {
  /** Messages by number of the value; those that count nothing are not there. */
  readonly counts: ReadonlyMap<number, number>;
  /** Messages without any value. */
  readonly none: number;
}

/** The clause that asks for a value, "" where none can be written, and how the value is called. */
export interface NamedValue {
  readonly clause: string;
  readonly label: string;
}

/** What a facet counts, and how values of it are called. */
export interface FacetKind {
  readonly isMultiple: boolean;
  count(source: SearchSource, set: DocumentSet): Promise<FacetCounts>;
  name(source: SearchSource, values: readonly number[]): Promise<readonly NamedValue[]>;
}

const NO_YEAR = -1;

function yearOf(instant: number): number {
  return instant === Number.NEGATIVE_INFINITY ? NO_YEAR : new Date(instant).getUTCFullYear();
}

/** Counts one value a message. @param none the value that says that there is none. */
function countSingle(set: DocumentSet, valueIn: (document: number) => number, none: number): FacetCounts {
  const counts = new Map<number, number>();
  for (let document = 0; document < set.length; document++) {
    if (set[document] === 0) continue;
    const value = valueIn(document);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const without = counts.get(none) ?? 0;
  counts.delete(none);
  return { counts, none: without };
}

/** Counts every value of a message once. */
function countMultiple(set: DocumentSet, valuesOf: (document: number) => Iterable<number>): FacetCounts {
  const counts = new Map<number, number>();
  let none = 0;
  for (let document = 0; document < set.length; document++) {
    if (set[document] === 0) continue;
    let hasAny = false;
    for (const value of valuesOf(document)) {
      hasAny = true;
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    if (!hasAny) none++;
  }
  return { counts, none };
}

/** A value as an operator takes it; "" for one with quotes, as the query language has no way to write these. */
export function quoted(operator: string, text: string): string {
  if (/["“”„‟]/.test(text)) return "";
  return /^[\w.@-]+$/.test(text) ? `${operator}:${text}` : `${operator}:"${text}"`;
}

/** Values of the mailboxes a message lies in, each once. */
function placeValues(
  { mailboxes, further }: Places,
  valueIn: (mailbox: number) => number,
): (document: number) => Iterable<number> {
  const others = new Map<number, number[]>();
  for (let at = 0; at + 1 < further.length; at += 2) {
    const known = others.get(further[at]!);
    if (known === undefined) others.set(further[at]!, [further[at + 1]!]);
    else known.push(further[at + 1]!);
  }
  return (document) => {
    const own = valueIn(mailboxes[document]!);
    const more = others.get(document);
    return more === undefined ? [own] : new Set([own, ...more.map(valueIn)]);
  };
}

/** The first mailbox of each name stands for all of that name. */
function nameValues({ named }: Places): (mailbox: number) => number {
  const first = new Map<string, number>();
  for (const [mailbox, { name }] of named) if (!first.has(name)) first.set(name, mailbox);
  const values = new Map(Array.from(named, ([mailbox, { name }]) => [mailbox, first.get(name)!]));
  return (mailbox) => values.get(mailbox) ?? mailbox;
}

/** Pairs names with what is written to ask for them. */
function namedBy(
  operator: string,
  idOf: (value: number) => string,
): (values: readonly number[], labels: readonly string[]) => readonly NamedValue[] {
  return (values, labels) => values.map((value, at) => ({ clause: `${operator}:${idOf(value)}`, label: labels[at]! }));
}

/** The clause asks for the very name. */
function quotedNames(operator: string, names: readonly string[]): readonly NamedValue[] {
  return names.map((label) => ({ clause: quoted(operator, label), label }));
}

const contactsNamed = namedBy("from", (value) => contactId(value as ContactOrdinal));
const receiversNamed = namedBy("to", (value) => contactId(value as ContactOrdinal));
const topicsNamed = namedBy("topic", (value) => topicId(value as TopicOrdinal));

export const FACET_KINDS: Readonly<Record<FacetName, FacetKind>> = {
  from: {
    isMultiple: false,
    count: async ({ columns: { authors } }, set) => countSingle(set, numberIn(authors), -1),
    name: async (source, values) => contactsNamed(values, await source.contactNames(values)),
  },
  to: {
    isMultiple: true,
    async count(source, set) {
      const { starts, values } = await source.receivers();
      return countMultiple(set, (document) => values.subarray(starts[document], starts[document + 1]));
    },
    name: async (source, values) => receiversNamed(values, await source.contactNames(values)),
  },
  domain: {
    isMultiple: false,
    count: async (source, set) => countSingle(set, numberIn((await source.facts()).domains.numbers), 0),
    async name(source, values) {
      const { names } = (await source.facts()).domains;
      return quotedNames(
        "domain",
        values.map((value) => names[value]!),
      );
    },
  },
  year: {
    isMultiple: false,
    count: async ({ columns: { sentAt } }, set) => countSingle(set, (document) => yearOf(sentAt[document]!), NO_YEAR),
    async name(_, values) {
      const years = values.map((value) => String(value).padStart(4, "0"));
      return years.map((label) => ({ clause: `on:${label}`, label }));
    },
  },
  topic: {
    isMultiple: false,
    count: async ({ columns: { topics } }, set) => countSingle(set, numberIn(topics), -1),
    name: async (source, values) => topicsNamed(values, await source.topicNames(values)),
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
      const places = await source.places();
      return countMultiple(set, placeValues(places, nameValues(places)));
    },
    async name(source, values) {
      const { named } = await source.places();
      return quotedNames(
        "mailbox",
        values.map((value) => named.get(value)?.name ?? ""),
      );
    },
  },
  type: {
    isMultiple: true,
    async count(source, set) {
      const { traits } = await source.facts();
      const bits = ATTACHMENT_TYPES.map(typeBit);
      return countMultiple(set, (document) =>
        bits.flatMap((bit, value) => ((traits[document]! & bit) === 0 ? [] : [value])),
      );
    },
    name: async (_, values) =>
      values.map((value) => ({ clause: `type:${ATTACHMENT_TYPES[value]!}`, label: ATTACHMENT_TYPES[value]! })),
  },
  label: {
    isMultiple: true,
    async count(source, set) {
      const { starts, values } = (await source.facts()).labels;
      return countMultiple(set, (document) => values.subarray(starts[document], starts[document + 1]));
    },
    async name(source, values) {
      const { names } = (await source.facts()).labels;
      return quotedNames(
        "label",
        values.map((value) => names[value]!),
      );
    },
  },
  tag: {
    isMultiple: true,
    async count(source, set) {
      const { tags } = await source.marked();
      return countMultiple(set, (document) => tags.get(document) ?? []);
    },
    async name(source, values) {
      const { tagNames } = await source.marked();
      return quotedNames(
        "tag",
        values.map((value) => tagNames[value]!),
      );
    },
  },
  source: {
    isMultiple: true,
    async count(source, set) {
      const places = await source.places();
      return countMultiple(
        set,
        placeValues(places, (mailbox) => places.named.get(mailbox)?.source ?? 0),
      );
    },
    async name(source, values) {
      const paths = await source.sourcePaths();
      return values.map((value) => ({ clause: `source:${value}`, label: paths[value] ?? String(value) }));
    },
  },
};

const numberIn =
  (numbers: Uint32Array | Int32Array) =>
  (document: number): number =>
    numbers[document]!;

/**
 * The clauses without those that ask for values of a facet, so that it shows what else could be chosen. A group that
 * asks for nothing else goes with them.
 */
export function withoutOwn(clauses: readonly Clause[], name: FacetName): readonly Clause[] {
  const asks = FACET_CLAUSES[name];
  return clauses.filter(
    (clause) =>
      clause.demand === "excluded" ||
      !leavesOf([clause]).every((leaf) => asks.includes(leaf.kind === "field" ? leaf.field : leaf.kind)),
  );
}
