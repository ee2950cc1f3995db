import type { SearchFilter } from "../mail/archive.ts";
import type { RankedMatch, WordMatch } from "../mail/exploration.ts";
import type { IndexedTerm } from "./indexing/indexed-term.ts";
import { readTexts } from "./indexing/read-texts.ts";
import {
  FILES_ALONE,
  type IndexedText,
  NO_LOOKUPS,
  type SearchSource,
  SUBJECTS_ALONE,
  type TextParts,
} from "./indexing/search-source.ts";
import { MAX_PATTERN_TERMS } from "./indexing/term-pattern.ts";
import { fileTerms, lookupsForMatch, snippetTerms } from "./matching/lookups.ts";
import { usesNotebook } from "./matching/notebook-query.ts";
import { HOLDS, holdsPhrase, LACKS, PhraseMemory, type PhraseStates } from "./matching/phrase-memory.ts";
import { isFlat, SUBJECT_CHECKS } from "./matching/query-plan.ts";
import { type CountWords, withSimilarWords } from "./matching/similar-messages.ts";
import { stemLanguages, withStems } from "./matching/stemmed-clauses.ts";
import { PhraseMatcher } from "./query/phrase.ts";
import { problemSentences, type QueryProblem } from "./query/query-problems.ts";
import { type Clause, leavesOf, parseQuery } from "./query/query-syntax.ts";
import { globalTermStats } from "./ranges/global-term-stats.ts";
import { LoadedRange } from "./ranges/loaded-range.ts";
import { firstOfTexts, joinRows, mergeRows, NO_ROWS, rowsAt } from "./ranges/ordered-rows.ts";
import type { OrderedRows, RangeQuery, RankedRange, SearchedRange } from "./ranges/searched-range.ts";
import { SnippetRenderer } from "./ranking/snippet.ts";
import type { RankedDocument } from "./ranking/top-documents.ts";

/** Candidates whose texts are first read to verify phrases, best first; then FURTHER_FACTOR times as many. */
export const FIRST_VERIFIED = 1000;

/**
 * Messages ranked beyond the requested number, since one result in eight repeats a text; and the factor for retries.
 */
const MORE_FOR_REPEATS = 8;
export const FURTHER_FACTOR = 8;

/** A message found. */
export interface DocumentHit extends RankedDocument {
  /** About 180 characters, matches marked with `**`, no line breaks. */
  readonly snippet: string;
  /** The other matching messages with its text, ascending: results never repeat a text. */
  readonly repeats: readonly number[];
}

interface SearchOutcome {
  /** Best first; equal scores newest first, then by number. */
  readonly found: readonly DocumentHit[];
  /** How the words without a sign were combined. */
  readonly matched: WordMatch;
  /** One sentence per part of the query that could not be interpreted. */
  readonly problems: readonly string[];
}

/** A parsed query. */
export interface ParsedQuery {
  readonly clauses: readonly Clause[];
  readonly problems: readonly QueryProblem[];
}

/** The terms that match a pattern. */
type PatternTerms = Pick<IndexedTerm, "terms" | "isComplete">;

/** The best messages of a query, with its wildcards that match too many words. */
interface Ranked {
  readonly found: readonly DocumentHit[];
  readonly wide: readonly QueryProblem[];
}

/** Executes queries over one state of an archive with one or more ranges, whose best results are merged. */
export class Searcher {
  readonly ranges: readonly SearchedRange[];
  /** The archive as one range; without columns if there are several. */
  readonly whole: LoadedRange;
  /** By message numbers of the archive. */
  private readonly phrases: PhraseMemory;
  private stemmedIn: Promise<readonly string[]> | null = null;

  /**
   * @param source of the whole archive; its columns may be empty if there are ranges @param ranges that make up the
   * archive; none for a single range
   */
  constructor(
    readonly source: SearchSource,
    ranges: readonly SearchedRange[] = [],
  ) {
    this.whole = new LoadedRange(source);
    this.phrases = source.archive === undefined ? this.whole.phrases : new PhraseMemory(source.archive.end);
    this.ranges = ranges.length === 0 ? [this.whole] : ranges;
  }

  private get isOneRange(): boolean {
    return this.ranges[0] === this.whole;
  }

