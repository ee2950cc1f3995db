import { ordinalOf } from "../../mail/records/ids.ts";
import { byMentionKind, type MentionKind } from "../../mail/records/mention.ts";
import { tokensOf } from "../../text/tokens/tokens.ts";
import { addListed, addTo, type DocumentSet, listed, where } from "../indexing/document-set.ts";
import type { QueryIndex } from "../indexing/indexed-term.ts";
import type { SearchField } from "../indexing/search-field.ts";
import type { Addressee, ContactRole, NamedMailbox, SearchSource } from "../indexing/search-source.ts";
import { matchesToken } from "../indexing/term-pattern.ts";
import { valueTest } from "../indexing/valued-messages.ts";
import type { Phrase } from "../query/phrase.ts";
import type { QueriedField } from "../query/query-operators.ts";
import type { Leaf } from "../query/query-syntax.ts";
import { literalSigns } from "../query/query-tokens.ts";
import type { PhraseField } from "./field-phrases.ts";
import { FACT_TESTS, MARK_TESTS } from "./field-tests.ts";
import { filterPlaces } from "./filter-places.ts";
import { mentionTest } from "./mention-test.ts";
import { resolveSimilar } from "./similar-messages.ts";

type FieldLeaf = Leaf & { readonly kind: "field" };
type Words = readonly string[];

/** Operations by which a field finds its messages. */
export interface FieldSets {
  readonly source: SearchSource;
  readonly index: QueryIndex;
  /** Messages that contain all the tokens in a field of the index. */
  withTerms(field: SearchField, tokens: Words, within: DocumentSet): Promise<DocumentSet>;
  /** Messages with a phrase in one value of a field. */
  withPhraseIn(field: PhraseField, phrase: Phrase, within: DocumentSet): Promise<DocumentSet>;
  /** Messages with a gap that redaction left. */
  withGaps(tokens: Words, within: DocumentSet): Promise<DocumentSet>;
}

/** Collects the index lookups of a query before it is matched. */
export interface FieldLookups {
  addTerms(terms: Words): unknown;
  addFieldTerms(field: SearchField, tokens: Words): void;
  addAddress(address: string): void;
  addAddressee(addressee: Addressee): void;
  addThread(ordinal: number): void;
  addMessageId(id: string): void;
  addFile(sha256: string): void;
  addTopic(words: Words): void;
}

/** A field of an operator: its index lookups, and the messages that match a condition. */
interface QueriedFieldRow {
  lookUp(leaf: FieldLeaf, lookups: FieldLookups): void;
  match(leaf: FieldLeaf, within: DocumentSet, sets: FieldSets): DocumentSet | Promise<DocumentSet>;
}

const NO_LOOKUP: QueriedFieldRow["lookUp"] = () => undefined;

/** Kind of mailing list mail. */
const LIST_KIND: Words = ["list"];

function indexed(field: SearchField): QueriedFieldRow {
  return {
    lookUp: ({ tokens }, lookups) => lookups.addFieldTerms(field, tokens),
    match: ({ tokens }, within, sets) => sets.withTerms(field, tokens, within),
  };
}

/** Words one after another in one value of a field of the index. */
function phrased(field: PhraseField): QueriedFieldRow {
  return {
    ...indexed(field),
    match: (leaf, within, sets) => sets.withPhraseIn(field, phraseOf(leaf), within),
  };
}

function phraseOf({ text, tokens }: FieldLeaf): Phrase {
  return { tokens, signs: literalSigns(text, tokens), distance: null };
}

/** A condition on columns of a message. */
function fact(test: (typeof FACT_TESTS)[keyof typeof FACT_TESTS]): QueriedFieldRow {
  return {
    lookUp: NO_LOOKUP,
    match: async (leaf, within, { source }) => where(within, test(leaf, await source.facts())),
  };
}

