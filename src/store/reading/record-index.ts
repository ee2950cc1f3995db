import { Buffer } from "node:buffer";
import { IndexBuilder } from "../../search/indexing/index-builder.ts";
import { type IndexedRecord, indexedText, valuesOf } from "../../search/indexing/indexed-record.ts";
import { NOTHING_MARKED } from "../../search/indexing/marked-messages.ts";
import { mergeSegments } from "../../search/indexing/merge-segments.ts";
import type { LookedUp, Places, SearchSource } from "../../search/indexing/search-source.ts";
import { SegmentCursor, segmentInMemory } from "../../search/indexing/segment.ts";
import type { RecordKinds } from "../../search/record-finder.ts";
import { tokensOf } from "../../text/tokens/tokens.ts";
import { alignedBuffer, liveTotals } from "./document-columns.ts";
import { LAST_CHARACTER, termReader } from "./index-terms.ts";

/** Document numbers start at 1, like ordinals. */
const FIRST_DOCUMENT = 1;
const LENGTH_BYTES = 4;

/** Parts of a stored index, each preceded by its length. */
const PARTS = [
  "names",
  "ordinals",
  "dates",
  "sizes",
  "mailboxes",
  "kinds",
  "lengths",
  "blockTerms",
  "blockEnds",
  "blocks",
  "listEnds",
  "lists",
] as const;
type Part = (typeof PARTS)[number];

/** Names of the numbers in the columns. */
interface StoredNames {
  readonly kinds: readonly string[];
  readonly mailboxes: readonly { readonly source: number; readonly name: string }[];
}

/**
 * The full-text index of all events or all items of an archive, in one segment. Every run rebuilds it: records change
 * from run to run, and are few compared with messages.
 */
export class RecordIndexWriter {
  private readonly builder = new IndexBuilder(FIRST_DOCUMENT);
  private readonly segments: Uint8Array[] = [];
  private readonly columns = {
    ordinals: [0],
    dates: [Number.NEGATIVE_INFINITY],
    sizes: [0],
    mailboxes: [-1],
    kinds: [0],
  };
  private readonly kinds = new Map<string, number>();
  private readonly mailboxes = new Map<
    string,
    { readonly number: number; readonly source: number; readonly name: string }
  >();

  add(record: IndexedRecord): void {
    const { columns, kinds, mailboxes } = this;
    this.builder.add(record);
    if (this.builder.isFull) this.takeSegment();
    const place = `${record.source}:${record.mailbox}`;
    const mailbox = mailboxes.get(place) ?? { number: mailboxes.size, source: record.source, name: record.mailbox };
    mailboxes.set(place, mailbox);
    const kind = kinds.get(record.kind) ?? kinds.size;
    kinds.set(record.kind, kind);
    columns.ordinals.push(record.ordinal);
    columns.dates.push(record.date ?? Number.NEGATIVE_INFINITY);
    columns.sizes.push(record.subject.length + record.body.length);
    columns.mailboxes.push(mailbox.number);
    columns.kinds.push(kind);
  }

  /** Serializes the index. */
  finish(): Uint8Array {
    this.takeSegment();
    const cursors = this.segments.map((segment) => new SegmentCursor(segmentInMemory(segment)));
    const lengths = [0, ...cursors.flatMap(({ head }) => Array.from(head.lengths))];
    const [blocks, lists] = [new JoinedBytes(), new JoinedBytes()];
    const blockTerms: string[] = [];
    mergeSegments(cursors, {
      addPostings: (data) => lists.add(data),
      addBlock(first, data) {
        blockTerms.push(first);
        blocks.add(data);
      },
    });
    const names: StoredNames = {
      kinds: Array.from(this.kinds.keys()),
      mailboxes: Array.from(this.mailboxes.values(), ({ source, name }) => ({ source, name })),
    };
    const { columns } = this;
    const parts: Readonly<Record<Part, Uint8Array>> = {
      names: Buffer.from(JSON.stringify(names)),
      ordinals: bytesOf(Uint32Array.from(columns.ordinals)),
      dates: bytesOf(Float64Array.from(columns.dates)),
      sizes: bytesOf(Uint32Array.from(columns.sizes)),
      mailboxes: bytesOf(Int32Array.from(columns.mailboxes)),
      kinds: Uint8Array.from(columns.kinds),
      lengths: bytesOf(Uint32Array.from(lengths)),
      blockTerms: Buffer.from(JSON.stringify(blockTerms)),
      blockEnds: blocks.ends(),
      blocks: blocks.bytes(),
      listEnds: lists.ends(),
      lists: lists.bytes(),
    };
    return Buffer.concat(PARTS.flatMap((part) => [lengthOf(parts[part]), parts[part]]));
  }

  private takeSegment(): void {
    const segment = this.builder.takeSegment();
    if (segment !== null) this.segments.push(segment.slice());
  }
}

/** Concatenated byte strings. */
class JoinedBytes {
  private readonly parts: Uint8Array[] = [];
  private readonly endings: number[] = [];
  private length = 0;

  /** Returns the position of the added bytes. */
  add(data: Uint8Array): number {
    this.parts.push(data.slice());
    this.length += data.length;
    return this.endings.push(this.length) - 1;
  }

  ends(): Uint8Array {
    return bytesOf(Uint32Array.from(this.endings));
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.parts);
  }
}

/** A searchable index, and the record of each document. */
interface RecordIndex {
  readonly source: SearchSource;
  readonly kinds: RecordKinds;
  readonly ordinals: Uint32Array;
}

