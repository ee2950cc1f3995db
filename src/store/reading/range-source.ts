import { MENTION_KINDS, type MentionedValue, type MentionKind } from "../../mail/records/mention.ts";
import { LengthHistogram } from "../../search/indexing/length-histogram.ts";
import type { MessageFacts } from "../../search/indexing/message-facts.ts";
import type {
  DocumentColumns,
  FrequencyRequest,
  MentionLists,
  NamedMailbox,
  NumberLists,
  RangeFrequencies,
  SearchSource,
} from "../../search/indexing/search-source.ts";
import { toLocalIds } from "../../search/ranges/local-doc-ids.ts";
import { inShards } from "../../search/shards.ts";
import type { ArchiveFigures, RangeLocation } from "../contract/range-location.ts";
import { type ContactEntries, entryMessage, recipientLists } from "./contact-entries.ts";
import { alignedBuffer, numbersIn, type StoredSegment } from "./document-columns.ts";
import { mentionColumns, mentionNames } from "./mention-lists.ts";
import { once } from "./once.ts";

/** Bytes of a number in a column; dates take twice as many. */
const NUMBER_BYTES = 4;
const DATE_BYTES = 8;

/** Messages of a stored segment of an index. */
export interface IndexSegment {
  readonly seg: number;
  readonly first: number;
  /** Highest number plus one. */
  readonly end: number;
}

/** Reads terms of an index, without columns. */
export type IndexReader = Pick<
  SearchSource,
  | "holdsMessages"
  | "lookUp"
  | "texts"
  | "values"
  | "sourcePaths"
  | "bySender"
  | "contactNames"
  | "marked"
  | "topicNames"
>;

/** A range of a column: bytes from `start` on. */
export interface ColumnSlice {
  readonly name: string;
  readonly start: number;
  readonly length: number;
}