/** Messages whose marks pass the test. */
function mark(test: (typeof MARK_TESTS)[keyof typeof MARK_TESTS]): QueriedFieldRow {
  return {
    lookUp: NO_LOOKUP,
    match: async (leaf, within, { source }) => where(within, test(leaf, await source.marked())),
  };
}

/** A condition on mentions of a kind. */
function mentioned(kind: MentionKind): QueriedFieldRow {
  return {
    lookUp: NO_LOOKUP,
    match: async (leaf, within, { source }) => where(within, mentionTest(kind, leaf, await source.mentions(kind))),
  };
}

/** A person in any of these fields of a message. */
function person(roles: readonly ContactRole[]): QueriedFieldRow {
  return {
    lookUp: (leaf, lookups) => lookUpPerson(leaf, roles, lookups),
    match: (leaf, within, sets) => withPerson(leaf, roles, { within, sets }),
  };
}

/** Messages in a mailbox that passes the test. */
function placed(isWanted: (mailbox: NamedMailbox, leaf: FieldLeaf) => boolean): QueriedFieldRow {
  return {
    lookUp: NO_LOOKUP,
    match: async (leaf, within, { source }) =>
      listed(
        filterPlaces(await source.places(), (mailbox) => isWanted(mailbox, leaf)),
        within,
      ),
  };
}

const LIST_ROLES: readonly ContactRole[] = ["to", "cc", "from"];

/** Every field that an operator can name. */
export const QUERIED_FIELDS: Readonly<Record<QueriedField, QueriedFieldRow>> = {
  from: person(["from"]),
  to: person(["to"]),
  cc: person(["cc"]),
  person: person(["from", "to", "cc"]),
  list: {
    lookUp(leaf, lookups) {
      lookUpPerson(leaf, LIST_ROLES, lookups);
      lookups.addFieldTerms("kind", LIST_KIND);
    },
    match: async (leaf, within, sets) =>
      withPerson(leaf, LIST_ROLES, { within: await sets.withTerms("kind", LIST_KIND, within), sets }),
  },
  subject: phrased("subject"),
  filename: phrased("filename"),
  attachment: phrased("attachment"),
  has: indexed("has"),
  kind: indexed("kind"),
  topic: {
    lookUp(leaf, lookups) {
      const words = topicWords(leaf);
      if (words !== null) lookups.addTopic(words);
    },
    match: ofTopic,
  },
  mailbox: placed(({ words }, { tokens }) => tokens.every((token) => matchesToken(words, token))),
  place: placed(({ name, source }, { text }) => name === text || `${source}:${name}` === text),
  source: { lookUp: NO_LOOKUP, match: ofSource },
  id: {
    lookUp: ({ text }, lookups) => lookups.addMessageId(text),
    match: ({ text }, within, { index, source }) =>
      listed([...index.withMessageId(text), ...numbered(text, source)], within),
  },
  file: {
    lookUp: ({ text }, lookups) => lookups.addFile(text),
    match: ({ text }, within, { index }) => listed(index.withFile(text), within),
  },
  thread: {
    lookUp: ({ text }, lookups) => lookups.addThread(ordinalOf("thread", text)!),
    match: ({ text }, within, { index }) => listed(index.inThread(ordinalOf("thread", text)!), within),
  },
  similar: {
    lookUp: NO_LOOKUP,
    match: async ({ text }, within, { source }) => exceptFor(await resolveSimilar(source, text), within),
  },
  tag: mark(MARK_TESTS.tag),
  note: mark(MARK_TESTS.note),
  review: mark(MARK_TESTS.review),
  redacted: {
    lookUp: ({ tokens }, lookups) => lookups.addTerms(tokens),
    match: ({ tokens }, within, sets) => sets.withGaps(tokens, within),
  },
  valued: {
    lookUp: NO_LOOKUP,
    match: async ({ text }, within, { source }) => where(within, await valueTest(text, source)),
  },
  undated: {
    lookUp: NO_LOOKUP,
    match: (_, within, { source }) =>
      where(within, (document) => source.columns.sentAt[document] === Number.NEGATIVE_INFINITY),
  },
  domain: fact(FACT_TESTS.domain),
  lang: fact(FACT_TESTS.lang),
  type: fact(FACT_TESTS.type),
  larger: fact(FACT_TESTS.larger),
  smaller: fact(FACT_TESTS.smaller),
  label: fact(FACT_TESTS.label),
  trait: fact(FACT_TESTS.trait),
  ...byMentionKind(mentioned),
};

