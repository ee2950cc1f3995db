import type { AttachmentType } from "../mail/attachment-types.ts";
import { ordinalOf } from "../mail/ids.ts";
import { tokensOf } from "../text/tokens.ts";
import { type IndexedTerm, type TermReader, visitTerm } from "./indexed-term.ts";
import {
  type MessageFacts,
  type NamedColumn,
  type NamedLists,
  type Trait,
  traitBit,
  typeBit,
} from "./message-facts.ts";
import { PhraseMatcher } from "./phrase.ts";
import type { Clause, Group, Leaf } from "./query-syntax.ts";
import { fieldTerm, type SearchField } from "./search-field.ts";
import type { ContactRole, SearchSource } from "./search-source.ts";

/** Terms that a prefix stands for where nothing is ranked: each one left out would show. */
export const MATCHED_PREFIX_TERMS = 1000;

type FieldLeaf = Leaf & { readonly kind: "field" };
type Words = readonly string[];

/** Messages by number: 1 for those that are in the set. */
export type DocumentSet = Uint8Array;

export function countOfSet(set: DocumentSet): number {
  let count = 0;
  for (let document = 0; document < set.length; document++) count += set[document]!;
  return count;
}

/** Numbers in a set, ascending. */
export function documentsOf(set: DocumentSet): Uint32Array {
  const documents = new Uint32Array(countOfSet(set));
  let at = 0;
  for (let document = 0; document < set.length; document++) if (set[document] === 1) documents[at++] = document;
  return documents;
}

/** Which messages each part of a query holds for, without ranking them. */
export class ClauseSets {
  private readonly source: SearchSource;
  private readonly terms: TermReader;

  constructor(source: SearchSource, terms: TermReader) {
    this.source = source;
    this.terms = terms;
  }

  /** All messages that can be found. */
  all(): DocumentSet {
    const set = new Uint8Array(this.source.columns.lengths.length).fill(1, this.source.firstDocument);
    for (const document of this.source.dead) set[document] = 0;
    return set;
  }

  /**
   * The messages of `within` that fit all conditions and, where there are plain words that only rank, hold one of those
   * or of the required ones. No clauses admit everything. Groups and phrases come last: the fewer messages are left,
   * the less is read for them.
   */
  matching(clauses: readonly Clause[], within: DocumentSet): DocumentSet {
    let set = within;
    const conditions = clauses.filter(({ demand }) => demand !== "optional");
    for (const clause of conditions.sort((left, right) => COSTS[left.kind] - COSTS[right.kind])) {
      const held = this.holding(clause, set);
      set = clause.demand === "excluded" ? without(set, held) : held;
    }
    const ranked = clauses.filter(({ demand }) => demand === "optional");
    const isWordSure = conditions.some(
      ({ kind, demand }) => demand === "required" && (kind === "words" || kind === "prefix" || kind === "phrase"),
    );
    return ranked.length === 0 || isWordSure ? set : this.union(ranked, set);
  }

  /** The messages of `within` that a clause is true of, whether it is asked for or excluded. */
  holding(clause: Clause, within: DocumentSet): DocumentSet {
    switch (clause.kind) {
      case "group":
        return this.ofGroup(clause, within);
      case "words":
        return clause.demand === "optional"
          ? this.union([clause], within)
          : this.withAll(
              clause.tokens.map((token) => this.terms.find(token)),
              within,
            );
      case "prefix":
        return this.withAll([this.terms.findPrefix(clause.tokens[0]!, MATCHED_PREFIX_TERMS)], within);
      case "phrase":
        return this.withPhrase(clause.tokens, within);
      case "date": {
        const { sentAt } = this.source.columns;
        const { first, last } = clause;
        return where(within, (document) => sentAt[document]! >= first && sentAt[document]! <= last);
      }
      case "field":
        return this.withField(clause, within);
    }
  }

  private ofGroup({ alternatives }: Group, within: DocumentSet): DocumentSet {
    const found = new Uint8Array(within.length);
    for (const alternative of alternatives) addTo(found, this.matching(alternative, within));
    return found;
  }