  /** The clauses of a query, with the words added by `similar:`. */
  async read(query: string, match: WordMatch): Promise<ParsedQuery> {
    const { clauses, problems } = parseQuery(query, match);
    const stemmed = await withStems(clauses, () => this.languages());
    return { clauses: await withSimilarWords(stemmed, this.source, this.countWords), problems };
  }

  /** The languages used to stem words. */
  private languages(): Promise<readonly string[]> {
    this.stemmedIn ??= this.countLanguages();
    return this.stemmedIn;
  }

  private async countLanguages(): Promise<readonly string[]> {
    const parts = await Promise.all(this.ranges.map((range) => range.languages()));
    const counts = new Map<string, number>();
    for (const [language, count] of parts.flat()) counts.set(language, (counts.get(language) ?? 0) + count);
    return stemLanguages(counts);
  }

  private readonly countWords: CountWords = async (terms) => {
    if (this.isOneRange) {
      const { find } = await this.whole.terms.lookUp({ ...NO_LOOKUPS, terms });
      return terms.map((term) => find(term)?.documentFrequency ?? 0);
    }
    return (await globalTermStats(this.ranges, { terms, patterns: [] })).terms.map(([, messages]) => messages);
  };

  /** The query as passed to ranges. */
  async rangeQuery(clauses: readonly Clause[], filter: SearchFilter = {}): Promise<RangeQuery> {
    const whole = this.isOneRange ? null : await globalTermStats(this.ranges, lookupsForMatch(clauses, filter));
    const revision = usesNotebook(clauses) ? (await this.source.marked()).revision : 0;
    return { clauses, filter, revision, whole };
  }

  /** The terms of each pattern of a query, from the lookups of the query. */
  async patternsOf(query: RangeQuery): Promise<(pattern: string) => PatternTerms | null> {
    if (query.whole === null) return (await this.whole.indexOf(query)).find;
    const figures = new Map(query.whole.patterns.map((one) => [one.pattern, one]));
    return (pattern) => {
      const terms = figures.get(pattern)?.terms ?? [];
      return { terms, isComplete: terms.length < MAX_PATTERN_TERMS };
    };
  }

  /** The wildcard parts of a query that match more words than are searched. */
  async wideWildcards(query: RangeQuery): Promise<readonly QueryProblem[]> {
    if (lookupsForMatch(query.clauses).patterns.length === 0) return [];
    const find = await this.patternsOf(query);
    const isWide = (pattern: string): boolean => find(pattern)?.isComplete === false;
    return leavesOf(query.clauses)
      .filter((leaf) => lookupsForMatch([leaf]).patterns.some(isWide))
      .map(({ start, end }) => ({ start, end, problem: "wildcard" }));
  }

  /** The best messages. Never throws for any query; `limit` is at least 0. */
  async search(
    query: string,
    limit: number,
    filter: SearchFilter = {},
    match: RankedMatch = "auto",
  ): Promise<SearchOutcome> {
    const matched = match === "any" ? "any" : "all";
    const { clauses, problems } = await this.read(query, matched);
    const { found, wide } = await this.bestOf(clauses, limit, filter);
    const outcome = { found, matched, problems: problemSentences(query, [...problems, ...wide]) } as const;
    if (match !== "auto" || outcome.found.length > 0) return outcome;
    if (!combinesWords(query)) return outcome;
    const loose = await this.bestOf((await this.read(query, "any")).clauses, limit, filter);
    return loose.found.length === 0 ? outcome : { ...outcome, found: loose.found, matched: "any" };
  }

  private async bestOf(clauses: readonly Clause[], limit: number, filter: SearchFilter): Promise<Ranked> {
    if (clauses.length === 0 || limit <= 0) return { found: [], wide: [] };
    const asked = await this.rangeQuery(clauses, filter);
    const rows = await this.selectFolded(asked, limit);
    const documents = Uint32Array.from(rows.documents);
    const snippets = await this.snippetsOf(clauses, documents);
    const repeats = await this.repeatsOf(asked, rows);
    return {
      wide: await this.wideWildcards(asked),
      found: Array.from(documents, (document, at) => ({
        document,
        score: rows.keys[at]!,
        snippet: snippets[at]!,
        repeats: repeats[at]!,
      })),
    };
  }

