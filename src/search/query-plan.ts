import type { SearchFilter } from "../mail/archive.ts";
import { ordinalOf } from "../mail/ids.ts";
import { EARLIEST_INSTANT, LATEST_INSTANT } from "../mail/instant.ts";
import { type ClauseSets, type DocumentSet, MATCHED_PREFIX_TERMS } from "./clause-sets.ts";
import { DocumentFilter } from "./document-filter.ts";
import type { IndexedTerm, TermReader } from "./indexed-term.ts";
import { PhraseMatcher } from "./phrase.ts";
import type { Clause, Leaf, ParsedQuery } from "./query-syntax.ts";
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
  /** True when the filter admits what the query finds and nothing else, also without any word that ranks. */
  readonly isDecided: boolean;
}

/** What queries are planned for. */
export interface PlannedIndex {
  readonly source: SearchSource;
  readonly terms: TermReader;
  readonly sets: ClauseSets;
}

/** Looks a query up: which postings rank, which messages are admitted. Null when nothing can be found. */
export function planQuery(index: PlannedIndex, query: ParsedQuery, filter: SearchFilter): QueryPlan | null {
  if (query.clauses.length === 0) return null;
  const plan = new Planner(index);
  if (query.clauses.some(({ kind }) => kind === "group")) {
    plan.takeFound(query.clauses, index.sets.matching(query.clauses, index.sets.all()));
    return plan.addFilter(filter) ? { ...plan.finish(), isDecided: true } : null;
  }
  for (const clause of query.clauses) if (!plan.addClause(clause)) return null;
  return plan.addFilter(filter) ? plan.finish() : null;
}

/** What ranks the messages that a query is known to find. */
export function planFound(index: PlannedIndex, clauses: readonly Clause[], found: DocumentSet): QueryPlan {
  const plan = new Planner(index);
  plan.takeFound(clauses, found);
  return { ...plan.finish(), isDecided: true };
}

/** The messages that pass a filter. */
export function admittedBy(index: PlannedIndex, filter: SearchFilter): DocumentFilter {
  return new Planner(index).admittedBy(filter);
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
  private readonly sets: ClauseSets;

  constructor({ source, terms, sets }: PlannedIndex) {
    this.source = source;
    this.terms = terms;
    this.sets = sets;
    if (source.dead.size > 0) for (const document of source.dead) this.filtered().excludeOne(document);
  }

  /** False when the clause admits nothing. */
  addClause(clause: Clause): boolean {
    if (clause.kind === "field" || clause.kind === "date" || clause.kind === "group") {
      this.addCondition(clause);
      return true;
    }
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
    this.addRanked(clause.tokens);
    return clause.demand === "optional" || this.requireWords(clause.tokens);
  }

  private addRankedLeaf(leaf: Leaf): void {
    if (leaf.kind === "prefix" && this.prefixes.size < MAX_PREFIXES) this.rankedPrefix(leaf.tokens[0]!);
    else if (leaf.kind === "words" || leaf.kind === "phrase" || leaf.kind === "prefix") this.addRanked(leaf.tokens);
  }

  /**
   * Which messages are found is known before they are ranked, by whatever of the query's words they hold: none of those
   * must be there.
   */
  takeFound(clauses: readonly Clause[], found: DocumentSet): void {
    this.filtered().requireWhere((document) => found[document] === 1);
    for (const leaf of rankedLeaves(clauses)) this.addRankedLeaf(leaf);
  }

  admittedBy(filter: SearchFilter): DocumentFilter {
    const admitted = this.filtered();
    if (!this.addFilter(filter)) admitted.requireAny([]);
    return admitted;
  }

  /** False when the filter admits nothing. */
  addFilter(filter: SearchFilter): boolean {
    const { from, topicId, after = EARLIEST_INSTANT, before = LATEST_INSTANT } = filter;
    if (filter.after !== undefined || filter.before !== undefined) this.requireDate(after, before);
    if (from !== undefined && !this.requireAuthor(from)) return false;
    return topicId === undefined || this.requireTopic(topicId);
  }

  private requireDate(after: number, before: number): void {
    const { sentAt } = this.source.columns;
    this.filtered().requireWhere((document) => sentAt[document]! >= after && sentAt[document]! <= before);
  }

  private requireAuthor(address: string): boolean {
    const contact = this.source.contactOf(address);
    if (contact === null) return false;
    const { authors } = this.source.columns;
    this.filtered().requireWhere((document) => authors[document] === contact);
    return true;
  }

  private requireTopic(id: string): boolean {
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
      isDecided: false,
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

  private addRanked(tokens: readonly string[]): void {
    for (const token of tokens) {
      const known = this.words.get(token) ?? { term: this.terms.find(token), count: 0 };
      known.count++;
      this.words.set(token, known);
    }
  }

  private addPrefix(clause: Leaf & { readonly kind: "prefix" }): boolean {
    const prefix = clause.tokens[0]!;
    if (clause.demand === "excluded") {
      this.filtered().exclude(this.terms.findPrefix(prefix, MATCHED_PREFIX_TERMS));
      return true;
    }
    const term = this.rankedPrefix(prefix);
    if (clause.demand === "optional") return true;
    if (term === null) return false;
    this.required.add(term);
    return true;
  }

  private rankedPrefix(prefix: string): IndexedTerm | null {
    const known = this.prefixes.get(prefix) ?? { term: this.terms.findPrefix(prefix, PREFIX_TERMS), count: 0 };
    known.count++;
    this.prefixes.set(prefix, known);
    return known.term;
  }

  private addCondition(clause: Clause): void {
    const { sets } = this;
    const held = sets.holding(clause, sets.all());
    const wanted = clause.demand === "excluded" ? 0 : 1;
    this.filtered().requireWhere((document) => held[document] === wanted);
  }
}

/** What ranks: everything that is not excluded, in however many groups. */
function rankedLeaves(clauses: readonly Clause[]): Leaf[] {
  return clauses.flatMap((clause) => {
    if (clause.demand === "excluded") return [];
    return clause.kind === "group" ? clause.alternatives.flatMap(rankedLeaves) : [clause];
  });
}