  /** Messages that hold a word or prefix of any of the clauses. */
  private union(clauses: readonly Clause[], within: DocumentSet): DocumentSet {
    const found = new Uint8Array(within.length);
    for (const clause of clauses) {
      if (clause.kind === "prefix") addTerm(found, this.terms.findPrefix(clause.tokens[0]!, MATCHED_PREFIX_TERMS));
      else if (clause.kind === "words") for (const token of clause.tokens) addTerm(found, this.terms.find(token));
    }
    return both(found, within);
  }

  private withAll(terms: readonly (IndexedTerm | null)[], within: DocumentSet): DocumentSet {
    let set = within;
    for (const term of terms) {
      const held = new Uint8Array(set.length);
      addTerm(held, term);
      set = both(held, set);
    }
    return set;
  }

  private withPhrase(tokens: Words, within: DocumentSet): DocumentSet {
    const { source } = this;
    const matcher = new PhraseMatcher(tokens);
    const different = Array.from(new Set(tokens));
    const candidates = this.withAll(
      different.map((token) => this.terms.find(token)),
      within,
    );
    const subjects = this.withTerms("subject", different, candidates);
    return where(candidates, (document) => {
      const body = source.body(document);
      // Few subjects hold the words at all: the others are not read.
      return (
        (body !== null && matcher.occursIn(body)) ||
        (subjects[document] === 1 && matcher.occursIn(source.subject(document)))
      );
    });
  }

  private withTerms(field: SearchField, tokens: Words, within: DocumentSet): DocumentSet {
    return this.withAll(
      Array.from(new Set(tokens), (token) => this.terms.find(fieldTerm(field, token))),
      within,
    );
  }

  private withField(leaf: FieldLeaf, within: DocumentSet): DocumentSet {
    const { source } = this;
    switch (leaf.field) {
      case "topic":
        return this.ofTopic(leaf, within);
      case "mailbox":
        return listed(
          source.placedIn(({ words }) => leaf.tokens.every((token) => words.has(token))),
          within,
        );
      case "place":
        return listed(
          source.placedIn(({ name }) => name === leaf.text),
          within,
        );
      case "id":
        return listed(source.withMessageId(leaf.text), within);
      case "thread":
        return listed(source.inThread(ordinalOf("thread", leaf.text)!), within);
      case "from":
      case "to":
      case "cc":
        return this.withPerson(leaf, [leaf.field], within);
      case "person":
        return this.withPerson(leaf, ["from", "to", "cc"], within);
      case "source":
        return this.ofSource(leaf, within);
      case "list":
        return this.withPerson(leaf, ["to", "cc", "from"], this.withTerms("kind", ["list"], within));
      case "undated":
        return where(within, (document) => source.columns.sentAt[document] === Number.NEGATIVE_INFINITY);
      case "domain":
      case "lang":
      case "type":
      case "larger":
      case "smaller":
      case "label":
      case "trait":
        return where(within, factTest(leaf, source.facts()));
      default:
        return this.withTerms(leaf.field, leaf.tokens, within);
    }
  }

  /**
   * A person by id or by a known address is a contact, in whose name every alias stands; anything else is looked for as
   * words of names and addresses. What only a copy says of a recipient stands among the words.
   */
  private withPerson(leaf: FieldLeaf, roles: readonly ContactRole[], within: DocumentSet): DocumentSet {
    const { source } = this;
    const found = new Uint8Array(within.length);
    const byId = ordinalOf("contact", leaf.text.toLowerCase());
    const contact = byId ?? (leaf.text.includes("@") ? source.contactOf(leaf.text) : null);
    for (const role of roles) {
      if (role === "from" && contact !== null) {
        const { authors } = source.columns;
        addTo(
          found,
          where(within, (document) => authors[document] === contact),
        );
      } else {
        if (contact !== null) addTo(found, listed(source.addressedTo(contact, role), within));
        if (byId === null) addTo(found, this.withTerms(role, leaf.tokens, within));
      }
    }
    return found;
  }

