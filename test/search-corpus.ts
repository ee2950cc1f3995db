import type { ReviewState } from "../src/mail/notebook.ts";
import type { AttachmentType } from "../src/mail/records/attachment-types.ts";
import type { MentionKind } from "../src/mail/records/mention.ts";
import { type FieldText, IndexBuilder, type IndexedDocument } from "../src/search/indexing/index-builder.ts";
import { LengthHistogram } from "../src/search/indexing/length-histogram.ts";
import type { MarkedMessages } from "../src/search/indexing/marked-messages.ts";
import { mergeSegments } from "../src/search/indexing/merge-segments.ts";
import {
  type DictionaryColumn,
  type MessageFacts,
  type Trait,
  traitBit,
  typeBit,
} from "../src/search/indexing/message-facts.ts";
import type {
  ContactRole,
  LookedUp,
  NamedMailbox,
  NumberLists,
  Places,
  SearchSource,
  TermPostings,
} from "../src/search/indexing/search-source.ts";
import { SegmentCursor, segmentInMemory } from "../src/search/indexing/segment.ts";
import { visitBlock } from "../src/search/indexing/term-block.ts";
import { MAX_PATTERN_TERMS, patternMatcher } from "../src/search/indexing/term-pattern.ts";
import { toLocalIds } from "../src/search/ranges/local-doc-ids.ts";
import { repeatsColumn } from "../src/search/ranking/repeated-texts.ts";
import { tokensOf } from "../src/text/tokens/tokens.ts";

