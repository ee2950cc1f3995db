import type { SearchFilter } from "../mail/archive.ts";
import { ordinalOf } from "../mail/ids.ts";
import { type Clause, type Leaf, leavesOf } from "./query-syntax.ts";
import { fieldTerm, type SearchField } from "./search-field.ts";
import type { Addressee, ContactRole, Lookups, TermPrefix } from "./search-source.ts";
import type { SnippetTerms } from "./snippet.ts";

/** Terms a prefix stands for where it ranks: the ones in most messages. */
const RANKED_PREFIX_TERMS = 32;
/** Terms that a prefix stands for where nothing is ranked: each one left out would show. */
const MATCHED_PREFIX_TERMS = 1000;
/**
 * Prefixes of a query that are expanded to rank; further ones are searched as words. Each reads a stretch of the
 * dictionary.
 */
const MAX_RANKED_PREFIXES = 8;

type FieldLeaf = Leaf & { readonly kind: "field" };
type PrefixLeaf = Leaf & { readonly kind: "prefix" };

/** Parts of a message that a person may be named in, by the operators that ask for people. */
const ROLES_OF: Readonly<Partial<Record<FieldLeaf["field"], readonly ContactRole[]>>> = {
  from: ["from"],
  to: ["to"],
  cc: ["cc"],
  person: ["from", "to", "cc"],
  list: ["to", "cc", "from"],
};

/** The kind of what a mailing list sent. */
export const LIST_KIND: readonly string[] = ["list"];

export function rankedPrefix({ tokens }: PrefixLeaf): TermPrefix {
  return { prefix: tokens[0]!, limit: RANKED_PREFIX_TERMS };
}

export function matchedPrefix({ tokens }: PrefixLeaf): TermPrefix {
  return { prefix: tokens[0]!, limit: MATCHED_PREFIX_TERMS };
}

/** Prefixes that are too many as words. */
export function boundPrefixes(leaves: readonly Leaf[]): readonly Leaf[] {
  const prefixes = new Set<string>();
  return leaves.map((leaf): Leaf => {
    if (leaf.kind !== "prefix") return leaf;
    if (prefixes.size >= MAX_RANKED_PREFIXES) return { ...leaf, kind: "words" };
    if (leaf.demand !== "excluded") prefixes.add(leaf.tokens[0]!);
    return leaf;
  });
}

/** Who an operator names: a contact by its id, or an address; null for anything else. */
export function personNamed({ text }: FieldLeaf): number | string | null {
  return ordinalOf("contact", text.toLowerCase()) ?? (text.includes("@") ? text : null);
}

/** Where the person that an operator names may stand; null for operators of other things. */
export function rolesOf({ field }: FieldLeaf): readonly ContactRole[] | null {
  return ROLES_OF[field] ?? null;
}

/** Topics that a condition names by words; null where it names one by its id. */
export function topicWords({ text, tokens }: FieldLeaf): readonly string[] | null {
  return ordinalOf("topic", text.toLowerCase()) === null ? tokens : null;
}

/** The parts of a query that rank: the words of whatever is not excluded, in however many groups. */
export function rankedLeaves(clauses: readonly Clause[]): readonly Leaf[] {
  return boundPrefixes(wordsIn(clauses));
}

function wordsIn(clauses: readonly Clause[]): Leaf[] {
  return clauses.flatMap((clause): Leaf[] => {
    if (clause.demand === "excluded" || clause.kind === "field" || clause.kind === "date") return [];
    if (clause.kind === "group") return clause.alternatives.flatMap(wordsIn);
    return [clause.kind === "phrase" ? { ...clause, kind: "words" } : clause];
  });
}

/** What snippets of a query mark. */
export function snippetTerms(clauses: readonly Clause[]): SnippetTerms {
  const leaves = rankedLeaves(clauses);
  const tokensIn = (wanted: Leaf["kind"]): string[] =>
    leaves.flatMap((leaf) => (leaf.kind === wanted && "tokens" in leaf ? leaf.tokens : []));
  return { tokens: [...new Set(tokensIn("words"))], prefixes: [...new Set(tokensIn("prefix"))] };
}

/** What snippets mark in files: the same, and the words that only files are asked for. */
export function fileTerms(clauses: readonly Clause[]): SnippetTerms {
  const { tokens, prefixes } = snippetTerms(clauses);
  const asked = leavesOf(clauses).flatMap((leaf) =>
    leaf.kind === "field" && leaf.field === "attachment" && leaf.demand !== "excluded" ? leaf.tokens : [],
  );
  return { tokens: [...new Set([...tokens, ...asked])], prefixes };
}