  /** Only the best of the messages with the same text. */
  private async selectFolded(query: RangeQuery, limit: number): Promise<OrderedRows> {
    for (let asked = limit + MORE_FOR_REPEATS; ; asked *= FURTHER_FACTOR) {
      const rows = await this.select(query, asked);
      const firsts = firstOfTexts(rows.texts);
      if (firsts.length >= limit || rows.documents.length < asked) return rowsAt(rows, firsts.slice(0, limit));
    }
  }

  /** For each message, the other matching messages with the same text, ascending. */
  async repeatsOf(
    query: RangeQuery,
    { documents, texts }: { readonly documents: ArrayLike<number>; readonly texts: ArrayLike<number> },
  ): Promise<readonly (readonly number[])[]> {
    const wanted = Array.from(new Set(Array.from(texts))).filter((text) => text !== 0);
    const parts = wanted.length === 0 ? [] : await Promise.all(this.ranges.map((range) => range.saying(query, wanted)));
    const saying = new Map(wanted.map((text): [number, number[]] => [text, []]));
    for (const part of parts) for (let at = 0; at < part.length; at += 2) saying.get(part[at]!)!.push(part[at + 1]!);
    return Array.from(texts, (text, at) => (saying.get(text) ?? []).filter((other) => other !== documents[at]));
  }

  /**
   * Numbers of all matching messages, ascending; verifies phrases in every candidate. For an empty query only the
   * filter decides.
   */
  async matching(query: string, filter: SearchFilter = {}, match: WordMatch = "all"): Promise<readonly number[]> {
    const { clauses } = await this.read(query, match);
    if (clauses.length === 0 && query.trim() !== "") return [];
    return this.fitting(await this.rangeQuery(clauses, filter));
  }

  /** Numbers of all matching messages, ascending like the ranges. */
  async fitting(query: RangeQuery): Promise<readonly number[]> {
    const parts = await Promise.all(this.ranges.map((range) => range.fitting(query)));
    return parts.flatMap((part) => Array.from(part));
  }

  /** Cuts snippets for a query. */
  async snippetsOf(clauses: readonly Clause[], documents: Uint32Array): Promise<readonly string[]> {
    const [ofBodies, ofFiles] = [new SnippetRenderer(snippetTerms(clauses)), new SnippetRenderer(fileTerms(clauses))];
    const snippets: string[] = [];
    const unmarked = new Map<number, number>();
    const look = (document: number, text: IndexedText): boolean => {
      const body = text.body();
      const own = body === null ? "" : ofBodies.renderAuthor(body);
      if (!ofFiles.isMarked(own, text)) unmarked.set(document, snippets.length);
      snippets.push(own);
      return true;
    };
    await readTexts(this.source, documents, look, SUBJECTS_ALONE);
    const lookInFiles = (document: number, text: IndexedText): boolean => {
      const at = unmarked.get(document)!;
      snippets[at] = ofFiles.renderFile(text.files()) ?? snippets[at]!;
      return true;
    };
    await readTexts(this.source, Uint32Array.from(unmarked.keys()), lookInFiles, FILES_ALONE);
    return snippets;
  }

  private async select(query: RangeQuery, limit: number): Promise<OrderedRows> {
    const phrases = this.phrasesOf(query.clauses);
    if (phrases.length === 0) return this.candidates(query, limit);
    for (let most = FIRST_VERIFIED; ; most *= FURTHER_FACTOR) {
      const candidates = await this.candidates(query, most);
      const places = await this.placesWithPhrases(phrases, candidates, limit);
      if (places.length >= limit || candidates.documents.length < most) return rowsAt(candidates, places);
    }
  }

