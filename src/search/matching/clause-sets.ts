import { REDACTION_OPENING } from "../../mail/records/provenance.ts";
import { addTo, countOfSet, type DocumentSet, documentsOf, listed, where, wordsOf } from "../indexing/document-set.ts";
import { type IndexedTerm, type QueryIndex, visitTerm } from "../indexing/indexed-term.ts";
import { markPostings } from "../indexing/posting-codec.ts";
import { readTexts } from "../indexing/read-texts.ts";
import { fieldTerm, type SearchField } from "../indexing/search-field.ts";
import { type IndexedText, type SearchSource, SUBJECTS_ALONE, type TextParts } from "../indexing/search-source.ts";
import { runStep } from "../indexing/search-turns.ts";
import { type Phrase, PhraseMatcher } from "../query/phrase.ts";
import { type Clause, type Group, type Leaf, leavesOf } from "../query/query-syntax.ts";
import { matchField, type PhraseField } from "./field-phrases.ts";
import {
  HOLDS,
  holdsPhrase,
  LACKS,
  type PhraseMemory,
  type PhraseStates,
  phraseKey,
  searchedParts,
} from "./phrase-memory.ts";
import { isPlainPhrase, PhraseSet } from "./phrase-set.ts";
import { type FieldSets, QUERIED_FIELDS } from "./queried-fields.ts";

type PhraseLeaf = Leaf & { readonly kind: "phrase" };
type Words = readonly string[];

/** All messages that can be found. */
export function allDocuments({ columns, firstDocument, dead }: SearchSource): DocumentSet {
  const set = new Uint8Array(columns.lengths.length).fill(1, firstDocument);
  for (const document of dead) set[document] = 0;
  return set;
}

/** Evaluates the parts of a query without ranking. */
export class ClauseSets implements FieldSets {
  /** Results of phrases of this query, which may exceed the cache. */
  private readonly known = new Map<string, PhraseStates>();

  /** @param index results of the lookups from `lookupsForMatch` @param phrases of the source */
  constructor(
    readonly source: SearchSource,
    readonly index: QueryIndex,
    private readonly phrases: PhraseMemory,
  ) {}

  /**
   * Messages of `within` that match all conditions. If there are words that only rank, a message must contain one of
   * them or of the required ones. No clauses match everything. Groups and phrases come last, when few messages remain
   * to be read.
   */
  async matching(clauses: readonly Clause[], within: DocumentSet): Promise<DocumentSet> {
    const conditions = clauses.filter(({ demand }) => demand !== "optional");
    const words = conditions.flatMap((clause) => (isRequiredWords(clause) ? clause.tokens : []));
    let set = await this.withTokens(words, within);
    const others = conditions.filter((clause) => !isRequiredWords(clause));
    for (const clause of others.sort((left, right) => COSTS[left.kind] - COSTS[right.kind])) {
      const held = await this.holding(clause, set);
      set = clause.demand === "excluded" ? without(set, held) : held;
    }
    const ranked = clauses.filter(({ demand }) => demand === "optional");
    const isWordSure = conditions.some(
      ({ kind, demand }) => demand === "required" && (kind === "words" || kind === "phrase"),
    );
    return ranked.length === 0 || isWordSure ? set : this.union(ranked, set);
  }

  /** Those of a list of few messages that match all conditions, ascending. @param documents ascending */
  async matchingOf(clauses: readonly Clause[], documents: Uint32Array): Promise<Uint32Array> {
    if (!clauses.every(isRequiredWords)) {
      const within = new Uint8Array(this.source.columns.lengths.length);
      for (const document of documents) within[document] = 1;
      return documentsOf(await this.matching(clauses, within));
    }
    const terms = clauses.flatMap(({ tokens }) => tokens.map((token) => this.index.find(token)));
    return fewWithTerms(terms, documents);
  }

