import { LengthHistogram } from "../../search/length-histogram.ts";
import type { MessageFacts } from "../../search/message-facts.ts";
import { inOwnNumbers } from "../../search/own-numbers.ts";
import type { DocumentColumns, NumberLists, SearchSource } from "../../search/search-source.ts";
import type { ArchiveFigures, RangePlace } from "../range-place.ts";
import { ownBuffer } from "../reading/document-columns.ts";
import type { OpenEpoch } from "./epochs.ts";
import { columnSlices, indexColumns, once } from "./index-columns.ts";
import { countTerms } from "./index-terms.ts";
import { orderedPage } from "./list-orders.ts";
import {
  askedSource,
  type IndexFrame,
  knownIndex,
  namedMailboxes,
  recipientsIn,
  type StoredRange,
  storedLengths,
} from "./search-source.ts";

/** Bytes of a number of a column; dates take twice as many. */
const NUMBER_BYTES = 4;
const DATE_BYTES = 8;

type Span = Pick<StoredRange, "first" | "end">;

/** How many messages of an index can be found, and how long they are: their lengths are read a segment at a time. */
export async function archiveFigures(epoch: OpenEpoch, frame: IndexFrame): Promise<ArchiveFigures> {
  const histogram = new LengthHistogram();
  for (const range of frame.segments) {
    const [segment] = await storedLengths(epoch, [range]);
    for (const [at, length] of new Uint32Array(ownBuffer(segment!.lengths)).entries())
      if (!frame.dead.has(range.first + at)) histogram.add(length);
  }
  const { firstDocument, end } = frame;
  return { firstDocument, end, documentCount: histogram.count, averageLength: histogram.average() };
}

/** What of an archive in ranges is asked of the database, and nothing that grows with its messages. */
export function openAskingSource(epoch: OpenEpoch, frame: IndexFrame, figures: ArchiveFigures): SearchSource {
  const asked = askedSource(epoch, frame, []);
  return {
    ...asked,
    columns: {
      lengths: new Uint32Array(0),
      authors: new Int32Array(0),
      sentAt: new Float64Array(0),
      topics: new Int32Array(0),
    },
    ...figures,
    archive: archiveOf(epoch, frame, { segments: [], base: 0 }),
    dead: frame.dead,
    facts: once(async () => factNames(epoch)),
    repeats: async () => new Uint32Array(0),
    places: once(async () => ({
      named: await namedMailboxes(epoch),
      mailboxes: new Int32Array(0),
      further: new Int32Array(0),
    })),
    recipients: async () => ({ starts: new Uint32Array(1), values: new Uint32Array(0) }),
  };
}

/** Opens a range of an index: reads its columns (18 bytes a message), in which its messages count from 1. */
export async function openRangeSource(
  epoch: OpenEpoch,
  frame: IndexFrame,
  { first, end, archive }: RangePlace,
): Promise<SearchSource> {
  const span = { first, end };
  const base = first - 1;
  const segments = frame.segments.filter((segment) => segment.first >= first && segment.end <= end);
  const isWanted = (message: number): boolean => message >= first && message < end;
  const asked = askedSource(epoch, frame, segments);
  return {
    ...asked,
    ...inOwnNumbers(asked, base),
    columns: await rangeColumns(epoch, segments, span),
    firstDocument: 1,
    documentCount: archive.documentCount,
    averageLength: archive.averageLength,
    archive: archiveOf(epoch, frame, { segments, base }),
    dead: new Set([...frame.dead].filter(isWanted).map((message) => message - base)),
    facts: once(() => rangeFacts(epoch, span)),
    repeats: once(async () => (await numberColumns(epoch, ["repeats"], span)).repeats!),
    places: once(async () => {
      const { mailboxes } = await numberColumns(epoch, ["mailboxes"], span);
      const stored = (await indexColumns(epoch, ["furtherPlaces"])).get("furtherPlaces");
      const pairs = new Int32Array(ownBuffer(stored ?? new Uint8Array(0)));
      // Of a message and a mailbox each.
      const own = pairs.filter((_, at) => isWanted(pairs[at - (at % 2)]!));
      const further = own.map((number, at) => (at % 2 === 0 ? number - base : number));
      return { named: await namedMailboxes(epoch), mailboxes: new Int32Array(mailboxes!.buffer), further };
    }),
    ...recipientsIn(epoch, end - base, base),
    // Of all messages: whoever asks keeps what it needs of it.
    bySender: () => orderedPage(epoch, "messages.from", { limit: frame.end, offset: 0 }),
  };
}

