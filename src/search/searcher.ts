import type { SearchFilter } from "../mail/archive.ts";
import { DocumentFilter } from "./document-filter.ts";
import { planQuery, type QueryPlan } from "./query-plan.ts";
import { parseQuery } from "./query-syntax.ts";
import { Ranking } from "./rank.ts";
import type { SearchSource } from "./search-source.ts";
import { renderSnippet } from "./snippet.ts";
import type { RankedDocument } from "./top-documents.ts";

/** Messages whose text is read to verify phrases, best first; a phrase of very common words may have matches beyond. */
export const MAX_VERIFIED = 1000;

/** A message found. */
export interface FoundDocument extends RankedDocument {
  /** About 180 characters, matches marked with `**`, no line breaks. */
  readonly snippet: string;
}

export interface SearchOutcome {
  /** Best first; equal scores newest first, then by number. */
  readonly found: readonly FoundDocument[];
  /** False when phrases were verified on the best MAX_VERIFIED candidates only and there were more. */
  readonly isComplete: boolean;
}

/** Answers queries over one state of an archive. Holds the scratch of ranking: one instance a thread. */
export class Searcher {
  private readonly source: SearchSource;
  private readonly ranking: Ranking;

  constructor(source: SearchSource) {
    this.source = source;
    this.ranking = new Ranking(source);
  }

  /** Never throws for any query. Words combine with OR; `limit` is at least 0. */
  search(query: string, limit: number, filter: SearchFilter = {}): SearchOutcome {
    const plan = planQuery(this.source, parseQuery(query), filter);
    if (plan === null || limit <= 0) return { found: [], isComplete: true };
    const { documents, isComplete } = this.select(plan, limit);
    return { found: documents.map((ranked) => ({ ...ranked, snippet: this.snippet(ranked.document, plan) })), isComplete };
  }

  private select(plan: QueryPlan, limit: number): { readonly documents: readonly RankedDocument[]; readonly isComplete: boolean } {
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
    if (plan.hasWords) return this.ranking.rank(plan.terms, plan.filter, limit);
    const all = new DocumentFilter(this.source.firstDocument, this.source.columns.lengths.length);
    return this.ranking.newest(plan.filter ?? all, limit);
  }

  private holdsPhrases(document: number, plan: QueryPlan): boolean {
    const text = this.source.text(document);
    if (text === null) return false;
    return plan.phrases.every(({ matcher, isExcluded }) => (matcher.occursIn(text.body) || matcher.occursIn(text.subject)) !== isExcluded);
  }

  private snippet(document: number, plan: QueryPlan): string {
    const text = this.source.text(document);
    return text === null ? "" : renderSnippet(text.body, plan);
  }
}