  /** Number of messages that match each clause. */
  async counts(clauses: readonly Clause[]): Promise<readonly number[]> {
    const all = allDocuments(this.source);
    await this.readPhrases(leavesOf(clauses).filter(isPhrase), all);
    const counts: number[] = [];
    for (const clause of clauses) counts.push(countOfSet(await this.holding(clause, all)));
    return counts;
  }

  /** The messages of `within` that match a clause, included or excluded. */
  async holding(clause: Clause, within: DocumentSet): Promise<DocumentSet> {
    switch (clause.kind) {
      case "group":
        return this.ofGroup(clause, within);
      case "words":
        return clause.demand === "optional" ? this.union([clause], within) : this.withTokens(clause.tokens, within);
      case "phrase":
        return this.withPhrase(clause, within);
      case "date": {
        const { sentAt } = this.source.columns;
        const { first, last } = clause;
        return runStep(() => where(within, (document) => sentAt[document]! >= first && sentAt[document]! <= last));
      }
      case "field":
        return QUERIED_FIELDS[clause.field].match(clause, within, this);
    }
  }

  private async ofGroup({ alternatives }: Group, within: DocumentSet): Promise<DocumentSet> {
    const found = new Uint8Array(within.length);
    const alone = alternatives.flatMap((clauses) => (clauses.length === 1 ? clauses : [])).filter(isPhrase);
    await this.readPhrases(alone, within);
    for (const alternative of alternatives) addTo(found, await this.matching(alternative, within));
    return found;
  }

  /** Messages that contain a word or phrase of any of the clauses. */
  private async union(clauses: readonly Clause[], within: DocumentSet): Promise<DocumentSet> {
    const found = new Uint8Array(within.length);
    for (const clause of clauses)
      if (clause.kind === "words")
        for (const token of clause.tokens) await runStep(() => addTerm(found, this.index.find(token)));
    const set = both(found, within);
    const phrases = clauses.filter(isPhrase);
    await this.readPhrases(phrases, without(within, set));
    for (const phrase of phrases) addTo(set, await this.withPhrase(phrase, without(within, set)));
    return set;
  }

  private withTokens(tokens: Words, within: DocumentSet): Promise<DocumentSet> {
    return this.withAll(
      tokens.map((token) => this.index.find(token)),
      within,
    );
  }

  private async withAll(terms: readonly (IndexedTerm | null)[], within: DocumentSet): Promise<DocumentSet> {
    const found = terms.filter((term) => term !== null);
    if (found.length < terms.length) return new Uint8Array(within.length);
    if (found.length === 0) return within;
    // Rare terms first, so that few messages remain.
    const [rarest, ...others] = found.sort((left, right) => left.documentFrequency - right.documentFrequency);
    if (countOfSet(within) * SPARSE < within.length) return this.withAllOfFew(found, within);
    const set = new Uint8Array(within);
    await runStep(() => keepWithTerm(rarest!, set));
    if (rarest!.documentFrequency * SPARSE < set.length) return this.withAllOfFew(others, set);
    for (const term of others) await runStep(() => keepWithTerm(term, set));
    return set;
  }

  private async withAllOfFew(terms: readonly IndexedTerm[], within: DocumentSet): Promise<DocumentSet> {
    return listed(await fewWithTerms(terms, documentsOf(within)), within);
  }

  private async withPhrase(phrase: Phrase, within: DocumentSet): Promise<DocumentSet> {
    const matcher = new PhraseMatcher(phrase);
    const { candidates, known, unread, subjects, files } = await this.unreadOf(phrase, within);
    const parts = partsIn(subjects, files);
    const look = (document: number, text: IndexedText): boolean => {
      known.set(document, holdsPhrase(matcher, { document, text, parts }) ? HOLDS : LACKS);
      return true;
    };
    await readTexts(this.source, documentsOf(unread), look, parts);
    return runStep(() => where(candidates, (document) => known.get(document) === HOLDS));
  }

