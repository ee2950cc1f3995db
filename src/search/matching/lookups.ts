import type { SearchFilter } from "../../mail/archive.ts";
import { ordinalOf } from "../../mail/records/ids.ts";
import { fieldTerm, type SearchField } from "../indexing/search-field.ts";
import type { Addressee, ContactRole, Lookups } from "../indexing/search-source.ts";
import { isPattern } from "../indexing/term-pattern.ts";
import { type Clause, type Leaf, leavesOf } from "../query/query-syntax.ts";
import type { SnippetTerms } from "../ranking/snippet.ts";

type FieldLeaf = Leaf & { readonly kind: "field" };

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

/** The words and patterns of a query that rank: those of whatever is not excluded, in however many groups. */
export function rankedTokens(clauses: readonly Clause[]): readonly string[] {
  return clauses.flatMap((clause): readonly string[] => {
    if (clause.demand === "excluded" || clause.kind === "field" || clause.kind === "date") return [];
    return clause.kind === "group" ? clause.alternatives.flatMap(rankedTokens) : clause.tokens;
  });
}

/** What snippets of a query mark. */
export function snippetTerms(clauses: readonly Clause[]): SnippetTerms {
  return termsOf(rankedTokens(clauses));
}

/** What snippets mark in files: the same, and the words that only files are asked for. */
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

/** What it takes to rank messages by the words of a query. */
export function askedToRank(clauses: readonly Clause[]): Lookups {
  return new Asked().addTerms(rankedTokens(clauses)).lookups();
}

/** What it takes to find the messages of a query and to rank them. */
export function askedToMatch(clauses: readonly Clause[], filter: SearchFilter = {}): Lookups {
  return new Asked().addFilter(filter).addMatched(leavesOf(clauses)).lookups();
}

/** Collects look-ups, each once. */
class Asked {
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
      if (leaf.kind === "field") this.addField(leaf);
      else if (leaf.kind !== "date") this.addTerms(leaf.tokens);
      if (leaf.kind === "phrase") this.addFieldTerms("subject", leaf.tokens);
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

  private addFieldTerms(field: SearchField, tokens: readonly string[]): void {
    this.addTerms(tokens.map((token) => fieldTerm(field, token)));
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
