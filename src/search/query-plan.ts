import type { SearchFilter } from "../mail/archive.ts";
import { ordinalOf } from "../mail/ids.ts";
import { EARLIEST_INSTANT, LATEST_INSTANT } from "../mail/instant.ts";
import { DocumentFilter } from "./document-filter.ts";
import { PhraseMatcher } from "./phrase.ts";
import type { Clause, ParsedQuery } from "./query-syntax.ts";
import { type QueryTerm, unitePostings } from "./rank.ts";
import { fieldTerm } from "./search-field.ts";
import type { SearchSource, TermPostings } from "./search-source.ts";

/** Different words of a query that rank; each is one walk over its postings, 4 ms for `the` at 430,000 messages. */
export const MAX_RANKED_TERMS = 64;
/** Terms a prefix stands for: the ones in most messages. */
export const PREFIX_TERMS = 32;
/** Terms an excluded prefix stands for: there each one left out would show. */
const EXCLUDED_PREFIX_TERMS = 1000;
/** Prefixes of a query that are expanded; further ones are searched as words. Each reads a stretch of the dictionary. */
const MAX_PREFIXES = 8;

/** What a query means for one source. */
export interface QueryPlan {
  readonly terms: readonly QueryTerm[];
  /** Null when every message is admitted. */
  readonly filter: DocumentFilter | null;
  /** Sequences that must be in the subject or the body, and those that must not. */
  readonly phrases: readonly { readonly matcher: PhraseMatcher; readonly isExcluded: boolean }[];
  /** What a snippet marks. */
  readonly tokens: readonly string[];
  readonly prefixes: readonly string[];
  /** True when the query names a word that ranks, whether or not a message holds it. */
  readonly hasWords: boolean;
}

/** Looks a query up: which postings rank, which messages are admitted. Null when nothing can be found. */
export function planQuery(source: SearchSource, query: ParsedQuery, filter: SearchFilter): QueryPlan | null {
  const plan = new Planner(source);
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

class Planner {
  private readonly source: SearchSource;
  private readonly counts = new Map<string, number>();
  private readonly prefixes = new Map<string, { readonly postings: TermPostings | null; count: number }>();
  private readonly phrases: { readonly matcher: PhraseMatcher; readonly isExcluded: boolean }[] = [];
  private filter: DocumentFilter | null = null;

  constructor(source: SearchSource) {
    this.source = source;
    if (source.dead.size > 0) for (const document of source.dead) this.filtered().excludeOne(document);
  }

  /** False when the clause admits nothing. */
  addClause(clause: Clause): boolean {
    if (clause.kind === "field") return this.addField(clause);
    if (clause.kind === "prefix" && this.prefixes.size < MAX_PREFIXES) return this.addPrefix(clause);
    if (clause.kind === "phrase") {
      this.phrases.push({ matcher: new PhraseMatcher(clause.tokens), isExcluded: clause.demand === "excluded" });
      if (clause.demand === "excluded") return true;
    }
    if (clause.demand === "excluded") {
      for (const token of clause.tokens) this.filtered().exclude(this.source.postings(token)?.lists ?? []);
      return true;
    }
    for (const token of clause.tokens) this.counts.set(token, (this.counts.get(token) ?? 0) + 1);
    return clause.demand === "optional" || this.requireAll(clause.tokens);
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
    for (const [token, count] of Array.from(this.counts).slice(0, MAX_RANKED_TERMS)) {
      const postings = this.source.postings(token);
      if (postings !== null) terms.push({ count, postings });
    }
    for (const { postings, count } of this.prefixes.values()) if (postings !== null && count > 0) terms.push({ count, postings });
    const rankedPrefixes = Array.from(this.prefixes).filter(([, { count }]) => count > 0);
    return {
      terms,
      filter: this.filter,
      phrases: this.phrases,
      tokens: Array.from(this.counts.keys()),
      prefixes: rankedPrefixes.map(([prefix]) => prefix),
      hasWords: this.counts.size > 0 || rankedPrefixes.length > 0,
    };
  }

  private filtered(): DocumentFilter {
    this.filter ??= new DocumentFilter(this.source.firstDocument, this.source.columns.lengths.length);
    return this.filter;
  }

  private requireAll(terms: readonly string[]): boolean {
    for (const term of new Set(terms)) {
      const postings = this.source.postings(term);
      if (postings === null) return false;
      this.filtered().require(postings.lists);
    }
    return true;
  }

  private addPrefix(clause: Clause): boolean {
    const prefix = clause.tokens[0]!;
    if (clause.demand === "excluded") {
      for (const term of this.source.termsWithPrefix(prefix, EXCLUDED_PREFIX_TERMS)) {
        this.filtered().exclude(this.source.postings(term)?.lists ?? []);
      }
      return true;
    }
    const known = this.prefixes.get(prefix) ?? { postings: this.expand(prefix), count: 0 };
    known.count += 1;
    this.prefixes.set(prefix, known);
    if (clause.demand === "optional") return true;
    if (known.postings === null) return false;
    this.filtered().require(known.postings.lists);
    return true;
  }

  private expand(prefix: string): TermPostings | null {
    const found: TermPostings[] = [];
    for (const term of this.source.termsWithPrefix(prefix, PREFIX_TERMS)) {
      const postings = this.source.postings(term);
      if (postings !== null) found.push(postings);
    }
    return found.length === 0 ? null : found.length === 1 ? found[0]! : unitePostings(found, this.source.columns.lengths.length);
  }

  private addField(clause: Clause & { readonly kind: "field" }): boolean {
    const matches = this.columnTest(clause);
    const isExcluded = clause.demand === "excluded";
    if (matches !== null) {
      this.filtered().requireWhere(isExcluded ? (document) => !matches(document) : matches);
      return true;
    }
    if (clause.field === "topic") return isExcluded;
    const { field } = clause;
    const terms = clause.tokens.map((token) => fieldTerm(field, token));
    if (!isExcluded) return this.requireAll(terms);
    const holding = new DocumentFilter(this.source.firstDocument, this.source.columns.lengths.length);
    for (const term of new Set(terms)) holding.require(this.source.postings(term)?.lists ?? []);
    const filter = this.filtered();
    holding.visit((document) => filter.excludeOne(document));
    return true;
  }

  /** Operators that a column answers: the topic, and an author named by a known address, whose every alias then matches. */
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
