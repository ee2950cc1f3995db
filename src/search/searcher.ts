import type { SearchFilter } from "../mail/archive.ts";
import type { WordMatch } from "../mail/exploration.ts";
import { allDocuments, type DocumentSet, documentsOf } from "./clause-sets.ts";
import { DocumentFilter } from "./document-filter.ts";
import { askedToFind, askedToMatch, askedToPlan, fileTerms, snippetTerms } from "./lookups.ts";
import {
  admittedBy,
  isFlat,
  type PhraseCondition,
  type PlannedIndex,
  planFound,
  planQuery,
  type QueryPlan,
} from "./query-plan.ts";
import { type Clause, parseQuery } from "./query-syntax.ts";
import { readTexts } from "./read-texts.ts";
import { RepeatedTexts } from "./repeated-texts.ts";
import type { IndexedText, Lookups, SearchSource } from "./search-source.ts";
import { lookUpShards, Shard } from "./shards.ts";
import { withSimilarWords } from "./similar-messages.ts";
import { renderFileSnippet, renderOwnSnippet, type SnippetTerms } from "./snippet.ts";
import { type RankedDocument, TopDocuments } from "./top-documents.ts";

/** Messages whose text is read to verify phrases, best first; a phrase of very common words may have matches beyond. */
export const MAX_VERIFIED = 1000;

/** Messages that are ranked beyond those asked for, as one hit in eight repeats a text; and how many more times if it was not enough. */
const MORE_FOR_REPEATS = 8;
const FURTHER_FACTOR = 8;

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

/** What a query means for a shard. */
interface PlannedShard {
  readonly shard: Shard;
  readonly plan: QueryPlan;
}

/** What a query finds, best first. */
interface Selection {
  readonly documents: readonly RankedDocument[];
  readonly isComplete: boolean;
}

/** Answers queries over one state of an archive. Holds the scratch of ranking: one instance a thread. */
export class Searcher {
  readonly source: SearchSource;
  private readonly whole: Shard;
  private readonly shards: readonly Shard[];
  private repeatedTexts: RepeatedTexts | null = null;

  /** @param shards ranges of it that are searched one by one, together all of it; none where it is one */
  constructor(source: SearchSource, shards: readonly SearchSource[] = []) {
    this.source = source;
    this.whole = new Shard(source);
    this.shards = shards.length === 0 ? [this.whole] : shards.map((shard) => new Shard(shard));
  }

  /** The parts of a query, with the words of the messages that it asks for more like. */
  read(query: string, match: WordMatch = "any"): Promise<readonly Clause[]> {
    return withSimilarWords(parseQuery(query, match).clauses, this.source, (asked) => this.whole.terms.lookUp(asked));
  }

  /** Asks the source for all that a query needs, which `lookups.ts` tells. */
  async lookUp(asked: Lookups): Promise<PlannedIndex> {
    const [planned] = await lookUpShards([this.whole], asked);
    return planned!;
  }

  /** Never throws for any query. Words combine with OR; `limit` is at least 0. */
  async search(query: string, limit: number, filter: SearchFilter = {}): Promise<SearchOutcome> {
    const clauses = await this.read(query);
    if (clauses.length === 0 || limit <= 0) return NOTHING_FOUND;
    const asked = isFlat(clauses) ? askedToPlan(clauses, filter) : askedToFind(clauses, filter);
    const plans: PlannedShard[] = [];
    for (const [at, planned] of (await lookUpShards(this.shards, asked)).entries()) {
      const plan = await planQuery(planned, clauses, filter);
      if (plan !== null) plans.push({ shard: this.shards[at]!, plan });
    }
    const [first] = plans;
    if (first === undefined) return NOTHING_FOUND;
    const texts = await this.texts();
    const { documents, isComplete } = await this.selectFolded(plans, limit, texts);
    const snippets = await this.snippets(numbersOf(documents), first.plan, fileTerms(clauses));
    const isAdmitted = (document: number): boolean =>
      plans.some(({ shard, plan }) => shard.holds(document) && (plan.filter?.admits(document) ?? true));
    return {
      found: documents.map((ranked, at) => ({
        ...ranked,
        snippet: snippets[at]!,
        repeats: texts.othersOf(ranked.document).filter(isAdmitted),
      })),
      isComplete,
    };
  }

  /** Of messages that repeat a text the best alone. */
  private async selectFolded(plans: readonly PlannedShard[], limit: number, texts: RepeatedTexts): Promise<Selection> {
    for (let asked = limit + MORE_FOR_REPEATS; ; asked *= FURTHER_FACTOR) {
      const { documents, isComplete } = await this.select(plans, asked);
      const isFirst = texts.firstOfText();
      const folded = documents.filter(({ document }) => isFirst(document));
      if (folded.length >= limit || documents.length < asked) return { documents: folded.slice(0, limit), isComplete };
    }
  }

  /** What repeats a text, read when it is first asked for. */
  async texts(): Promise<RepeatedTexts> {
    this.repeatedTexts ??= new RepeatedTexts(await this.source.repeats());
    return this.repeatedTexts;
  }

