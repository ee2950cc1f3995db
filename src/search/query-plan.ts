import type { SearchFilter } from "../mail/archive.ts";
import { ordinalOf } from "../mail/ids.ts";
import { EARLIEST_INSTANT, LATEST_INSTANT } from "../mail/instant.ts";
import { DocumentFilter } from "./document-filter.ts";
import type { IndexedTerm, TermReader } from "./indexed-term.ts";
import { PhraseMatcher } from "./phrase.ts";
import type { Clause, ParsedQuery } from "./query-syntax.ts";
import type { QueryTerm } from "./rank.ts";
import { fieldTerm } from "./search-field.ts";
import type { SearchSource } from "./search-source.ts";

/**
 * Different words of a query that rank; each is one walk over its postings, at most a millisecond or two at 340,000
 * messages.
 */
export const MAX_RANKED_TERMS = 64;
/** Terms a prefix stands for: the ones in most messages. */
export const PREFIX_TERMS = 32;
/** Terms an excluded prefix stands for: there each one left out would show. */
const EXCLUDED_PREFIX_TERMS = 1000;
/**
 * Prefixes of a query that are expanded; further ones are searched as words. Each reads a stretch of the dictionary.
 */
const MAX_PREFIXES = 8;

/**
 * Phrases whose words are looked up in the index of subjects first: two bytes a message each. Of further ones every
 * subject is read.
 */
const SUBJECT_CHECKS = 8;

/** A sequence of words that a message must hold in its subject or its body, or must not. */
export interface PhraseCondition {
  readonly matcher: PhraseMatcher;
  readonly isExcluded: boolean;
  /** The messages whose subject holds all the words, in any order; null when that is not known. */
  readonly subjects: DocumentFilter | null;
}

/** What a query means for one source. */
export interface QueryPlan {
  readonly terms: readonly QueryTerm[];
  /** True when a message must hold every one of the terms; the filter then does not ask for them again. */
  readonly isConjunction: boolean;
  /** Null when every message is admitted. */
  readonly filter: DocumentFilter | null;
  readonly phrases: readonly PhraseCondition[];
  /** What a snippet marks. */
  readonly tokens: readonly string[];
  readonly prefixes: readonly string[];
  /** True when the query names a word that ranks, whether or not a message holds it. */
  readonly hasWords: boolean;
}

/** What queries are planned for. */
export interface PlannedIndex {
  readonly source: SearchSource;
  readonly terms: TermReader;
}

/** Looks a query up: which postings rank, which messages are admitted. Null when nothing can be found. */
export function planQuery(index: PlannedIndex, query: ParsedQuery, filter: SearchFilter): QueryPlan | null {
  const plan = new Planner(index);
  for (const clause of query.clauses) if (!plan.addClause(clause)) return null;
  const after = Math.max(query.after, filter.after ?? EARLIEST_INSTANT);
  const before = Math.min(query.before, filter.before ?? LATEST_INSTANT);
  const isDated = query.after !== EARLIEST_INSTANT || query.before !== LATEST_INSTANT;
  if (isDated || filter.after !== undefined || filter.before !== undefined) plan.requireDate(after, before);
  if (filter.from !== undefined && !plan.requireAuthor(filter.from)) return null;
  if (filter.topicId !== undefined && !plan.requireTopic(filter.topicId)) return null;
  if (query.clauses.length === 0 && !isDated) return null;
  return plan.finish();
}

/** A word or prefix with the number of times the query names it. */
interface CountedTerm {
  readonly term: IndexedTerm | null;
  count: number;
}

class Planner {
  private readonly source: SearchSource;
  private readonly terms: TermReader;
  /** What ranks, in the order of the query; a term that no message holds is null. */
  private readonly words = new Map<string, CountedTerm>();
  private readonly prefixes = new Map<string, CountedTerm>();
  /** Words and prefixes that must be there. */
  private readonly required = new Set<IndexedTerm>();
  private readonly phrases: PhraseCondition[] = [];
  private filter: DocumentFilter | null = null;

  constructor({ source, terms }: PlannedIndex) {
    this.source = source;
    this.terms = terms;
    if (source.dead.size > 0) for (const document of source.dead) this.filtered().excludeOne(document);
  }

  /** False when the clause admits nothing. */
  addClause(clause: Clause): boolean {
    if (clause.kind === "field") return this.addField(clause);
    if (clause.kind === "prefix" && this.prefixes.size < MAX_PREFIXES) return this.addPrefix(clause);
    if (clause.kind === "phrase") {
      const subjects = this.phrases.length < SUBJECT_CHECKS ? this.subjectsWith(clause.tokens) : null;
      this.phrases.push({
        matcher: new PhraseMatcher(clause.tokens),
        isExcluded: clause.demand === "excluded",
        subjects,
      });
      if (clause.demand === "excluded") return true;
    }
    if (clause.demand === "excluded") {
      for (const token of clause.tokens) this.filtered().exclude(this.terms.find(token));
      return true;
    }
    for (const token of clause.tokens) {
      const known = this.words.get(token) ?? { term: this.terms.find(token), count: 0 };
      known.count++;
      this.words.set(token, known);
    }
    return clause.demand === "optional" || this.requireWords(clause.tokens);
  }