export const NOTHING_ASKED: Lookups = {
  terms: [],
  prefixes: [],
  addresses: [],
  addressees: [],
  threads: [],
  messageIds: [],
  files: [],
  topics: [],
};

/** What it takes to rank messages by the words of a query. */
export function askedToRank(clauses: readonly Clause[]): Lookups {
  return new Asked().addRanked(rankedLeaves(clauses)).lookups();
}

/** What it takes to tell which messages a query is true of. */
export function askedToMatch(clauses: readonly Clause[], filter: SearchFilter = {}): Lookups {
  return new Asked().addFilter(filter).addMatched(leavesOf(clauses)).lookups();
}

/** What it takes to do both. */
export function askedToFind(clauses: readonly Clause[], filter: SearchFilter = {}): Lookups {
  return new Asked().addFilter(filter).addMatched(leavesOf(clauses)).addRanked(rankedLeaves(clauses)).lookups();
}

/** What it takes to plan clauses that are no groups. */
export function askedToPlan(leaves: readonly Leaf[], filter: SearchFilter): Lookups {
  const bound = boundPrefixes(leaves);
  const isMatched = ({ kind, demand }: Leaf): boolean => kind !== "prefix" || demand === "excluded";
  const asked = new Asked().addFilter(filter).addMatched(bound.filter(isMatched));
  return asked.addRanked(bound.filter((leaf) => !isMatched(leaf))).lookups();
}

/** Collects look-ups, each once. */
class Asked {
  private readonly terms = new Set<string>();
  private readonly prefixes = new Map<string, TermPrefix>();
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

  addRanked(leaves: readonly Leaf[]): this {
    for (const leaf of leaves) {
      if (leaf.kind === "prefix") this.addPrefix(rankedPrefix(leaf));
      else if (leaf.kind === "words") this.addTerms(leaf.tokens);
    }
    return this;
  }

  addMatched(leaves: readonly Leaf[]): this {
    for (const leaf of leaves) {
      if (leaf.kind === "field") this.addField(leaf);
      else if (leaf.kind === "prefix") this.addPrefix(matchedPrefix(leaf));
      else if (leaf.kind !== "date") this.addTerms(leaf.tokens);
      if (leaf.kind === "phrase") this.addFieldTerms("subject", leaf.tokens);
    }
    return this;
  }

  lookups(): Lookups {
    return {
      terms: [...this.terms],
      prefixes: [...this.prefixes.values()],
      addresses: [...this.addresses],
      addressees: this.addressees,
      threads: [...this.threads],
      messageIds: [...this.messageIds],
      files: [...this.files],
      topics: this.topics,
    };
  }

  private addTerms(terms: readonly string[]): void {
    for (const term of terms) this.terms.add(term);
  }

  private addFieldTerms(field: SearchField, tokens: readonly string[]): void {
    for (const token of tokens) this.terms.add(fieldTerm(field, token));
  }

  private addPrefix(prefix: TermPrefix): void {
    this.prefixes.set(`${prefix.prefix}*${prefix.limit}`, prefix);
  }

  private addField(leaf: FieldLeaf): void {
    const roles = rolesOf(leaf);
    if (roles !== null) this.addPerson(leaf, roles);
    switch (leaf.field) {
      case "topic": {
        const words = topicWords(leaf);
        if (words !== null) this.topics.push(words);
        break;
      }
      case "thread":
        this.threads.add(ordinalOf("thread", leaf.text)!);
        break;
      case "id":
        this.messageIds.add(leaf.text);
        break;
      case "file":
        this.files.add(leaf.text);
        break;
      case "redacted":
        this.addTerms(leaf.tokens);
        break;
      case "list":
        this.addFieldTerms("kind", LIST_KIND);
        break;
      case "subject":
      case "filename":
      case "attachment":
      case "has":
      case "kind":
        this.addFieldTerms(leaf.field, leaf.tokens);
        break;
    }
  }

  private addPerson(leaf: FieldLeaf, roles: readonly ContactRole[]): void {
    const contact = personNamed(leaf);
    if (typeof contact === "string") this.addresses.add(contact);
    for (const role of roles) {
      if (contact !== null && role !== "from") this.addressees.push({ contact, role });
      if (typeof contact !== "number") this.addFieldTerms(role, leaf.tokens);
    }
  }
}