  /** Positions of the first `limit` candidates that match all phrases; reads the texts of candidates until then. */
  private async placesWithPhrases(
    phrases: readonly AskedPhrase[],
    candidates: OrderedRows,
    limit: number,
  ): Promise<readonly number[]> {
    const { documents, extras } = candidates;
    const places: number[] = [];
    let next = 0;
    /** Advances to the next message whose text must be read; returns false if none must. */
    const advance = (): boolean => {
      for (; next < documents.length && places.length < limit; next++) {
        const fits = fitsPhrases(phrases, documents[next]!);
        if (fits === null) return true;
        if (fits) places.push(next);
      }
      return false;
    };
    if (!advance()) return places;
    const unread = Uint32Array.from(documents.filter((document) => fitsPhrases(phrases, document) === null));
    const bits = new Map<number, number>();
    for (const [at, document] of documents.entries()) if (extras[at] !== 0) bits.set(document, extras[at]!);
    const partsOf = phrases.map((_, at) => partsAsked(at, bits));
    const look = (document: number, text: IndexedText): boolean => {
      verifyPhrases(phrases, document, text, partsOf);
      return advance();
    };
    await readTexts(this.source, unread, look, {
      isSubjectRead: (document) => partsOf.some((parts) => parts.isSubjectRead(document)),
      areFilesRead: (document) => partsOf.some((parts) => parts.areFilesRead(document)),
    });
    return places;
  }

  /** The phrases of a query in the order of its plan. For groups, every candidate was read before ranking. */
  private phrasesOf(clauses: readonly Clause[]): readonly AskedPhrase[] {
    if (!isFlat(clauses)) return [];
    return clauses.flatMap((clause) => {
      if (clause.kind !== "phrase") return [];
      const isExcluded = clause.demand === "excluded";
      return [{ matcher: new PhraseMatcher(clause), isExcluded, states: this.phrases.of(clause) }];
    });
  }

  private async candidates(query: RangeQuery, limit: number): Promise<OrderedRows> {
    const parts = await Promise.all(this.ranges.map((range) => range.rank(query, limit)));
    return mergeRanked(
      parts.filter((part) => part !== null),
      limit,
    );
  }
}

/** True if a query has several words that may be alternatives. */
function combinesWords(query: string): boolean {
  const { clauses } = parseQuery(query, "any");
  return clauses.some(({ demand, kind }) => kind === "group" || (demand === "optional" && clauses.length > 1));
}

/** The best of all ranges: messages with words of the query, then others if there are too few. */
export function mergeRanked(parts: readonly RankedRange[], limit: number): OrderedRows {
  const ranked = mergeRows(
    parts.map((part) => part.ranked),
    limit,
  );
  const left = limit - ranked.documents.length;
  const rest =
    left === 0
      ? NO_ROWS
      : mergeRows(
          parts.map((part) => part.rest),
          left,
        );
  return joinRows(ranked, rest);
}

/** A phrase to verify in the texts of the best candidates. */
interface AskedPhrase {
  readonly matcher: PhraseMatcher;
  readonly isExcluded: boolean;
  readonly states: PhraseStates;
}

/** Returns null if the text must be read. */
function fitsPhrases(phrases: readonly AskedPhrase[], document: number): boolean | null {
  let fits: boolean | null = true;
  for (const { isExcluded, states } of phrases) {
    const state = states.get(document);
    if (state === 0) fits = null;
    else if ((state === HOLDS) === isExcluded) return false;
  }
  return fits;
}

/** Sets the unknown states of a message, up to the first phrase that rules it out. */
function verifyPhrases(
  phrases: readonly AskedPhrase[],
  document: number,
  text: IndexedText,
  partsOf: readonly TextParts[],
): void {
  for (const [at, { matcher, isExcluded, states }] of phrases.entries()) {
    if (states.get(document) === 0)
      states.set(document, holdsPhrase(matcher, { document, text, parts: partsOf[at]! }) ? HOLDS : LACKS);
    if ((states.get(document) === HOLDS) === isExcluded) return;
  }
}

/** Few other parts contain the words of a phrase. @param bitsOf bits of those that do, by message */
function partsAsked(phrase: number, bitsOf: ReadonlyMap<number, number>): TextParts {
  const isUnknown = phrase >= SUBJECT_CHECKS;
  const isSet = (document: number, bit: number): boolean => ((bitsOf.get(document) ?? 0) & (1 << bit)) !== 0;
  return {
    isSubjectRead: (document) => isUnknown || isSet(document, phrase),
    areFilesRead: (document) => isUnknown || isSet(document, SUBJECT_CHECKS + phrase),
  };
}