  requireDate(after: number, before: number): void {
    const { sentAt } = this.source.columns;
    this.filtered().requireWhere((document) => sentAt[document]! >= after && sentAt[document]! <= before);
  }

  requireAuthor(address: string): boolean {
    const contact = this.source.contactOf(address);
    if (contact === null) return false;
    const { authors } = this.source.columns;
    this.filtered().requireWhere((document) => authors[document] === contact);
    return true;
  }

  requireTopic(id: string): boolean {
    const topic = ordinalOf("topic", id);
    if (topic === null) return false;
    const { topics } = this.source.columns;
    this.filtered().requireWhere((document) => topics[document] === topic);
    return true;
  }

  finish(): QueryPlan {
    const terms: QueryTerm[] = [];
    for (const { term, count } of Array.from(this.words.values()).slice(0, MAX_RANKED_TERMS)) {
      if (term !== null) terms.push({ count, term });
    }
    for (const { term, count } of this.prefixes.values()) if (term !== null && count > 0) terms.push({ count, term });
    const isConjunction = terms.length === this.required.size && terms.every(({ term }) => this.required.has(term));
    if (!isConjunction) for (const term of this.required) this.filtered().require(term);
    const rankedPrefixes = Array.from(this.prefixes).filter(([, { count }]) => count > 0);
    return {
      terms,
      isConjunction,
      filter: this.filter,
      phrases: this.phrases,
      tokens: Array.from(this.words.keys()),
      prefixes: rankedPrefixes.map(([prefix]) => prefix),
      hasWords: this.words.size > 0 || rankedPrefixes.length > 0,
    };
  }

  private filtered(): DocumentFilter {
    this.filter ??= this.allDocuments();
    return this.filter;
  }

  private allDocuments(): DocumentFilter {
    return new DocumentFilter(this.source.firstDocument, this.source.columns.lengths.length);
  }

  private subjectsWith(tokens: readonly string[]): DocumentFilter {
    const subjects = this.allDocuments();
    for (const token of new Set(tokens)) subjects.require(this.terms.find(fieldTerm("subject", token)));
    return subjects;
  }

  private requireWords(tokens: readonly string[]): boolean {
    for (const token of tokens) {
      const { term } = this.words.get(token)!;
      if (term === null) return false;
      this.required.add(term);
    }
    return true;
  }

  private requireFieldTerms(spellings: readonly string[]): boolean {
    for (const spelling of new Set(spellings)) {
      const term = this.terms.find(spelling);
      if (term === null) return false;
      this.filtered().require(term);
    }
    return true;
  }

  private addPrefix(clause: Clause): boolean {
    const prefix = clause.tokens[0]!;
    if (clause.demand === "excluded") {
      this.filtered().exclude(this.terms.findPrefix(prefix, EXCLUDED_PREFIX_TERMS));
      return true;
    }
    const known = this.prefixes.get(prefix) ?? { term: this.terms.findPrefix(prefix, PREFIX_TERMS), count: 0 };
    known.count++;
    this.prefixes.set(prefix, known);
    if (clause.demand === "optional") return true;
    if (known.term === null) return false;
    this.required.add(known.term);
    return true;
  }

  private addField(clause: Clause & { readonly kind: "field" }): boolean {
    const isExcluded = clause.demand === "excluded";
    const named = this.documentsNamed(clause);
    if (named !== null) {
      const filter = this.filtered();
      if (isExcluded) for (const document of named) filter.excludeOne(document);
      else filter.requireAny(named);
      return true;
    }
    const matches = this.columnTest(clause);
    if (matches !== null) {
      this.filtered().requireWhere(isExcluded ? (document) => !matches(document) : matches);
      return true;
    }
    const { field } = clause;
    if (field === "topic" || field === "mailbox" || field === "id") return isExcluded;
    const terms = clause.tokens.map((token) => fieldTerm(field, token));
    if (!isExcluded) return this.requireFieldTerms(terms);
    const holding = new DocumentFilter(this.source.firstDocument, this.source.columns.lengths.length);
    for (const term of new Set(terms)) holding.require(this.terms.find(term));
    const filter = this.filtered();
    holding.visit((document) => filter.excludeOne(document));
    return true;
  }

  /** Operators that a table answers: messages by any of their places, and by any of their Message-IDs. */
  private documentsNamed({ field, text, tokens }: Clause & { readonly kind: "field" }): Iterable<number> | null {
    if (field === "mailbox") return this.source.placedIn(tokens);
    return field === "id" ? this.source.withMessageId(text) : null;
  }

  /**
   * Operators that a column answers: the topic, and an author named by a known address, whose every alias then matches.
   */
  private columnTest(clause: Clause & { readonly kind: "field" }): ((document: number) => boolean) | null {
    const { authors, topics } = this.source.columns;
    if (clause.field === "from" && clause.text.includes("@")) {
      const contact = this.source.contactOf(clause.text);
      return contact === null ? null : (document) => authors[document] === contact;
    }
    if (clause.field !== "topic") return null;
    const ordinal = ordinalOf("topic", clause.text.toLowerCase());
    const wanted = new Set(ordinal === null ? this.source.topicsNamed(clause.tokens) : [ordinal]);
    return wanted.size === 0 ? null : (document) => wanted.has(topics[document]!);
  }
}
