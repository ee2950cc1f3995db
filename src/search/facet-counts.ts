import { ATTACHMENT_TYPES } from "../mail/attachment-types.ts";
import type { FacetName } from "../mail/exploration.ts";
import { contactId, topicId } from "../mail/ids.ts";
import type { DocumentSet } from "./clause-sets.ts";
import { typeBit } from "./message-facts.ts";
import { type Clause, leavesOf } from "./query-syntax.ts";
import type { SearchSource } from "./search-source.ts";

/** How often each value of a facet stands in some messages. */
export interface FacetCounts {
  /** Messages by number of the value; those that count nothing are not there. */
  readonly counts: ReadonlyMap<number, number>;
  /** Messages without any value. */
  readonly none: number;
}

/** What a facet counts, and how a value of it is called and asked for. */
export interface FacetKind {
  readonly isMultiple: boolean;
  /** Kinds of clauses that ask for values of it. */
  readonly asks: readonly string[];
  count(source: SearchSource, set: DocumentSet): FacetCounts;
  label(source: SearchSource, value: number): string;
  /** "" where no clause can be written for the value. */
  clause(source: SearchSource, value: number): string;
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

/** The query language has no way to write a quote inside quotes. */
function quoted(operator: string, text: string): string {
  if (/["“”„‟]/.test(text)) return "";
  return /^[\w.@-]+$/.test(text) ? `${operator}:${text}` : `${operator}:"${text}"`;
}

/** Values of the mailboxes a message lies in, each once. */
function placeValues(
  source: SearchSource,
  valueIn: (mailbox: number) => number,
): (document: number) => Iterable<number> {
  const { mailboxes, further } = source.places();
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
function nameValues(source: SearchSource): (mailbox: number) => number {
  const first = new Map<string, number>();
  for (const [mailbox, { name }] of source.places().named) if (!first.has(name)) first.set(name, mailbox);
  const values = new Map(Array.from(source.places().named, ([mailbox, { name }]) => [mailbox, first.get(name)!]));
  return (mailbox) => values.get(mailbox) ?? mailbox;
}

export const FACET_KINDS: Readonly<Record<FacetName, FacetKind>> = {
  from: {
    isMultiple: false,
    asks: ["from"],
    count: ({ columns: { authors } }, set) => countSingle(set, (document) => authors[document]!, -1),
    label: (source, value) => source.contactName(value),
    clause: (_, value) => `from:${contactId(value)}`,
  },
  domain: {
    isMultiple: false,
    asks: ["domain"],
    count: (source, set) => countSingle(set, numberIn(source.facts().domains.numbers), 0),
    label: (source, value) => source.facts().domains.names[value]!,
    clause: (source, value) => quoted("domain", source.facts().domains.names[value]!),
  },
  year: {
    isMultiple: false,
    asks: ["date", "undated"],
    count: ({ columns: { sentAt } }, set) => countSingle(set, (document) => yearOf(sentAt[document]!), NO_YEAR),
    label: (_, value) => String(value).padStart(4, "0"),
    clause: (_, value) => `on:${String(value).padStart(4, "0")}`,
  },
  topic: {
    isMultiple: false,
    asks: ["topic"],
    count: ({ columns: { topics } }, set) => countSingle(set, (document) => topics[document]!, -1),
    label: (source, value) => source.topicName(value),
    clause: (_, value) => `topic:${topicId(value)}`,
  },
  lang: {
    isMultiple: false,
    asks: ["lang"],
    count: (source, set) => countSingle(set, numberIn(source.facts().languages.numbers), 0),
    label: (source, value) => source.facts().languages.names[value]!,
    clause: (source, value) => `lang:${source.facts().languages.names[value]!}`,
  },
  mailbox: {
    isMultiple: true,
    asks: ["mailbox", "place"],
    count: (source, set) => countMultiple(set, placeValues(source, nameValues(source))),
    label: (source, value) => source.places().named.get(value)?.name ?? "",
    clause: (source, value) => quoted("mailbox", source.places().named.get(value)?.name ?? ""),
  },
  type: {
    isMultiple: true,
    asks: ["type"],
    count(source, set) {
      const { traits } = source.facts();
      const bits = ATTACHMENT_TYPES.map(typeBit);
      return countMultiple(set, (document) =>
        bits.flatMap((bit, value) => ((traits[document]! & bit) === 0 ? [] : [value])),
      );
    },
    label: (_, value) => ATTACHMENT_TYPES[value]!,
    clause: (_, value) => `type:${ATTACHMENT_TYPES[value]!}`,
  },
  label: {
    isMultiple: true,
    asks: ["label"],
    count(source, set) {
      const { starts, values } = source.facts().labels;
      return countMultiple(set, (document) => values.subarray(starts[document], starts[document + 1]));
    },
    label: (source, value) => source.facts().labels.names[value]!,
    clause: (source, value) => quoted("label", source.facts().labels.names[value]!),
  },
  source: {
    isMultiple: true,
    asks: ["source"],
    count(source, set) {
      const { named } = source.places();
      return countMultiple(
        set,
        placeValues(source, (mailbox) => named.get(mailbox)?.source ?? 0),
      );
    },
    label: (source, value) => source.sourcePaths()[value] ?? String(value),
    clause: (_, value) => `source:${value}`,
  },
};

const numberIn =
  (numbers: Uint32Array) =>
  (document: number): number =>
    numbers[document]!;

/**
 * The clauses without those that ask for values of a facet, so that it shows what else could be chosen. A group that
 * asks for nothing else goes with them.
 */
export function withoutOwn(clauses: readonly Clause[], { asks }: FacetKind): readonly Clause[] {
  return clauses.filter(
    (clause) =>
      clause.demand === "excluded" ||
      !leavesOf([clause]).every((leaf) => asks.includes(leaf.kind === "field" ? leaf.field : leaf.kind)),
  );
}