/** The person of an operator: a contact by its id, or an address; null for anything else. */
function personNamed({ text }: FieldLeaf): number | string | null {
  return ordinalOf("contact", text.toLowerCase()) ?? (text.includes("@") ? text : null);
}

function lookUpPerson(leaf: FieldLeaf, roles: readonly ContactRole[], lookups: FieldLookups): void {
  const contact = personNamed(leaf);
  if (typeof contact === "string") lookups.addAddress(contact);
  for (const role of roles) {
    if (contact !== null && role !== "from") lookups.addAddressee({ contact, role });
    if (typeof contact !== "number") lookups.addFieldTerms(role, leaf.tokens);
  }
}

/**
 * An id or a known address is a contact with all aliases; other values are words of names and addresses, including
 * those only in duplicates.
 */
async function withPerson(
  leaf: FieldLeaf,
  roles: readonly ContactRole[],
  { within, sets }: { readonly within: DocumentSet; readonly sets: FieldSets },
): Promise<DocumentSet> {
  const { index, source } = sets;
  const found = new Uint8Array(within.length);
  const named = personNamed(leaf);
  const contact = typeof named === "string" ? index.contactOf(named) : named;
  for (const role of roles) {
    if (role === "from" && contact !== null) {
      addTo(
        found,
        where(within, (document) => source.columns.authors[document] === contact),
      );
      continue;
    }
    if (contact !== null) addListed(found, index.addressedTo({ contact: named!, role }), within);
    if (typeof named === "number") continue;
    // The values of messages already found need not be read.
    const rest = leaf.tokens.length === 1 ? within : where(within, (document) => found[document] === 0);
    addTo(found, await sets.withPhraseIn(role, phraseOf(leaf), rest));
  }
  return found;
}

/** Topics that a condition selects by words; null if it has an id. */
function topicWords({ text, tokens }: FieldLeaf): Words | null {
  return ordinalOf("topic", text.toLowerCase()) === null ? tokens : null;
}

function ofTopic(leaf: FieldLeaf, within: DocumentSet, { source, index }: FieldSets): DocumentSet {
  const { topics } = source.columns;
  const words = topicWords(leaf);
  const named = words === null ? [ordinalOf("topic", leaf.text.toLowerCase())] : index.topicsNamed(words);
  const wanted = new Set<number | null>(named);
  return where(within, (document) => wanted.has(topics[document]!));
}

/** By number, as in other outputs, or by words of the path. */
async function ofSource({ text, tokens }: FieldLeaf, within: DocumentSet, { source }: FieldSets): Promise<DocumentSet> {
  const paths = (await source.sourcePaths()).map((path) => new Set(tokensOf(path)));
  const wanted = /^\d{1,9}$/.test(text)
    ? [Number(text)]
    : paths.flatMap((words, index) => (tokens.every((token) => matchesToken(words, token)) ? [index] : []));
  return listed(
    filterPlaces(await source.places(), (mailbox) => wanted.includes(mailbox.source)),
    within,
  );
}

/** The message that has an id of the archive. */
function numbered(id: string, { archive }: SearchSource): readonly number[] {
  const ordinal = ordinalOf("msg", id.toLowerCase());
  return ordinal === null ? [] : [ordinal - (archive?.base ?? 0)];
}

/** The complement of a set; empty if nothing is selected. */
function exceptFor(named: readonly number[], within: DocumentSet): DocumentSet {
  if (named.length === 0) return new Uint8Array(within.length);
  const left = within.slice();
  for (const document of named) left[document] = 0;
  return left;
}