/** A message of a test corpus; its number is its index in the list plus one. */
export interface CorpusMessage {
  readonly subject?: string;
  readonly body: string;
  readonly from?: string;
  readonly to?: string;
  readonly filename?: string;
  /** Text of the attachment. */
  readonly attachment?: string;
  readonly mailbox?: string;
  readonly messageId?: string;
  /** Number of the author's contact. */
  readonly author?: number;
  readonly sentAt?: number | null;
  readonly topic?: number;
  readonly thread?: number;
  readonly textKey?: number;
  readonly source?: number;
  readonly language?: string;
  readonly domain?: string;
  readonly labels?: readonly string[];
  readonly sizeBytes?: number;
  readonly traits?: readonly Trait[];
  readonly attachmentTypes?: readonly AttachmentType[];
  readonly tags?: readonly string[];
  readonly mentions?: Readonly<Partial<Record<MentionKind, readonly string[]>>>;
  readonly note?: string;
  readonly review?: ReviewState;
  /** Numbers of the contacts in To. */
  readonly receivers?: readonly number[];
  /** Numbers of the contacts in Cc and Bcc. */
  readonly copied?: readonly number[];
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

export function indexedDocument(message: CorpusMessage): IndexedDocument {
  const fields: FieldText[] = [];
  for (const field of ["from", "to", "filename", "attachment"] as const) {
    const text = message[field];
    if (text !== undefined) fields.push({ field, text: utf8(text) });
  }
  if (message.filename !== undefined) fields.push({ field: "has", text: utf8("attachment") });
  return { subject: utf8(message.subject ?? ""), body: utf8(message.body), fields };
}

/** Segments of the messages, cut after every `chunk` messages. */
export function corpusSegments(messages: readonly CorpusMessage[], chunk = messages.length, first = 1): Uint8Array[] {
  const segments: Uint8Array[] = [];
  for (let from = 0; from < messages.length; from += chunk) {
    const builder = new IndexBuilder(first + from);
    for (const message of messages.slice(from, from + chunk)) builder.add(indexedDocument(message));
    const segment = builder.takeSegment();
    if (segment !== null) segments.push(segment);
  }
  return segments;
}

/**
 * A source in memory. The contact of an address is the author of the message with this `from`; `budget` is the name of
 * topic 1.
 */
export function corpusSource(messages: readonly CorpusMessage[], dead: readonly number[] = []): SearchSource {
  const { terms, cursors } = corpusTerms(messages, 1);
  const lengths = Uint32Array.from([0, ...cursors.flatMap((cursor) => Array.from(cursor.head.lengths))]);
  const live = messages.map((_, i) => i + 1).filter((document) => !dead.includes(document));
  const histogram = new LengthHistogram();
  for (const document of live) histogram.add(lengths[document]!);
  return {
    holdsMessages: true,
    columns: {
      lengths,
      authors: Int32Array.from([-1, ...messages.map((message) => message.author ?? -1)]),
      sentAt: Float64Array.from([0, ...messages.map((message) => message.sentAt ?? Number.NEGATIVE_INFINITY)]),
      topics: Int32Array.from([-1, ...messages.map((message) => message.topic ?? 0)]),
    },
    firstDocument: 1,
    documentCount: live.length,
    averageLength: histogram.average(),
    dead: new Set(dead),
    lookUp: async () => corpusLookUps(messages, terms),
    texts: async (documents) =>
      Array.from(documents, (document) => {
        const message = messages[document - 1];
        return {
          body: () => (message === undefined ? null : utf8(message.body)),
          passages: () => (message === undefined ? [] : [utf8(message.body)]),
          subject: () => utf8(message?.subject ?? ""),
          files: () =>
            message?.attachment === undefined ? [] : [{ name: message.filename ?? "", text: message.attachment }],
        };
      }),
    values: async (documents, field) =>
      Array.from(documents, (document) => {
        const message = messages[document - 1];
        return (field === "cc" ? undefined : message?.[field])?.split("\n") ?? [];
      }),
    places: async () => placesOf(messages),
    bySender: async () =>
      live.sort((left, right) => ((messages[left - 1]!.from ?? "") < (messages[right - 1]!.from ?? "") ? -1 : 1)),
    contactNames: async (contacts) => contacts.map((contact) => `Contact ${contact}`),
    topicNames: async (topics) => topics.map((topic) => `Topic ${topic}`),
    async mentions(kind) {
      const names = [...new Set(messages.flatMap(({ mentions }) => mentions?.[kind] ?? []))];
      const values = messages.map(({ mentions }) => (mentions?.[kind] ?? []).map((name) => names.indexOf(name) + 1));
      return { ...numberLists(values), names: [[""], ...names.map((name): [string] => [name])] };
    },
    async recipients(of) {
      const lists = messages.map(({ receivers = [], copied = [] }) =>
        of === "to" ? receivers : Array.from(new Set([...receivers, ...copied])),
      );
      return numberLists(lists);
    },
    facts: async () => corpusFacts(messages),
    repeats: async () =>
      repeatsColumn(Float64Array.from([Number.NaN, ...messages.map(({ textKey }) => textKey ?? Number.NaN)])),
    marked: async () => corpusMarks(messages),
    sourcePaths: async () => ["mail/old.mbox", "mail/new.pst"],
  };
}

/** Dictionary of the messages; `first` is the number of the first one. */
function corpusTerms(messages: readonly CorpusMessage[], first: number) {
  const terms = new Map<string, TermPostings>();
  const lists: Uint8Array[] = [];
  const cursors = corpusSegments(messages, messages.length, first).map(
    (segment) => new SegmentCursor(segmentInMemory(segment)),
  );
  mergeSegments(cursors, {
    addPostings: (data) => lists.push(data.slice()) - 1,
    addBlock(_, data) {
      visitBlock(data, ({ term, documentFrequency, postings }) => {
        const list = typeof postings === "number" ? lists[postings]! : postings;
        terms.set(new TextDecoder().decode(term), { documentFrequency, lists: [list] });
        return true;
      });
    },
  });
  return { terms, cursors };
}

/** The same messages in several ranges, each with its own dictionary. */
export function corpusShards(
  messages: readonly CorpusMessage[],
  count: number,
  dead: readonly number[] = [],
): readonly SearchSource[] {
  const whole = corpusSource(messages, dead);
  const { lengths, authors, sentAt, topics } = whole.columns;
  return Array.from({ length: count }, (_, at) => {
    const [start, end] = [at, at + 1].map((edge) => Math.floor((edge * messages.length) / count)) as [number, number];
    const { terms } = corpusTerms(messages.slice(start, end), start + 1);
    // Messages of a range are numbered from 1; entry 0 is unused.
    const cut = <T extends { slice(start: number, end: number): T }>(column: T): T => column.slice(start, end + 1);
    const cutLists = <T extends NumberLists>(lists: T): T => ({ ...lists, starts: lists.starts.slice(start, end + 2) });
    return {
      ...whole,
      ...toLocalIds({ ...whole, lookUp: async () => corpusLookUps(messages, terms) }, start),
      columns: { lengths: cut(lengths), authors: cut(authors), sentAt: cut(sentAt), topics: cut(topics) },
      firstDocument: 1,
      archive: {
        base: start,
        firstDocument: 1,
        end: lengths.length,
        dead: new Set(dead),
        textOf: async (document) => (await whole.repeats())[document] ?? 0,
        frequencies: async (asked) => ({
          terms: asked.terms.map((term) => terms.get(term)?.documentFrequency ?? 0),
          patterns: asked.patterns.map((pattern) => {
            const fits = patternMatcher(pattern);
            const counted = Array.from(terms, ([term, postings]): [string, number] => [
              term,
              postings.documentFrequency,
            ]);
            return counted.filter(([term]) => fits(term));
          }),
        }),
      },
      dead: new Set(dead.filter((document) => document > start && document <= end).map((document) => document - start)),
      repeats: async () => cut(await whole.repeats()),
      places: async () => {
        const places = await whole.places();
        return { ...places, mailboxes: cut(places.mailboxes) };
      },
      recipients: async (of) => cutLists(await whole.recipients(of)),
      mentions: async (kind) => cutLists(await whole.mentions(kind)),
      facts: async () => {
        const { threads, sizes, traits, languages, domains, labels } = await whole.facts();
        return {
          threads: cut(threads),
          sizes: cut(sizes),
          traits: cut(traits),
          languages: { ...languages, numbers: cut(languages.numbers) },
          domains: { ...domains, numbers: cut(domains.numbers) },
          labels: cutLists(labels),
        };
      },
    };
  });
}

function corpusMarks(messages: readonly CorpusMessage[]): MarkedMessages {
  const tagNames = [...new Set(messages.flatMap(({ tags = [] }) => tags))];
  const numbered = messages.map((message, at) => [at + 1, message] as const);
  return {
    revision: 1,
    tagNames,
    tags: new Map(numbered.map(([at, { tags = [] }]) => [at, tags.map((name) => tagNames.indexOf(name))])),
    noted: new Set(numbered.flatMap(([at, { note }]) => (note === undefined ? [] : [at]))),
    reviews: new Map(numbered.flatMap(([at, { review }]) => (review === undefined ? [] : [[at, review]]))),
  };
}

function corpusLookUps(messages: readonly CorpusMessage[], terms: ReadonlyMap<string, TermPostings>): LookedUp {
  const numbers = (isWanted: (message: CorpusMessage) => boolean): number[] =>
    messages.flatMap((message, i) => (isWanted(message) ? [i + 1] : []));
  const contactOf = (address: string): number | null =>
    messages.find(({ from }) => from?.toLowerCase().includes(`<${address.toLowerCase()}>`))?.author ?? null;
  return {
    postings: (term) => terms.get(term) ?? null,
    async withPattern(pattern) {
      const fits = patternMatcher(pattern);
      const found = Array.from(terms).filter(([term]) => fits(term));
      found.sort(
        (left, right) => right[1].documentFrequency - left[1].documentFrequency || (left[0] < right[0] ? -1 : 1),
      );
      return found.slice(0, MAX_PATTERN_TERMS).map(([term, postings]) => ({ ...postings, term }));
    },
    contactOf,
    addressedTo({ contact, role }) {
      const number = typeof contact === "string" ? contactOf(contact) : contact;
      return numbers(({ receivers = [], copied = [] }) => {
        const named: Readonly<Record<ContactRole, readonly number[]>> = { from: [], to: receivers, cc: copied };
        return named[role].includes(number ?? -1);
      });
    },
    inThread: (wanted) => numbers(({ thread }) => thread === wanted),
    withFile: () => [],
    withMessageId: (id) => numbers(({ messageId }) => messageId === id),
    topicsNamed: (tokens) => (tokens.includes("budget") ? [1] : []),
  };
}

function corpusFacts(messages: readonly CorpusMessage[]): MessageFacts {
  const column = (number: (message: CorpusMessage) => number): Uint32Array =>
    Uint32Array.from([0, ...messages.map(number)]);
  const named = (name: (message: CorpusMessage) => string | undefined): DictionaryColumn => {
    const names = Array.from(new Set(["", ...messages.map((message) => name(message) ?? "")]));
    return { numbers: column((message) => names.indexOf(name(message) ?? "")), names };
  };
  const names = Array.from(new Set(["", ...messages.flatMap(({ labels = [] }) => labels)]));
  const starts = [0, 0];
  for (const { labels = [] } of messages) starts.push(starts.at(-1)! + labels.length);
  const values = messages.flatMap(({ labels = [] }) => labels.map((label) => names.indexOf(label)));
  return {
    threads: column(({ thread = 0 }) => thread),
    sizes: column(({ sizeBytes = 0 }) => sizeBytes),
    traits: column(({ traits = [], attachmentTypes = [] }) =>
      [...traits.map(traitBit), ...attachmentTypes.map(typeBit)].reduce((bits, bit) => bits | bit, 0),
    ),
    languages: named(({ language }) => language),
    domains: named(({ domain }) => domain),
    labels: { starts: Uint32Array.from(starts), values: Uint32Array.from(values), names },
  };
}

/** Weight of a word that occurs only in files, from docs/reference/query-language.md. */
const FILE_WEIGHT = 0.4;

/**
 * Scores of all messages with a word of the query, computed directly from the formula: an oracle that shares no code
 * with the index.
 */
export function naiveScores(messages: readonly CorpusMessage[], query: string): Map<number, number> {
  const bags = messages.map((message) => {
    const bag = new Map<string, number>();
    for (const token of tokensOf(message.body)) bag.set(token, (bag.get(token) ?? 0) + 1);
    for (const token of tokensOf(message.subject ?? "")) bag.set(token, (bag.get(token) ?? 0) + 2);
    for (const token of tokensOf(message.attachment ?? "")) bag.set(token, bag.get(token) ?? 0);
    return bag;
  });
  const lengths = bags.map((bag) => Array.from(bag.values()).reduce((sum, count) => sum + count, 0));
  const average = messages.length / lengths.reduce((sum, length) => sum + (length + 1) ** -1, 0) - 1;
  const queryCounts = new Map<string, number>();
  for (const token of tokensOf(query)) queryCounts.set(token, (queryCounts.get(token) ?? 0) + 1);
  const scores = new Map<number, number>();
  const held = new Map<number, number>();
  let squares = 0;
  let asked = 0;
  let terms = 0;
  for (const [token, count] of queryCounts) {
    const df = bags.filter((bag) => bag.has(token)).length;
    if (df === 0) continue;
    terms++;
    const queryWeight = (1 + Math.log(1 + Math.log(count))) * Math.log(1 + messages.length / df);
    squares += queryWeight ** 2;
    asked += queryWeight;
    bags.forEach((bag, i) => {
      const tf = bag.get(token);
      if (tf === undefined) return;
      const weight = (tf === 0 ? FILE_WEIGHT : 1 + Math.log(1 + Math.log(tf))) / (0.8 + (0.2 * lengths[i]!) / average);
      scores.set(i + 1, (scores.get(i + 1) ?? 0) + queryWeight * weight);
      held.set(i + 1, (held.get(i + 1) ?? 0) + queryWeight);
    });
  }
  return new Map(
    Array.from(scores, ([document, score]) => [
      document,
      (score / Math.sqrt(squares)) * (held.get(document)! / asked) ** Math.min(3, 15 / terms),
    ]),
  );
}

/** A mailbox is listed once for each source that has one with its name. */
function placesOf(messages: readonly CorpusMessage[]): Places {
  const numbers = new Map<string, number>();
  const named = new Map<number, NamedMailbox>();
  const mailboxes = messages.map(({ mailbox = "", source = 0 }) => {
    const key = `${source}:${mailbox}`;
    if (!numbers.has(key)) numbers.set(key, numbers.size + 1);
    named.set(numbers.get(key)!, { name: mailbox, source, words: new Set(tokensOf(mailbox)) });
    return numbers.get(key)!;
  });
  return { named, mailboxes: Int32Array.from([0, ...mailboxes]), further: new Int32Array(0) };
}

/** @param lists of the messages from 1 on */
function numberLists(lists: readonly (readonly number[])[]): NumberLists {
  const starts = [0, 0];
  for (const list of lists) starts.push(starts.at(-1)! + list.length);
  return { starts: Uint32Array.from(starts), values: Uint32Array.from(lists.flat()) };
}
