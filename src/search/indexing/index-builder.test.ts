import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { joinedNames, wordsAcrossLines } from "../../text/tokens/hyphenated-words.ts";
import { tokensOf } from "../../text/tokens/tokens.ts";
import { IndexBuilder, type IndexedDocument } from "./index-builder.ts";
import { mergeSegments } from "./merge-segments.ts";
import { decodePostings } from "./posting-codec.ts";
import { fieldTerm, type SearchField } from "./search-field.ts";
import { type SegmentBytes, SegmentCursor, segmentDocuments, segmentInMemory, windowBytes } from "./segment.ts";
import { findInBlock, type IndexSink, visitBlock } from "./term-block.ts";

interface StoredIndex {
  readonly lists: Uint8Array[];
  readonly blocks: { readonly firstTerm: string; readonly data: Uint8Array }[];
  readonly lengths: number[];
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const spelled = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** A segment read from a file: each read overwrites the previous one. */
function overwriting(segment: Uint8Array): SegmentBytes {
  let given = Buffer.alloc(0);
  return {
    size: segment.length,
    read(at, length) {
      given.fill(0xff);
      if (given.length < length) given = Buffer.alloc(length);
      given.set(segment.subarray(at, at + length));
      return given.subarray(0, Math.min(length, segment.length - at));
    },
    close: () => undefined,
  };
}

const inMemory = (segment: Uint8Array): SegmentCursor => new SegmentCursor(segmentInMemory(segment));

function buildIndex(
  documents: readonly IndexedDocument[],
  cuts: ReadonlySet<number>,
  cursorOf: (segment: Uint8Array) => SegmentCursor = inMemory,
): StoredIndex {
  const segments: Uint8Array[] = [];
  let builder = new IndexBuilder(1);
  documents.forEach((document, i) => {
    if (cuts.has(i)) {
      const segment = builder.takeSegment();
      if (segment !== null) segments.push(segment);
      // Every other cut is between workers; the rest are full builders.
      if (i % 2 === 0) builder = new IndexBuilder(i + 1);
    }
    builder.add(document);
  });
  const last = builder.takeSegment();
  if (last !== null) segments.push(last);
  const cursors = segments.map(cursorOf);
  const index: StoredIndex = {
    lists: [],
    blocks: [],
    lengths: cursors.flatMap((cursor) => Array.from(cursor.head.lengths)),
  };
  const sink: IndexSink = {
    addPostings: (data) => index.lists.push(data.slice()) - 1,
    addBlock: (firstTerm, data) => void index.blocks.push({ firstTerm, data }),
  };
  mergeSegments(cursors, sink);
  return index;
}

/** Every term with its postings as `document:tf`, read back from the blocks. */
function readIndex(index: StoredIndex): Map<string, string[]> {
  const terms = new Map<string, string[]>();
  for (const { firstTerm, data } of index.blocks) {
    let isFirst = true;
    visitBlock(data, ({ term, documentFrequency, postings }) => {
      if (isFirst) expect(spelled(term)).toBe(firstTerm);
      isFirst = false;
      const list = decodePostings(typeof postings === "number" ? index.lists[postings]! : postings);
      expect(list).toHaveLength(documentFrequency);
      terms.set(
        spelled(term),
        list.map((posting) => `${posting.document}:${posting.termFrequency}`),
      );
      return true;
    });
  }
  return terms;
}

const NAMING: readonly SearchField[] = ["from", "to", "cc"];

/** The same, counted by a simple reference implementation. */
function countIndex(documents: readonly IndexedDocument[]): Map<string, string[]> {
  const counts = new Map<string, Map<number, number>>();
  const count = (term: string, document: number, weight: number): void => {
    const postings = counts.get(term) ?? new Map<number, number>();
    postings.set(document, (postings.get(document) ?? 0) + weight);
    counts.set(term, postings);
  };
  documents.forEach((document, i) => {
    for (const token of tokensOf(`${spelled(document.body)} ${wordsAcrossLines(document.body)}`))
      count(token, i + 1, 1);
    for (const token of tokensOf(spelled(document.subject))) {
      count(token, i + 1, 2);
      count(fieldTerm("subject", token), i + 1, 1);
    }
    for (const { field, text } of document.fields)
      for (const token of tokensOf(`${spelled(text)} ${NAMING.includes(field) ? joinedNames(text) : ""}`))
        count(fieldTerm(field, token), i + 1, 1);
  });
  return new Map(
    Array.from(counts, ([term, postings]) => [term, Array.from(postings, ([document, tf]) => `${document}:${tf}`)]),
  );
}

const WORDS = fc.array(
  fc.oneof(
    fc.constantFrom("the", "budget", "Über", "東京都", "a", "state-\nment", "Anne-Marie O'Lee"),
    fc.string({ maxLength: 6 }),
  ),
  {
    maxLength: 12,
  },
);
const countOf = (text: Uint8Array): number => tokensOf(Buffer.from(text).toString()).length;
const TEXT = WORDS.map((words) => utf8(words.join(" ")));
const FIELD: fc.Arbitrary<Exclude<SearchField, "subject">> = fc.constantFrom("from", "to", "cc", "filename", "has");
const DOCUMENTS: fc.Arbitrary<IndexedDocument[]> = fc.array(
  fc.record({ subject: TEXT, body: TEXT, fields: fc.array(fc.record({ field: FIELD, text: TEXT }), { maxLength: 3 }) }),
  { maxLength: 40 },
);

describe("IndexBuilder and mergeSegments", () => {
  it("agree with a simple count", () => {
    fc.assert(
      fc.property(DOCUMENTS, (documents) => {
        const index = buildIndex(documents, new Set());
        expect(readIndex(index)).toEqual(countIndex(documents));
        expect(index.lengths).toEqual(documents.map(({ body, subject }) => countOf(body) + 2 * countOf(subject)));
      }),
      { numRuns: 20 },
    );
  });

  it("write the same bytes for any division of the range", () => {
    fc.assert(
      fc.property(DOCUMENTS, fc.array(fc.nat(39)), (documents, cuts) => {
        expect(buildIndex(documents, new Set(cuts))).toEqual(buildIndex(documents, new Set()));
      }),
      { numRuns: 20 },
    );
  });

  it("write the same bytes with windows of any size", () => {
    fc.assert(
      fc.property(DOCUMENTS, fc.array(fc.nat(39)), fc.integer({ min: 1, max: 200 }), (documents, cuts, bytes) => {
        const read = buildIndex(documents, new Set(cuts), (segment) => new SegmentCursor(overwriting(segment), bytes));
        expect(read).toEqual(buildIndex(documents, new Set(cuts)));
      }),
      { numRuns: 20 },
    );
  });

  it("share the memory of windows between segments, and return their message counts", () => {
    expect([1, 64, 1_024, 1_000_000].map(windowBytes)).toEqual([262_144, 131_072, 8_192, 4_096]);
    const builder = new IndexBuilder(3);
    for (let message = 0; message < 5; message++) builder.add({ subject: utf8("a"), body: utf8("b"), fields: [] });
    expect(segmentDocuments(segmentInMemory(builder.takeSegment()!))).toBe(5);
  });

  it("sort terms in byte order, in blocks that find each of them", () => {
    const documents = Array.from({ length: 60 }, (_, i) => ({
      subject: utf8(""),
      body: utf8(Array.from({ length: 200 }, (_, j) => `w${(i * 7919 + j * 104_729) % 5003} é${j} common`).join(" ")),
      fields: [],
    }));
    const index = buildIndex(documents, new Set([10, 31]));
    const terms = [...readIndex(index).keys()];
    expect(terms).toEqual([...terms].sort((left, right) => Buffer.compare(utf8(left), utf8(right))));
    expect(index.blocks.length).toBeGreaterThan(10);
    for (const term of ["w0", "w5002", "common", "e199"]) {
      const block = index.blocks.findLast(({ firstTerm }) => firstTerm <= term)!;
      expect(findInBlock(block.data, utf8(term))).not.toBeNull();
      expect(findInBlock(block.data, utf8(`${term}x`))).toBeNull();
    }
  });

  it("return the number of tokens of the body", () => {
    const builder = new IndexBuilder(1);
    expect(builder.add({ subject: utf8("two words"), body: utf8("one two, three"), fields: [] })).toBe(3);
    expect(builder.add({ subject: utf8(""), body: utf8(""), fields: [] })).toBe(0);
  });

  it("have no segment without messages", () => {
    const builder = new IndexBuilder(1);
    expect(builder.takeSegment()).toBeNull();
    builder.add({ subject: utf8(""), body: utf8(""), fields: [] });
    expect(builder.takeSegment()).not.toBeNull();
    expect(builder.takeSegment()).toBeNull();
  });

  it("count a word among very many words", () => {
    const builder = new IndexBuilder(1);
    const body = utf8(Array.from({ length: 100_000 }, (_, i) => `x${i} needle`).join(" "));
    builder.add({ subject: utf8(""), body, fields: [] });
    const cursor = new SegmentCursor(segmentInMemory(builder.takeSegment()!));
    const found = new Map<string, number>();
    while (cursor.next()) found.set(spelled(cursor.term), decodePostings(cursor.postings)[0]!.termFrequency);
    expect(found.size).toBe(100_001);
    expect(found.get("needle")).toBe(100_000);
  });

  it("reject invalid bytes", () => {
    expect(() => new SegmentCursor(segmentInMemory(utf8("not a segment at all")))).toThrow(
      "an index segment is damaged",
    );
  });
});
