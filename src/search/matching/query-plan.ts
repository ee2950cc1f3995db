import type { SearchFilter } from "../../mail/archive.ts";
import { EARLIEST_INSTANT, LATEST_INSTANT } from "../../mail/dates/instant.ts";
import { ordinalOf } from "../../mail/records/ids.ts";
import { DocumentFilter } from "../indexing/document-filter.ts";
import type { DocumentSet } from "../indexing/document-set.ts";
import type { IndexedTerm, QueryIndex } from "../indexing/indexed-term.ts";
import { fieldTerm, type SearchField } from "../indexing/search-field.ts";
import type { SearchSource } from "../indexing/search-source.ts";
import { PhraseMatcher } from "../query/phrase.ts";
import type { Clause, Leaf } from "../query/query-syntax.ts";
import type { QueryTerm } from "../ranking/rank.ts";
import { allDocuments, type ClauseSets } from "./clause-sets.ts";
import { rankedTokens } from "./lookups.ts";

/**
 * Maximum distinct ranking words of a query; each is one pass over its postings, at most a millisecond or two for
 * 340,000 messages.
 */
const MAX_RANKED_TERMS = 64;
/**
 * Maximum phrases whose words are first looked up in the subject index, at two bytes per message each. For others,
 * every subject is read.
 */
export const SUBJECT_CHECKS = 8;

/** A sequence of words that the subject or body of a message must contain, or must not. */
interface PhraseCondition {
  readonly matcher: PhraseMatcher;
  readonly isExcluded: boolean;
  /** The messages whose subject contains all the words, in any order; null if unknown, above SUBJECT_CHECKS. */
  readonly subjects: DocumentFilter | null;
  /** The same for attachments. */
  readonly files: DocumentFilter | null;
}

/** The evaluated query for one source. */
export interface QueryPlan {
  readonly terms: readonly QueryTerm[];
  /** True if a message must contain all terms; the filter then skips them. */
  readonly isConjunction: boolean;
  /** Null if every message is admitted. */
  readonly filter: DocumentFilter | null;
  readonly phrases: readonly PhraseCondition[];
  /** True if the query has a ranking word, whether or not a message contains it. */
  readonly hasWords: boolean;
  /** True if the filter admits exactly the results of the query, even without any ranking word. */
  readonly isDecided: boolean;
}

/** A source, and the results of the query's lookups. */
export interface PlannedIndex {
  readonly source: SearchSource;
  readonly index: QueryIndex;
  readonly sets: ClauseSets;
}

/** Determines the ranking postings and the admitted messages. Null if nothing can match. */
export async function planQuery(
  planned: PlannedIndex,
  clauses: readonly Clause[],
  filter: SearchFilter,
): Promise<QueryPlan | null> {
  const plan = new Planner(planned);
  if (!isFlat(clauses)) {
    plan.takeFound(clauses, await planned.sets.matching(clauses, allDocuments(planned.source)));
    return plan.addFilter(filter) ? { ...plan.finish(), isDecided: true } : null;
  }
  for (const leaf of clauses) if (!(await plan.addLeaf(leaf))) return null;
  return plan.addFilter(filter) ? plan.finish() : null;
}

/** True if a query has neither groups nor phrases that only rank: its conditions can be tested while ranking. */
export function isFlat(clauses: readonly Clause[]): clauses is readonly Leaf[] {
  return clauses.every(({ kind, demand }) => kind !== "group" && (kind !== "phrase" || demand !== "optional"));
}

/** Plan for ranking the found messages. */
export function planForFoundMessages(planned: PlannedIndex, clauses: readonly Clause[], found: DocumentSet): QueryPlan {
  const plan = new Planner(planned);
  plan.takeFound(clauses, found);
  return { ...plan.finish(), isDecided: true };
}

/** Tests messages by a filter; null if it is empty. */
export function filterTest({ source, index }: PlannedIndex, filter: SearchFilter): DocumentTest | null {
  const tests = filterTests(source.columns, filter, (address) => index.contactOf(address));
  if (tests === null) return () => false;
  return tests.length === 0 ? null : (document) => tests.every((passes) => passes(document));
}

type DocumentTest = (document: number) => boolean;