  /**
   * Numbers of all messages that fit, ascending; of phrases every candidate is read. An empty query leaves the choice
   * to the filter.
   */
  async matching(query: string, filter: SearchFilter = {}): Promise<readonly number[]> {
    const clauses = await this.read(query);
    if (clauses.length === 0 && query.trim() !== "") return [];
    const planned = await this.lookUp(askedToMatch(clauses, filter));
    const admitted = admittedBy(planned, filter);
    const found = documentsOf(await planned.sets.matching(clauses, allDocuments(this.source)));
    return Array.from(found).filter((document) => admitted.admits(document));
  }

  /**
   * The best of the messages that a query finds, by the words of it that they hold; those without any are left out.
   *
   * @param planned what it takes to rank, at least.
   */
  ranked(planned: PlannedIndex, clauses: readonly Clause[], found: DocumentSet, limit: number): Uint32Array {
    const plan = planFound(planned, clauses, found);
    return plan.hasWords ? this.whole.ranking.best(plan, plan.filter, limit).numbers() : new Uint32Array(0);
  }

  /** Cuts snippets for a query. */
  snippetsOf(clauses: readonly Clause[], documents: Uint32Array): Promise<readonly string[]> {
    return this.snippets(documents, snippetTerms(clauses), fileTerms(clauses));
  }

  private async snippets(
    documents: Uint32Array,
    terms: SnippetTerms,
    ofFiles: SnippetTerms,
  ): Promise<readonly string[]> {
    const snippets: string[] = [];
    await readTexts(this.source, documents, (_, text) => {
      const body = text.body();
      const own = body === null ? "" : renderOwnSnippet(body, terms);
      snippets.push(renderFileSnippet(own, text, ofFiles) ?? own);
      return true;
    });
    return snippets;
  }

  private async select(plans: readonly PlannedShard[], limit: number): Promise<Selection> {
    const { plan } = plans[0]!;
    if (plan.phrases.length === 0) return { documents: this.candidates(plans, limit), isComplete: true };
    // One more than is read tells whether any were left out.
    const candidates = this.candidates(plans, MAX_VERIFIED + 1);
    const planOf = (document: number): QueryPlan => plans.find(({ shard }) => shard.holds(document))!.plan;
    const documents: RankedDocument[] = [];
    let read = 0;
    const look = (document: number, text: IndexedText): boolean => {
      if (holdsPhrases(document, text, planOf(document))) documents.push(candidates[read]!);
      read++;
      return documents.length < limit;
    };
    const isSubjectRead = (document: number): boolean =>
      planOf(document).phrases.some((phrase) => isInSubject(document, phrase));
    await readTexts(this.source, numbersOf(candidates.slice(0, MAX_VERIFIED)), look, isSubjectRead);
    return { documents, isComplete: documents.length >= limit || candidates.length <= MAX_VERIFIED };
  }

  /** The best of all shards. */
  private candidates(plans: readonly PlannedShard[], limit: number): RankedDocument[] {
    const { plan } = plans[0]!;
    const ranked = plan.hasWords
      ? this.best(plans, limit, ({ shard, plan: own }) => shard.ranking.rank(own, own.filter, limit))
      : [];
    if (plan.hasWords && (!plan.isDecided || ranked.length >= limit)) return ranked;
    const others = this.best(plans, limit - ranked.length, (planned) =>
      unranked(planned, ranked, limit - ranked.length),
    );
    return [...ranked, ...others];
  }

  private best(
    plans: readonly PlannedShard[],
    limit: number,
    ofShard: (planned: PlannedShard) => readonly RankedDocument[],
  ): RankedDocument[] {
    const [only, ...more] = plans.map(ofShard);
    if (more.length === 0) return [...only!];
    const top = new TopDocuments(limit, this.source.columns.sentAt);
    for (const { document, score } of [only!, ...more].flat()) top.offer(document, score);
    return top.ranked();
  }
}

/** The newest of the messages of a shard that hold no word of the query. */
function unranked(
  { shard, plan }: PlannedShard,
  ranked: readonly RankedDocument[],
  limit: number,
): readonly RankedDocument[] {
  const { firstDocument, columns } = shard.source;
  const rest = plan.filter?.copy() ?? new DocumentFilter(firstDocument, columns.lengths.length);
  for (const { document } of ranked) rest.excludeOne(document);
  return shard.ranking.newest(rest, limit);
}

const NOTHING_FOUND: SearchOutcome = { found: [], isComplete: true };

function numbersOf(documents: readonly RankedDocument[]): Uint32Array {
  return Uint32Array.from(documents, ({ document }) => document);
}

function holdsPhrases(document: number, text: IndexedText, { phrases }: QueryPlan): boolean {
  const body = text.body();
  if (body === null) return false;
  return phrases.every((phrase) => {
    const { matcher, isExcluded } = phrase;
    const occurs = matcher.occursIn(body) || (isInSubject(document, phrase) && matcher.occursIn(text.subject()));
    return occurs !== isExcluded;
  });
}

/** Few subjects hold the words of a phrase at all: the others are not read. */
function isInSubject(document: number, { subjects }: PhraseCondition): boolean {
  return subjects?.admits(document) !== false;
}