  /** By number, as other outputs count them, or by words of the path. */
  private ofSource({ text, tokens }: FieldLeaf, within: DocumentSet): DocumentSet {
    const paths = this.source.sourcePaths().map((path) => new Set(tokensOf(path)));
    const wanted = /^\d{1,9}$/.test(text)
      ? [Number(text)]
      : paths.flatMap((words, index) => (tokens.every((token) => words.has(token)) ? [index] : []));
    return listed(
      this.source.placedIn(({ source }) => wanted.includes(source)),
      within,
    );
  }

  private ofTopic({ text, tokens }: FieldLeaf, within: DocumentSet): DocumentSet {
    const { topics } = this.source.columns;
    const ordinal = ordinalOf("topic", text.toLowerCase());
    const wanted = new Set(ordinal === null ? this.source.topicsNamed(tokens) : [ordinal]);
    return where(within, (document) => wanted.has(topics[document]!));
  }
}

/** What a condition that columns tell asks of a message. */
function factTest(leaf: FieldLeaf, facts: MessageFacts): (document: number) => boolean {
  const { sizes, traits } = facts;
  const size = Number(leaf.text);
  switch (leaf.field) {
    case "domain":
      return isNamed(facts.domains, leaf.text);
    case "lang":
      return isNamed(facts.languages, leaf.text);
    case "larger":
      return (document) => sizes[document]! > size;
    case "smaller":
      return (document) => sizes[document]! < size;
    case "label":
      return isLabelled(facts.labels, leaf);
    case "type":
      return hasBit(traits, typeBit(leaf.text as AttachmentType));
    default:
      return hasBit(traits, traitBit(leaf.text as Trait));
  }
}

function isNamed({ numbers, names }: NamedColumn, name: string): (document: number) => boolean {
  const number = names.indexOf(name, 1);
  return (document) => number > 0 && numbers[document] === number;
}

function hasBit(bits: Uint32Array, bit: number): (document: number) => boolean {
  return (document) => (bits[document]! & bit) !== 0;
}

/** The label of this name, or else every label whose name holds all the words. */
function isLabelled({ starts, values, names }: NamedLists, { text, tokens }: FieldLeaf): (document: number) => boolean {
  const exact = names.indexOf(text, 1);
  const numbers = names.flatMap((name, number) => (holdsAll(tokensOf(name), tokens) ? [number] : []));
  const wanted = new Set(exact > 0 ? [exact] : numbers);
  return (document) => {
    for (let at = starts[document]!; at < starts[document + 1]!; at++) if (wanted.has(values[at]!)) return true;
    return false;
  };
}

function holdsAll(words: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((word) => words.includes(word));
}

/** Order in which conditions are tried: postings and columns, then what consists of them, then what reads texts. */
const COSTS: Readonly<Record<Clause["kind"], number>> = { words: 0, prefix: 0, field: 0, date: 0, group: 1, phrase: 2 };

function where(within: DocumentSet, passes: (document: number) => boolean): DocumentSet {
  const set = new Uint8Array(within.length);
  for (let document = 0; document < set.length; document++)
    if (within[document] === 1 && passes(document)) set[document] = 1;
  return set;
}

function listed(documents: Iterable<number>, within: DocumentSet): DocumentSet {
  const set = new Uint8Array(within.length);
  for (const document of documents) if (within[document] === 1) set[document] = 1;
  return set;
}

function addTerm(set: DocumentSet, term: IndexedTerm | null): void {
  if (term === null) return;
  visitTerm(term, (document) => {
    set[document] = 1;
  });
}

function addTo(set: DocumentSet, further: DocumentSet): void {
  for (let document = 0; document < set.length; document++) set[document]! |= further[document]!;
}

function both(left: DocumentSet, right: DocumentSet): DocumentSet {
  return where(left, (document) => right[document] === 1);
}

function without(set: DocumentSet, left: DocumentSet): DocumentSet {
  return where(set, (document) => left[document] === 0);
}