  /** The messages of `within` with all words of a phrase, and those still unread: few have them in other parts. */
  private async unreadOf(phrase: Phrase, within: DocumentSet): Promise<UnreadMessages> {
    const different = Array.from(new Set(phrase.tokens));
    const candidates = await this.withTokens(different, within);
    const known = this.knownOf(phrase);
    const unread = await runStep(() => where(candidates, (document) => known.get(document) === 0));
    const subjects = await this.withTerms("subject", different, unread);
    return { candidates, known, unread, subjects, files: await this.withTerms("attachment", different, unread) };
  }

  /** Reads each text that may contain phrases once, for all of them. */
  private async readPhrases(phrases: readonly Phrase[], within: DocumentSet): Promise<void> {
    const different = [...new Map(phrases.filter(isPlainPhrase).map((phrase) => [phraseKey(phrase), phrase])).values()];
    if (different.length < 2) return;
    const [unread, subjects] = [new Uint8Array(within.length), new Uint8Array(within.length)];
    const files = new Uint8Array(within.length);
    for (const phrase of different) {
      const asked = await this.unreadOf(phrase, within);
      addTo(unread, asked.unread);
      addTo(subjects, asked.subjects);
      addTo(files, asked.files);
    }
    const known = different.map((phrase) => this.knownOf(phrase));
    const set = new PhraseSet(different, (token) => this.index.find(token)?.documentFrequency ?? 0);
    const held = new Uint8Array(different.length);
    const parts = partsIn(subjects, files);
    const look = (document: number, text: IndexedText): boolean => {
      held.fill(0);
      for (const part of searchedParts({ document, text, parts })) set.mark(part, held);
      for (const [at, messages] of known.entries())
        if (messages.get(document) === 0) messages.set(document, held[at] === 1 ? HOLDS : LACKS);
      return true;
    };
    await readTexts(this.source, documentsOf(unread), look, parts);
  }

  private knownOf(phrase: Phrase, field: PhraseField | null = null): PhraseStates {
    const key = phraseKey(phrase, field);
    const known = this.known.get(key) ?? this.phrases.of(phrase, field);
    this.known.set(key, known);
    return known;
  }

  async withPhraseIn(field: PhraseField, phrase: Phrase, within: DocumentSet): Promise<DocumentSet> {
    const candidates = await this.withTerms(field, phrase.tokens, within);
    if (phrase.tokens.length === 1 && phrase.signs.length === 0) return candidates;
    const known = this.knownOf(phrase, field);
    const unread = documentsOf(await runStep(() => where(candidates, (document) => known.get(document) === 0)));
    await matchField(this.source, unread, { field, phrase }, (document, isHeld) =>
      known.set(document, isHeld ? HOLDS : LACKS),
    );
    return runStep(() => where(candidates, (document) => known.get(document) === HOLDS));
  }

  /** Messages with a gap in subject or text: few others contain its word, and their texts are read. */
  async withGaps(tokens: Words, within: DocumentSet): Promise<DocumentSet> {
    const candidates = await this.withTokens(tokens, within);
    return this.whereText(candidates, (text) => {
      const body = text.body();
      return (body !== null && holdsGap(body)) || holdsGap(text.subject());
    });
  }

  private async whereText(candidates: DocumentSet, holds: (text: IndexedText) => boolean): Promise<DocumentSet> {
    const found = new Uint8Array(candidates.length);
    await readTexts(
      this.source,
      documentsOf(candidates),
      (document, text) => {
        found[document] = holds(text) ? 1 : 0;
        return true;
      },
      SUBJECTS_ALONE,
    );
    return found;
  }

  withTerms(field: SearchField, tokens: Words, within: DocumentSet): Promise<DocumentSet> {
    return this.withAll(
      Array.from(new Set(tokens), (token) => this.index.find(fieldTerm(field, token))),
      within,
    );
  }
}

