import type { SearchFilter } from "../mail/archive.ts";
import { ownText } from "../text/split-body.ts";
import { ClauseSets, type DocumentSet, documentsOf } from "./clause-sets.ts";
import { DocumentFilter } from "./document-filter.ts";
import { TermReader } from "./indexed-term.ts";
import { admittedBy, planFound, planQuery, type QueryPlan } from "./query-plan.ts";
import { type Clause, parseQuery } from "./query-syntax.ts";
import { Ranking } from "./rank.ts";
import { RepeatedTexts } from "./repeated-texts.ts";
import type { SearchSource } from "./search-source.ts";
import { MARK, renderSnippet } from "./snippet.ts";
import type { RankedDocument } from "./top-documents.ts";

/** Messages whose text is read to verify phrases, best first; a phrase of very common words may have matches beyond. */
export const MAX_VERIFIED = 1000;

/** Bytes of a body in which own text is told from quotations for a snippet: a page has many, and own text comes first. */
const OWN_TEXT_BYTES = 16_384;

/** Messages that are ranked beyond those asked for, as one hit in eight repeats a text; and how many more times if it was not enough. */
const MORE_FOR_REPEATS = 8;
const FURTHER_FACTOR = 8;

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();

/** A message found. */
export interface FoundDocument extends RankedDocument {
  /** About 180 characters, matches marked with `**`, no line breaks. */
  readonly snippet: string;
  /** The other messages with its text that fit the conditions of the query, ascending: no list repeats a text. */
  readonly repeats: readonly number[];
}

export interface SearchOutcome {
  /** Best first; equal scores newest first, then by number. */
  readonly found: readonly FoundDocument[];
  /** False when phrases were verified on the best MAX_VERIFIED candidates only and there were more. */
  readonly isComplete: boolean;
}

/** What a query finds, best first. */
interface Selection {
  readonly documents: readonly RankedDocument[];
  readonly isComplete: boolean;
}

/** Answers queries over one state of an archive. Holds the scratch of ranking: one instance a thread. */
export class Searcher {
  readonly source: SearchSource;
  readonly terms: TermReader;
  readonly sets: ClauseSets;
  private readonly ranking: Ranking;
  private repeatedTexts: RepeatedTexts | null = null;

  constructor(source: SearchSource) {
    this.source = source;
    this.terms = new TermReader(source);
    this.sets = new ClauseSets(source, this.terms);
    this.ranking = new Ranking(source);
  }

  /** Never throws for any query. Words combine with OR; `limit` is at least 0. */
  search(query: string, limit: number, filter: SearchFilter = {}): SearchOutcome {
    const plan = planQuery(this, parseQuery(query), filter);
    if (plan === null || limit <= 0) return { found: [], isComplete: true };
    const { documents, isComplete } = this.selectFolded(plan, limit);
    return {
      found: documents.map((ranked) => ({
        ...ranked,
        snippet: this.snippet(ranked.document, plan),
        repeats: this.texts.othersOf(ranked.document).filter((other) => plan.filter?.admits(other) ?? true),
      })),
      isComplete,
    };
  }

  /** Of messages that repeat a text the best alone. */
  private selectFolded(plan: QueryPlan, limit: number): Selection {
    for (let asked = limit + MORE_FOR_REPEATS; ; asked *= FURTHER_FACTOR) {
      const { documents, isComplete } = this.select(plan, asked);
      const folded = this.texts.folded(documents, ({ document }) => document);
      if (folded.length >= limit || documents.length < asked) return { documents: folded.slice(0, limit), isComplete };
    }
  }

  /** What repeats a text, read when it is first asked for. */
  private get texts(): RepeatedTexts {
    return (this.repeatedTexts ??= new RepeatedTexts(this.source.repeats()));
  }

  /**
   * Numbers of all messages that fit, ascending; of phrases every candidate is read. An empty query leaves the choice
   * to the filter.
   */
  matching(query: string, filter: SearchFilter = {}): readonly number[] {
    const { clauses } = parseQuery(query);
    if (clauses.length === 0 && query.trim() !== "") return [];
    const admitted = admittedBy(this, filter);
    const found = documentsOf(this.sets.matching(clauses, this.sets.all()));
    return Array.from(found).filter((document) => admitted.admits(document));
  }

  /** The best of the messages that a query finds, by the words of it that they hold; those without any are left out. */
  ranked(clauses: readonly Clause[], found: DocumentSet, limit: number): readonly number[] {
    const plan = planFound(this, clauses, found);
    return plan.hasWords ? this.ranking.rank(plan, plan.filter, limit).map(({ document }) => document) : [];
  }

  /** Cuts snippets for a query: from what the author of a message wrote, if that holds a match. */
  snippets(clauses: readonly Clause[]): (document: number) => string {
    const plan = planFound(this, clauses, this.sets.all());
    return (document) => {
      const body = this.source.body(document);
      if (body === null) return "";
      const own = ENCODER.encode(ownText(DECODER.decode(body.subarray(0, OWN_TEXT_BYTES))));
      const snippet = renderSnippet(own, plan);
      return plan.hasWords && !snippet.includes(MARK) ? renderSnippet(body, plan) : snippet;
    };
  }

  private select(plan: QueryPlan, limit: number): Selection {
    if (plan.phrases.length === 0) return { documents: this.candidates(plan, limit), isComplete: true };
    // One more than is read tells whether any were left out.
    const candidates = this.candidates(plan, MAX_VERIFIED + 1);
    const documents: RankedDocument[] = [];
    for (const candidate of candidates.slice(0, MAX_VERIFIED)) {
      if (documents.length >= limit) return { documents, isComplete: true };
      if (this.holdsPhrases(candidate.document, plan)) documents.push(candidate);
    }
    return { documents, isComplete: documents.length >= limit || candidates.length <= MAX_VERIFIED };
  }

  private candidates(plan: QueryPlan, limit: number): RankedDocument[] {
    const ranked = plan.hasWords ? this.ranking.rank(plan, plan.filter, limit) : [];
    if (plan.hasWords && (!plan.isDecided || ranked.length >= limit)) return ranked;
    return [...ranked, ...this.unranked(plan, ranked, limit - ranked.length)];
  }

  /** The newest of the messages that hold no word of the query. */
  private unranked(plan: QueryPlan, ranked: readonly RankedDocument[], limit: number): RankedDocument[] {
    const all = new DocumentFilter(this.source.firstDocument, this.source.columns.lengths.length);
    const rest = plan.filter?.copy() ?? all;
    for (const { document } of ranked) rest.excludeOne(document);
    return this.ranking.newest(rest, limit);
  }

  private holdsPhrases(document: number, plan: QueryPlan): boolean {
    const { source } = this;
    const body = source.body(document);
    if (body === null) return false;
    return plan.phrases.every(({ matcher, isExcluded, subjects }) => {
      // Few subjects hold the words at all: the others are not read.
      const isInSubject = (): boolean =>
        subjects?.admits(document) !== false && matcher.occursIn(source.subject(document));
      return (matcher.occursIn(body) || isInSubject()) !== isExcluded;
    });
  }

  private snippet(document: number, plan: QueryPlan): string {
    const body = this.source.body(document);
    return body === null ? "" : renderSnippet(body, plan);
  }
}
