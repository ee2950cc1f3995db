import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decodePostings,
  joinPostings,
  lastDocument,
  MAX_DOCUMENT,
  markPostings,
  type Posting,
  visitPostings,
  writePostings,
} from "./posting-codec.ts";
import { VarintReader, VarintWriter } from "./varint.ts";

function encode(postings: readonly Posting[]): Uint8Array {
  const writer = new VarintWriter();
  const flat = Uint32Array.from(postings.flatMap(({ document, termFrequency }) => [document, termFrequency]));
  writePostings(writer, flat, [0, flat.length]);
  return writer.copy();
}

const POSTINGS = fc.uniqueArray(fc.integer({ min: 1, max: MAX_DOCUMENT }), { maxLength: 50 }).chain((documents) =>
  fc
    .array(fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 0xffff_ffff })), {
      minLength: documents.length,
      maxLength: documents.length,
    })
    .map((frequencies) =>
      documents
        .sort((left, right) => left - right)
        .map((document, i) => ({ document, termFrequency: frequencies[i] ?? 1 })),
    ),
);

describe("varints", () => {
  it("read back as written", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff_ffff })), (values) => {
        const writer = new VarintWriter();
        for (const value of values) writer.writeVarint(value);
        const reader = new VarintReader(writer.copy());
        expect(values.map(() => reader.readVarint())).toEqual(values);
        expect(reader.isAtEnd).toBe(true);
      }),
    );
  });

  it("end with zeros when the bytes end early", () => {
    const reader = new VarintReader(Uint8Array.of(0x80));
    expect([reader.readVarint(), reader.readVarint()]).toEqual([0, 0]);
  });
});

describe("posting lists", () => {
  it("read back as written", () => {
    fc.assert(
      fc.property(POSTINGS, (postings) => {
        const data = encode(postings);
        expect(decodePostings(data)).toEqual(postings);
        const visited: number[] = [];
        visitPostings(data, (document) => visited.push(document));
        expect(visited).toEqual(postings.map((posting) => posting.document));
        expect(lastDocument(data)).toBe(postings.at(-1)?.document ?? 0);
      }),
    );
  });

  it("mark the documents that they contain", () => {
    fc.assert(
      fc.property(POSTINGS, POSTINGS, (postings, others) => {
        const chosen = [...postings.slice(0, 20), ...others].map(({ document }) => document);
        const documents = Uint32Array.from(new Set(chosen)).sort();
        const held = new Uint8Array(documents.length);
        markPostings(encode(postings), documents, held);
        const contained = new Set(postings.map(({ document }) => document));
        expect(Array.from(held)).toEqual(Array.from(documents, (document) => (contained.has(document) ? 1 : 0)));
      }),
    );
  });

  it("joined from two parts equal the list written in one go", () => {
    fc.assert(
      fc.property(POSTINGS, fc.nat(50), (postings, cut) => {
        const writer = new VarintWriter();
        let previous = 0;
        for (const part of [postings.slice(0, cut), postings.slice(cut)]) {
          if (part.length === 0) continue;
          const data = encode(part);
          joinPostings(writer, data, previous);
          previous = lastDocument(data);
        }
        expect(writer.copy()).toEqual(encode(postings));
      }),
    );
  });

  it("use one byte for the next message with one occurrence", () => {
    expect(encode([1, 2, 3].map((document) => ({ document, termFrequency: 1 })))).toHaveLength(3);
  });
});
