import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DocumentPart, DocumentScanner } from "./document-scanner.ts";
import { readExtraction } from "./read-extraction.ts";

function scan(chunks: Iterable<Buffer>, maxPieceBytes?: number): readonly DocumentPart[] {
  const scanner = new DocumentScanner(maxPieceBytes);
  const parts: DocumentPart[] = [];
  for (const chunk of chunks) parts.push(...scanner.push(chunk));
  return [...parts, ...scanner.end()];
}

/** Reassembles the document. */
function assemble(parts: readonly DocumentPart[]): Record<string, unknown> {
  const document: Record<string, unknown> = {};
  for (const part of parts) {
    if (part.kind === "value") document[part.key] = part.value;
    else if (part.kind === "array") document[part.key] = [];
    else if (part.kind === "element") (document[part.key] as unknown[])[part.index] = part.element;
    else throw new Error(part.message);
  }
  return document;
}

function pieces(bytes: Buffer, size: number): readonly Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}

const trickyText = fc
  .array(fc.constantFrom('"', "\\", "\\\\", "{", "]", ",", ":", " ", "é", "💌", "x".repeat(30)), { maxLength: 12 })
  .map((parts) => parts.join(""));
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    trickyText,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    tie("list"),
    tie("object"),
  ),
  list: fc.array(tie("value"), { maxLength: 4 }),
  object: fc.dictionary(
    trickyText.filter((key) => key !== "__proto__"),
    tie("value"),
    { maxKeys: 4 },
  ),
}));

describe("DocumentScanner", () => {
  it("agrees with JSON.parse for any formatting and chunk size", () => {
    fc.assert(
      fc.property(
        json.object,
        fc.constantFrom(0, 1, "\t", "\r\n "),
        fc.integer({ min: 1, max: 50 }),
        (document, indent, size) => {
          const text = `${JSON.stringify(document, null, indent)}\n`;
          expect(assemble(scan(pieces(Buffer.from(text), size)))).toEqual(JSON.parse(text));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("survives buffers that are used again", () => {
    const bytes = Buffer.from(JSON.stringify({ messages: [{ body: "hello ".repeat(50) }, { body: "x" }] }));
    const shared = Buffer.alloc(7);
    const reused = pieces(bytes, 7).map((piece) => () => shared.subarray(0, piece.copy(shared)));
    const scanner = new DocumentScanner();
    const parts = reused.flatMap((fill) => [...scanner.push(fill())]);
    expect(assemble(parts)).toEqual(JSON.parse(bytes.toString()));
  });

  it("reports the offset of every piece", () => {
    const text = '\ufeff{ "é": 1, "list": [ {"a": 2} , "x" ] }';
    const bytes = Buffer.from(text);
    const offsets = scan([bytes]).map((part) => bytes.subarray(part.offset, part.offset + 3).toString());
    expect(offsets).toEqual(["1, ", "[ {", '{"a', '"x"']);
  });

  it.each([
    ["", "unexpected end of document: expected an object", 0],
    ["[]", 'expected an object, found "["', 0],
    ['{"a":1', "unexpected end of document: expected the rest of a value", 6],
    ['{"a":[1,2', "unexpected end of document: expected the rest of a value", 9],
    ['{"a":"b', "unexpected end of document: expected the rest of a value", 7],
    ['{"a":[1,]}', 'expected an element, found "]"', 8],
    ['{"a" 1}', 'expected a colon, found "1"', 5],
    ['{"a":1,}', 'expected a key, found "}"', 7],
    ['{"a":1}x', 'expected nothing more, found "x"', 7],
    ['{"a":}', 'expected a value, found "}"', 5],
    ["{1:2}", 'expected a key or }, found "1"', 1],
    ['{"\n":1}', expect.stringContaining("control character"), 1],
  ])("ends at the fault of %j", (text, message, offset) => {
    for (const size of [1, 100]) {
      const parts = scan(pieces(Buffer.from(text), size));
      expect(parts.at(-1)).toMatchObject({ kind: "fault", message, offset, isFatal: true });
    }
  });

  it("skips a broken or oversized element, and continues", () => {
    const text = `{"messages":[{"a":tru},{"b":"${"x".repeat(500)}"},{"c":3}],"tool":nil,"last":1}`;
    for (const size of [1, 64, 4096]) {
      const parts = scan(pieces(Buffer.from(text), size), 100);
      expect(parts).toMatchObject([
        { kind: "array", key: "messages" },
        { kind: "fault", key: "messages", index: 0, offset: 13, isFatal: false },
        {
          kind: "fault",
          key: "messages",
          index: 1,
          offset: 23,
          isFatal: false,
          message: "508 bytes in one value; the maximum is 100",
        },
        { kind: "element", index: 2, element: { c: 3 } },
        { kind: "fault", key: "tool", index: null, isFatal: false },
        { kind: "value", key: "last", value: 1 },
      ]);
    }
  });

  it("never throws, and returns a fatal fault last", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("{", "}", "[", "]", '"', "\\", ",", ":", "1", "a", " "), { maxLength: 30 }),
        async (bytes) => {
          const parts: DocumentPart[] = [];
          for await (const part of readExtraction([Buffer.from(bytes.join(""))])) parts.push(part);
          expect(parts.slice(0, -1).some((part) => part.kind === "fault" && part.isFatal)).toBe(false);
        },
      ),
      { numRuns: 500 },
    );
  });
});