function archiveOf(
  epoch: OpenEpoch,
  frame: IndexFrame,
  { segments, base }: { readonly segments: readonly StoredRange[]; readonly base: number },
): NonNullable<SearchSource["archive"]> {
  const index = knownIndex(frame, segments);
  return {
    base,
    firstDocument: frame.firstDocument,
    end: frame.end,
    dead: frame.dead,
    async textOf(document) {
      const [bytes] = (
        await columnSlices(epoch, [{ name: "repeats", start: document * NUMBER_BYTES, length: NUMBER_BYTES }])
      ).values();
      return bytes === undefined || bytes.length === 0 ? 0 : new Uint32Array(ownBuffer(bytes))[0]!;
    },
    frequencies: (asked) => countTerms(epoch, index, asked),
  };
}

async function rangeColumns(
  epoch: OpenEpoch,
  segments: readonly StoredRange[],
  { first, end }: Span,
): Promise<DocumentColumns> {
  const lengths = new Uint32Array(end - first + 1);
  for (const segment of await storedLengths(epoch, segments))
    lengths.set(new Uint32Array(ownBuffer(segment.lengths)), segment.first - first + 1);
  const { authors, topics } = await numberColumns(epoch, ["authors", "topics"], { first, end });
  const dates = { name: "sentAt", start: first * DATE_BYTES, length: (end - first) * DATE_BYTES };
  const sentAt = new Float64Array(end - first + 1);
  sentAt.set(new Float64Array(ownBuffer((await columnSlices(epoch, [dates])).get("sentAt")!)), 1);
  return { lengths, authors: new Int32Array(authors!.buffer), sentAt, topics: new Int32Array(topics!.buffer) };
}

/** The part of columns that belongs to a range, from 1 on. */
async function numberColumns<Name extends string>(
  epoch: OpenEpoch,
  names: readonly Name[],
  { first, end }: Span,
): Promise<Partial<Record<Name, Uint32Array>>> {
  const slices = names.map((name) => ({ name, start: first * NUMBER_BYTES, length: (end - first) * NUMBER_BYTES }));
  const stored = await columnSlices(epoch, slices);
  const columns = names.map((name) => {
    const column = new Uint32Array(end - first + 1);
    column.set(new Uint32Array(ownBuffer(stored.get(name) ?? new Uint8Array(0))), 1);
    return [name, column];
  });
  return Object.fromEntries(columns) as Partial<Record<Name, Uint32Array>>;
}

async function rangeFacts(epoch: OpenEpoch, span: Span): Promise<MessageFacts> {
  const { threads, sizes, traits, languages, domains } = await numberColumns(
    epoch,
    ["threads", "sizes", "traits", "languages", "domains"],
    span,
  );
  const named = await factNames(epoch);
  return {
    threads: threads!,
    sizes: sizes!,
    traits: traits!,
    languages: { ...named.languages, numbers: languages! },
    domains: { ...named.domains, numbers: domains! },
    labels: { ...named.labels, ...(await labelLists(epoch, span)) },
  };
}

/** The labels of the messages of a range: one list more than messages tells where the last one ends. */
async function labelLists(epoch: OpenEpoch, { first, end }: Span): Promise<NumberLists> {
  const { labelStarts } = await numberColumns(epoch, ["labelStarts"], { first, end: end + 1 });
  const from = labelStarts![1]!;
  const length = (labelStarts!.at(-1)! - from) * NUMBER_BYTES;
  const values = (await columnSlices(epoch, [{ name: "labels", start: from * NUMBER_BYTES, length }])).get("labels");
  const starts = labelStarts!.map((start, at) => (at === 0 ? 0 : start - from));
  return { starts, values: new Uint32Array(ownBuffer(values ?? new Uint8Array(0))) };
}

/** What the values of facts are called, without those of any message. */
async function factNames(epoch: OpenEpoch): Promise<MessageFacts> {
  const stored = await indexColumns(epoch, ["languageNames", "domainNames", "labelNames"]);
  const names = (name: string): readonly string[] => JSON.parse(new TextDecoder().decode(stored.get(name)));
  const nothing = new Uint32Array(0);
  return {
    threads: nothing,
    sizes: nothing,
    traits: nothing,
    languages: { numbers: nothing, names: names("languageNames") },
    domains: { numbers: nothing, names: names("domainNames") },
    labels: { starts: new Uint32Array(1), values: nothing, names: names("labelNames") },
  };
}