/** Texts still to be read for a phrase. */
interface UnreadMessages {
  readonly candidates: DocumentSet;
  readonly known: PhraseStates;
  readonly unread: DocumentSet;
  /** Those with all words in the subject, and in attachments. */
  readonly subjects: DocumentSet;
  readonly files: DocumentSet;
}

/** The parts of each message that are read for a phrase. */
function partsIn(subjects: DocumentSet, files: DocumentSet): TextParts {
  return {
    isSubjectRead: (document) => subjects[document] === 1,
    areFilesRead: (document) => files[document] === 1,
  };
}

function isRequiredWords(clause: Clause): clause is Leaf & { readonly kind: "words" } {
  return clause.kind === "words" && clause.demand === "required";
}

function isPhrase(clause: Clause): clause is PhraseLeaf {
  return clause.kind === "phrase";
}

const GAP = Buffer.from(REDACTION_OPENING);

function holdsGap(text: Uint8Array): boolean {
  return Buffer.from(text.buffer, text.byteOffset, text.byteLength).includes(GAP);
}

/** Order of conditions: postings and columns, then combinations, then texts. */
const COSTS: Readonly<Record<Clause["kind"], number>> = { words: 0, field: 0, date: 0, group: 1, phrase: 2 };

function addTerm(set: DocumentSet, term: IndexedTerm | null): void {
  if (term === null) return;
  visitTerm(term, (document) => {
    set[document] = 1;
  });
}

/** With one of so many messages in a set, a list of them is faster. */
const SPARSE = 64;

/** The messages with all terms; null is a term that no message has. @param documents ascending */
async function fewWithTerms(terms: readonly (IndexedTerm | null)[], documents: Uint32Array): Promise<Uint32Array> {
  let found = documents;
  for (const term of terms) {
    if (found.length === 0 || term === null) return new Uint32Array(0);
    found = await runStep(() => listedWithTerm(term, found));
  }
  return found;
}

/** The messages with a term. @param documents ascending */
function listedWithTerm(term: IndexedTerm, documents: Uint32Array): Uint32Array {
  const { column, lists } = term;
  if (column !== null) return documents.filter((document) => column.frequencies[document] !== 0);
  const held = new Uint8Array(documents.length);
  for (const list of lists) markPostings(list, documents, held);
  return documents.filter((_, at) => held[at] === 1);
}

/** Removes the messages without a term: a new set per term would cost more than the term. */
function keepWithTerm(term: IndexedTerm, set: DocumentSet): void {
  if (term.column !== null) keepHeld(term.column.frequencies, set);
  else {
    visitTerm(term, (document) => {
      if (set[document] === 1) set[document] = 2;
    });
    keepMarked(set);
  }
}

/**
 * Without a call per message, since a common word is in most of them. Skips four messages outside the set in one step.
 */
function keepHeld(frequencies: Uint8Array, set: DocumentSet): void {
  const words = wordsOf(set);
  for (let at = 0; at < words.length; at++) {
    if (words[at] === 0) continue;
    for (let document = 4 * at; document < 4 * at + 4; document++) if (frequencies[document] === 0) set[document] = 0;
  }
  for (let document = 4 * words.length; document < set.length; document++)
    if (frequencies[document] === 0) set[document] = 0;
}

/** Keeps the messages marked with 2, and sets them to 1. */
function keepMarked(set: DocumentSet): void {
  const words = wordsOf(set);
  for (let at = 0; at < words.length; at++) if (words[at] !== 0) words[at] = (words[at]! >>> 1) & 0x01010101;
  for (let document = 4 * words.length; document < set.length; document++) set[document]! >>= 1;
}

function both(left: DocumentSet, right: DocumentSet): DocumentSet {
  return where(left, (document) => right[document] === 1);
}

function without(set: DocumentSet, left: DocumentSet): DocumentSet {
  return where(set, (document) => left[document] === 0);
}