/** A stored index that is searched in ranges, with message numbers of the archive. */
export interface RangedIndex {
  readonly segments: readonly IndexSegment[];
  readonly firstDocument: number;
  readonly end: number;
  readonly dead: ReadonlySet<number>;
  /** @param searched segments to search */
  asked(searched: readonly IndexSegment[]): IndexReader;
  frequencies(searched: readonly IndexSegment[], asked: FrequencyRequest): Promise<RangeFrequencies>;
  lengths(segments: readonly IndexSegment[]): Promise<readonly StoredSegment[]>;
  columns(names: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  slices(slices: readonly ColumnSlice[]): Promise<ReadonlyMap<string, Uint8Array>>;
  mailboxes(): Promise<ReadonlyMap<number, NamedMailbox>>;
  /** Iterates all contacts on each call of the result. */
  contactEntries(): Promise<() => Iterable<ContactEntries>>;
  /** Messages in the order of their senders. */
  bySender(): Promise<Iterable<number>>;
}

/** The ranges in which an index is searched. @param rangeMessages maximum messages of a range */
export function rangesOf({ segments }: Pick<RangedIndex, "segments">, rangeMessages?: number): readonly Span[] {
  const ranges = inShards(segments, ({ first, end }) => end - first, rangeMessages);
  return ranges.map((range) => ({ first: range[0]!.first, end: range.at(-1)!.end }));
}

/** Number and lengths of the searchable messages of an index; lengths are read one segment at a time. */
export async function archiveFigures(index: RangedIndex): Promise<ArchiveFigures> {
  const histogram = new LengthHistogram();
  for (const segment of index.segments) {
    const [stored] = await index.lengths([segment]);
    for (const [at, length] of new Uint32Array(alignedBuffer(stored!.lengths)).entries())
      if (!index.dead.has(segment.first + at)) histogram.add(length);
  }
  const { firstDocument, end } = index;
  return { firstDocument, end, documentCount: histogram.count, averageLength: histogram.average() };
}

const NO_NUMBERS = new Uint32Array(0);
const NO_LISTS: NumberLists = { starts: new Uint32Array(1), values: NO_NUMBERS };

/** Reads an archive in ranges, without anything that grows with its messages. */
export function openQueryingSource(index: RangedIndex, figures: ArchiveFigures): SearchSource {
  return {
    ...index.asked([]),
    columns: {
      lengths: NO_NUMBERS,
      authors: new Int32Array(0),
      sentAt: new Float64Array(0),
      topics: new Int32Array(0),
    },
    ...figures,
    archive: archiveOf(index, [], 0),
    dead: index.dead,
    facts: once(() => namedFacts(index, () => NO_NUMBERS, NO_LISTS)),
    repeats: async () => NO_NUMBERS,
    places: once(async () => ({
      named: await index.mailboxes(),
      mailboxes: new Int32Array(0),
      further: new Int32Array(0),
    })),
    recipients: async () => NO_LISTS,
    mentions: mentionsIn(async (kind) => ({ ...NO_LISTS, names: await namesOfMentions(index, kind) })),
  };
}

/** Opens a shard of an index: reads its columns (18 bytes per message), renumbered from 1. */
export async function openRangeSource(
  index: RangedIndex,
  { first, end, archive }: Omit<RangeLocation, "state">,
): Promise<SearchSource> {
  const span = { first, end };
  const base = first - 1;
  const segments = index.segments.filter((segment) => segment.first >= first && segment.end <= end);
  const isWanted = (message: number): boolean => message >= first && message < end;
  const asked = index.asked(segments);
  const recipients = (of: "to" | "all") => once(() => rangeRecipients(index, of, span));
  const recipientsOf = { to: recipients("to"), all: recipients("all") };
  return {
    ...asked,
    ...toLocalIds(asked, base),
    columns: await rangeColumns(index, segments, span),
    firstDocument: 1,
    documentCount: archive.documentCount,
    averageLength: archive.averageLength,
    archive: archiveOf(index, segments, base),
    dead: new Set([...index.dead].filter(isWanted).map((message) => message - base)),
    facts: once(() => rangeFacts(index, span)),
    repeats: once(async () => (await numberColumns(index, ["repeats"], span)).repeats!),
    places: once(async () => {
      const { mailboxes } = await numberColumns(index, ["mailboxes"], span);
      const stored = (await index.columns(["furtherPlaces"])).get("furtherPlaces");
      const pairs = new Int32Array(numbersIn(stored).buffer);
      // Pairs of message and mailbox.
      const own = pairs.filter((_, at) => isWanted(pairs[at - (at % 2)]!));
      const further = own.map((number, at) => (at % 2 === 0 ? number - base : number));
      return { named: await index.mailboxes(), mailboxes: new Int32Array(mailboxes!.buffer), further };
    }),
    recipients: (of) => recipientsOf[of](),
    mentions: mentionsIn(async (kind) => {
      const { starts, values } = mentionColumns(kind);
      return { ...(await listsOf(index, { starts, values }, span)), names: await namesOfMentions(index, kind) };
    }),
    // Applies to all messages: the caller keeps what it needs.
    bySender: () => index.bySender(),
  };
}

type Span = Pick<RangeLocation, "first" | "end">;

function archiveOf(
  index: RangedIndex,
  segments: readonly IndexSegment[],
  base: number,
): NonNullable<SearchSource["archive"]> {
  return {
    base,
    firstDocument: index.firstDocument,
    end: index.end,
    dead: index.dead,
    async textOf(document) {
      const [bytes] = (
        await index.slices([{ name: "repeats", start: document * NUMBER_BYTES, length: NUMBER_BYTES }])
      ).values();
      return bytes === undefined || bytes.length === 0 ? 0 : new Uint32Array(alignedBuffer(bytes))[0]!;
    },
    frequencies: (asked) => index.frequencies(segments, asked),
  };
}

async function rangeColumns(
  index: RangedIndex,
  segments: readonly IndexSegment[],
  { first, end }: Span,
): Promise<DocumentColumns> {
  const lengths = new Uint32Array(end - first + 1);
  for (const segment of await index.lengths(segments))
    lengths.set(new Uint32Array(alignedBuffer(segment.lengths)), segment.first - first + 1);
  const { authors, topics } = await numberColumns(index, ["authors", "topics"], { first, end });
  const dates = { name: "sentAt", start: first * DATE_BYTES, length: (end - first) * DATE_BYTES };
  const sentAt = new Float64Array(end - first + 1);
  sentAt.set(new Float64Array(alignedBuffer((await index.slices([dates])).get("sentAt")!)), 1);
  return { lengths, authors: new Int32Array(authors!.buffer), sentAt, topics: new Int32Array(topics!.buffer) };
}

/** The part of columns that belongs to a range, from 1 on. */
async function numberColumns<Name extends string>(
  index: RangedIndex,
  names: readonly Name[],
  { first, end }: Span,
): Promise<Partial<Record<Name, Uint32Array>>> {
  const slices = names.map((name) => ({ name, start: first * NUMBER_BYTES, length: (end - first) * NUMBER_BYTES }));
  const stored = await index.slices(slices);
  const columns = names.map((name) => {
    const column = new Uint32Array(end - first + 1);
    column.set(numbersIn(stored.get(name)), 1);
    return [name, column];
  });
  return Object.fromEntries(columns) as Partial<Record<Name, Uint32Array>>;
}

async function rangeFacts(index: RangedIndex, span: Span): Promise<MessageFacts> {
  const columns = await numberColumns(index, ["threads", "sizes", "traits", "languages", "domains"], span);
  const labels = await listsOf(index, { starts: "labelStarts", values: "labels" }, span);
  return namedFacts(index, (name) => columns[name]!, labels);
}

/** The lists of the messages of a range; one further start marks the end of the last list. */
async function listsOf(
  index: RangedIndex,
  columns: Readonly<Record<"starts" | "values", string>>,
  { first, end }: Span,
): Promise<NumberLists> {
  const stored = (await numberColumns(index, [columns.starts], { first, end: end + 1 }))[columns.starts]!;
  const from = stored[1]!;
  const length = (stored.at(-1)! - from) * NUMBER_BYTES;
  const slice = { name: columns.values, start: from * NUMBER_BYTES, length };
  const values = (await index.slices([slice])).get(columns.values);
  const starts = stored.map((start, at) => (at === 0 ? 0 : start - from));
  return { starts, values: numbersIn(values) };
}

async function namesOfMentions(index: RangedIndex, kind: MentionKind): Promise<readonly MentionedValue[]> {
  const { names } = mentionColumns(kind);
  return mentionNames((await index.columns([names])).get(names));
}

/** Reads each kind on first use. */
export function mentionsIn(read: (kind: MentionKind) => Promise<MentionLists>): SearchSource["mentions"] {
  const known = new Map(MENTION_KINDS.map((kind) => [kind, once(() => read(kind))]));
  return (kind) => known.get(kind)!();
}

/** Facts from columns by name and lists of labels, with the names of their values. */
export async function namedFacts(
  index: RangedIndex,
  numbers: (name: "threads" | "sizes" | "traits" | "languages" | "domains") => Uint32Array,
  labels: NumberLists,
): Promise<MessageFacts> {
  const stored = await index.columns(["languageNames", "domainNames", "labelNames"]);
  // A copied archive without messages has no columns.
  const names = (name: string): readonly string[] =>
    stored.has(name) ? JSON.parse(new TextDecoder().decode(stored.get(name))) : [];
  return {
    threads: numbers("threads"),
    sizes: numbers("sizes"),
    traits: numbers("traits"),
    languages: { numbers: numbers("languages"), names: names("languageNames") },
    domains: { numbers: numbers("domains"), names: names("domainNames") },
    labels: { ...labels, names: names("labelNames") },
  };
}

async function rangeRecipients(index: RangedIndex, of: "to" | "all", { first, end }: Span): Promise<NumberLists> {
  const contacts = await index.contactEntries();
  const base = first - 1;
  const isWanted = (entry: number): boolean => entryMessage(entry) >= first && entryMessage(entry) < end;
  // Messages are in the lower bits of an entry.
  function* own(): Generator<ContactEntries> {
    for (const { contact, entries } of contacts())
      yield { contact, entries: entries.filter(isWanted).map((entry) => entry - base) };
  }
  return recipientLists(own, of, end - base);
}