/** Data of the archive that an index reads. */
export interface RecordTexts {
  records(ordinals: readonly number[]): Promise<readonly IndexedRecord[]>;
  sourcePaths(): Promise<readonly string[]>;
}

/** Opens the output of a {@link RecordIndexWriter}. */
export function openRecordIndex(stored: Uint8Array, { records, sourcePaths }: RecordTexts): RecordIndex {
  const parts = cutParts(stored);
  const names = JSON.parse(Buffer.from(parts.names).toString()) as StoredNames;
  const ordinals = new Uint32Array(alignedBuffer(parts.ordinals));
  const lengths = new Uint32Array(alignedBuffer(parts.lengths));
  const count = lengths.length;
  const empty = new Uint32Array(count);
  const noNames = { numbers: empty, names: [""] };
  const places: Places = {
    named: new Map(
      names.mailboxes.map((mailbox, number) => [number, { ...mailbox, words: new Set(tokensOf(mailbox.name)) }]),
    ),
    mailboxes: new Int32Array(alignedBuffer(parts.mailboxes)),
    further: new Int32Array(0),
  };
  const looked = lookedUp(parts);
  const recordsAt = (documents: ArrayLike<number>): Promise<readonly IndexedRecord[]> =>
    records(Array.from(documents, (document) => ordinals[document]!));
  const source: SearchSource = {
    holdsMessages: false,
    columns: {
      lengths,
      authors: new Int32Array(count).fill(-1),
      sentAt: new Float64Array(alignedBuffer(parts.dates)),
      topics: new Int32Array(count).fill(-1),
    },
    firstDocument: FIRST_DOCUMENT,
    ...liveTotals(lengths, FIRST_DOCUMENT, NONE),
    dead: NONE,
    lookUp: async () => looked,
    texts: async (documents) => (await recordsAt(documents)).map(indexedText),
    values: async (documents, field) => (await recordsAt(documents)).map((record) => valuesOf(record, field)),
    facts: async () => ({
      threads: empty,
      sizes: new Uint32Array(alignedBuffer(parts.sizes)),
      traits: empty,
      languages: noNames,
      domains: noNames,
      labels: { starts: new Uint32Array(count + 1), values: new Uint32Array(0), names: [""] },
    }),
    repeats: async () => new Uint32Array(0),
    places: async () => places,
    recipients: async () => ({ starts: new Uint32Array(count + 1), values: new Uint32Array(0) }),
    mentions: async () => ({ starts: new Uint32Array(count + 1), values: new Uint32Array(0), names: [[""]] }),
    marked: async () => NOTHING_MARKED,
    sourcePaths,
    bySender: async () => [],
    contactNames: async (contacts) => contacts.map(() => ""),
    topicNames: async (topics) => topics.map(() => ""),
  };
  return { source, kinds: { numbers: parts.kinds, names: names.kinds }, ordinals };
}

const NONE: ReadonlySet<number> = new Set();

/** Looks up terms only: indexes of records have no contacts, threads, Message-IDs, files or topics. */
function lookedUp(parts: Readonly<Record<Part, Uint8Array>>): LookedUp {
  const terms = JSON.parse(Buffer.from(parts.blockTerms).toString()) as readonly string[];
  const block = pieceOf(parts.blocks, parts.blockEnds);
  const spellings = terms.map((term) => Buffer.from(term));
  /** Index of the last block whose first term is at most a text, or -1. */
  const lastNotBehind = (text: string): number => {
    const wanted = Buffer.from(text);
    let [low, high] = [0, spellings.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (Buffer.compare(spellings[middle]!, wanted) <= 0) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  };
  return {
    ...termReader({
      segments: [0],
      blockOf(_, term) {
        const place = lastNotBehind(term);
        return place < 0 ? undefined : block(place);
      },
      blocksBehind(_, prefix) {
        const [first, last] = [lastNotBehind(prefix) + 1, lastNotBehind(prefix + LAST_CHARACTER)];
        return Array.from({ length: Math.max(0, last - first + 1) }, (_unused, index) => block(first + index));
      },
      list: pieceOf(parts.lists, parts.listEnds),
      ofCopies: () => null,
    }),
    contactOf: () => null,
    addressedTo: () => [],
    inThread: () => [],
    withMessageId: () => [],
    withFile: () => [],
    topicsNamed: () => [],
  };
}

function cutParts(stored: Uint8Array): Readonly<Record<Part, Uint8Array>> {
  const view = new DataView(stored.buffer, stored.byteOffset, stored.length);
  let at = 0;
  const cut = PARTS.map((part): readonly [Part, Uint8Array] => {
    const start = at + LENGTH_BYTES;
    at = start + view.getUint32(at, true);
    return [part, stored.subarray(start, at)];
  });
  return Object.fromEntries(cut) as Record<Part, Uint8Array>;
}

function pieceOf(bytes: Uint8Array, stored: Uint8Array): (place: number) => Uint8Array {
  const ends = new Uint32Array(alignedBuffer(stored));
  return (place) => bytes.subarray(place === 0 ? 0 : ends[place - 1]!, ends[place]!);
}

function bytesOf({ buffer }: Uint32Array | Int32Array | Float64Array): Uint8Array {
  return new Uint8Array(buffer);
}

function lengthOf(part: Uint8Array): Uint8Array {
  return bytesOf(Uint32Array.of(part.length));
}