/** The conditions of a filter; null if nothing can pass. */
function filterTests(
  { sentAt, authors, topics }: SearchSource["columns"],
  { from, topicId, after, before }: SearchFilter,
  contactOf: (address: string) => number | null,
): readonly DocumentTest[] | null {
  const tests: DocumentTest[] = [];
  if (after !== undefined || before !== undefined) {
    const [first, last] = [after ?? EARLIEST_INSTANT, before ?? LATEST_INSTANT];
    tests.push((document) => sentAt[document]! >= first && sentAt[document]! <= last);
  }
  if (from !== undefined) {
    const contact = contactOf(from);
    if (contact === null) return null;
    tests.push((document) => authors[document] === contact);
  }
  if (topicId !== undefined) {
    const topic = ordinalOf("topic", topicId);
    if (topic === null) return null;
    tests.push((document) => topics[document] === topic);
  }
  return tests;
}

/** A word or pattern with the number of times the query names it. */
interface CountedTerm {
  readonly term: IndexedTerm | null;
  count: number;
}

class Planner {
  private readonly source: SearchSource;
  private readonly index: QueryIndex;
  /** Ranking words in query order; null if no message contains the word. */
  private readonly words = new Map<string, CountedTerm>();
  /** Required words and patterns. */
  private readonly required = new Set<IndexedTerm>();
  private readonly phrases: PhraseCondition[] = [];
  private filter: DocumentFilter | null = null;
  private readonly sets: ClauseSets;

  constructor({ source, index, sets }: PlannedIndex) {
    this.source = source;
    this.index = index;
    this.sets = sets;
    if (source.dead.size > 0) for (const document of source.dead) this.filtered().excludeOne(document);
  }

  /** False if the clause admits nothing. */
  async addLeaf(leaf: Leaf): Promise<boolean> {
    if (leaf.kind === "field" || leaf.kind === "date") {
      await this.addCondition(leaf);
      return true;
    }
    if (leaf.kind === "phrase") {
      const isChecked = this.phrases.length < SUBJECT_CHECKS;
      this.phrases.push({
        matcher: new PhraseMatcher(leaf),
        isExcluded: leaf.demand === "excluded",
        subjects: isChecked ? this.fieldsWith("subject", leaf.tokens) : null,
        files: isChecked ? this.fieldsWith("attachment", leaf.tokens) : null,
      });
      if (leaf.demand === "excluded") return true;
    }
    if (leaf.demand === "excluded") {
      for (const token of leaf.tokens) this.filtered().exclude(this.index.find(token));
      return true;
    }
    this.addRanked(leaf.tokens);
    return leaf.demand === "optional" || this.requireWords(leaf.tokens);
  }

  /** The matching messages are known before ranking; no word is required. */
  takeFound(clauses: readonly Clause[], found: DocumentSet): void {
    this.filtered().requireWhere((document) => found[document] === 1);
    this.addRanked(rankedTokens(clauses));
  }

  /** False if the filter admits nothing. */
  addFilter(filter: SearchFilter): boolean {
    const tests = filterTests(this.source.columns, filter, (address) => this.index.contactOf(address));
    for (const passes of tests ?? []) this.filtered().requireWhere(passes);
    return tests !== null;
  }

  finish(): QueryPlan {
    const terms: QueryTerm[] = [];
    for (const { term, count } of Array.from(this.words.values()).slice(0, MAX_RANKED_TERMS)) {
      if (term !== null) terms.push({ count, term });
    }
    const isConjunction = terms.length === this.required.size && terms.every(({ term }) => this.required.has(term));
    if (!isConjunction) for (const term of this.required) this.filtered().require(term);
    return {
      terms,
      isConjunction,
      filter: this.filter,
      phrases: this.phrases,
      hasWords: this.words.size > 0,
      isDecided: false,
    };
  }

  private filtered(): DocumentFilter {
    this.filter ??= this.freshFilter();
    return this.filter;
  }

  private freshFilter(): DocumentFilter {
    return new DocumentFilter(this.source.firstDocument, this.source.columns.lengths.length);
  }

  private fieldsWith(field: SearchField, tokens: readonly string[]): DocumentFilter {
    const filter = this.freshFilter();
    for (const token of new Set(tokens)) filter.require(this.index.find(fieldTerm(field, token)));
    return filter;
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
      const known = this.words.get(token) ?? { term: this.index.find(token), count: 0 };
      known.count++;
      this.words.set(token, known);
    }
  }

  private async addCondition(leaf: Leaf): Promise<void> {
    const held = await this.sets.holding(leaf, allDocuments(this.source));
    const wanted = leaf.demand === "excluded" ? 0 : 1;
    this.filtered().requireWhere((document) => held[document] === wanted);
  }
}
