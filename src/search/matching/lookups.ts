import type { SearchFilter } from "../../mail/archive.ts";
import { fieldTerm, type SearchField } from "../indexing/search-field.ts";
import type { Addressee, Lookups } from "../indexing/search-source.ts";
import { isPattern } from "../indexing/term-pattern.ts";
import { type Clause, type Leaf, leavesOf } from "../query/query-syntax.ts";
import type { SnippetTerms } from "../ranking/snippet.ts";
import { type FieldLookups, QUERIED_FIELDS } from "./queried-fields.ts";

/** The words and patterns of a query that rank: all in clauses that are not excluded, at any depth of groups. */
export function rankedTokens(clauses: readonly Clause[]): readonly string[] {
  return clauses.flatMap((clause): readonly string[] => {
    if (clause.demand === "excluded" || clause.kind === "field" || clause.kind === "date") return [];
    return clause.kind === "group" ? clause.alternatives.flatMap(rankedTokens) : clause.tokens;
  });
}

/** Words that snippets highlight. */
export function snippetTerms(clauses: readonly Clause[]): SnippetTerms {
  return termsOf(rankedTokens(clauses));
}

/** Terms that snippets highlight in attachments: the same, and words that only attachments must contain. */
export function fileTerms(clauses: readonly Clause[]): SnippetTerms {
  const asked = leavesOf(clauses).flatMap((leaf) =>
    leaf.kind === "field" && leaf.field === "attachment" && leaf.demand !== "excluded" ? leaf.tokens : [],
  );
  return termsOf([...rankedTokens(clauses), ...asked]);
}

function termsOf(words: readonly string[]): SnippetTerms {
  const different = [...new Set(words)];
  return { tokens: different.filter((word) => !isPattern(word)), patterns: different.filter(isPattern) };
}

/** Lookups for finding and ranking the messages of a query. */
export function lookupsForMatch(clauses: readonly Clause[], filter: SearchFilter = {}): Lookups {
  return new Asked().addFilter(filter).addMatched(leavesOf(clauses)).lookups();
}

/** Fields that phrases are searched in, besides the body. */
const PHRASE_FIELDS = ["subject", "attachment"] as const;

/** Collects distinct lookups. */
class Asked implements FieldLookups {
  private readonly terms = new Set<string>();
  private readonly patterns = new Set<string>();
  private readonly addresses = new Set<string>();
  private readonly addressees: Addressee[] = [];
  private readonly threads = new Set<number>();
  private readonly messageIds = new Set<string>();
  private readonly files = new Set<string>();
  private readonly topics: (readonly string[])[] = [];

  addFilter({ from }: SearchFilter): this {
    if (from !== undefined) this.addresses.add(from);
    return this;
  }

  addMatched(leaves: readonly Leaf[]): this {
    for (const leaf of leaves) {
      if (leaf.kind === "field") QUERIED_FIELDS[leaf.field].lookUp(leaf, this);
      else if (leaf.kind !== "date") this.addTerms(leaf.tokens);
      if (leaf.kind === "phrase") for (const field of PHRASE_FIELDS) this.addFieldTerms(field, leaf.tokens);
    }
    return this;
  }

  lookups(): Lookups {
    return {
      terms: [...this.terms],
      patterns: [...this.patterns],
      addresses: [...this.addresses],
      addressees: this.addressees,
      threads: [...this.threads],
      messageIds: [...this.messageIds],
      files: [...this.files],
      topics: this.topics,
    };
  }

  addTerms(terms: readonly string[]): this {
    for (const term of terms) (isPattern(term) ? this.patterns : this.terms).add(term);
    return this;
  }

  addFieldTerms(field: SearchField, tokens: readonly string[]): void {
    this.addTerms(tokens.map((token) => fieldTerm(field, token)));
  }

  addAddress(address: string): void {
    this.addresses.add(address);
  }

  addAddressee(addressee: Addressee): void {
    this.addressees.push(addressee);
  }

  addThread(ordinal: number): void {
    this.threads.add(ordinal);
  }

  addMessageId(id: string): void {
    this.messageIds.add(id);
  }

  addFile(sha256: string): void {
    this.files.add(sha256);
  }

  addTopic(words: readonly string[]): void {
    this.topics.push(words);
  }
}
