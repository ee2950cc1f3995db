import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mapiCrc } from "../../properties/crc.ts";
import { decompressRtf } from "./lzfu.ts";

/** The examples of [MS-OXRTFCP] 3.1 and 3.2: the second has a reference that overlaps its own output. */
const HELLO = "2d0000002b0000004c5a4675f1c5c7a703000a00726370673132354232" + "0af32068656c090020627705b06c647d0a800fa0";
const OVERLAP = "1a0000001c0000004c5a4675e2d44b5141000420575859" + "5a0d6e7d010eb0";

/** LZFu of literals only. */
function compress(content: Buffer, declared = content.length): Buffer {
  const body: number[] = [];
  for (let at = 0; at < content.length; at += 8) body.push(0, ...content.subarray(at, at + 8));
  const header = Buffer.alloc(16);
  header.writeUInt32LE(body.length + 12, 0);
  header.writeUInt32LE(declared, 4);
  header.write("LZFu", 8, "latin1");
  header.writeUInt32LE(mapiCrc(Buffer.from(body)), 12);
  return Buffer.concat([header, Buffer.from(body)]);
}

describe("decompressRtf", () => {
  it("reads the examples of the specification", () => {
    expect(decompressRtf(Buffer.from(HELLO, "hex"))).toEqual({
      bytes: Buffer.from("{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"),
      isIntact: true,
    });
    expect(decompressRtf(Buffer.from(OVERLAP, "hex"))).toEqual({
      bytes: Buffer.from("{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}"),
      isIntact: true,
    });
  });

  it("restores literals", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 6000 }), (content) => {
        expect(decompressRtf(compress(Buffer.from(content)))).toEqual({ bytes: Buffer.from(content), isIntact: true });
      }),
      { numRuns: 50 },
    );
  });

  it("does not allocate the declared size", () => {
    const bomb = compress(Buffer.from("abc"), 0xffff_fff0);
    expect(decompressRtf(bomb)!.bytes.length).toBeLessThanOrEqual(4 * 17);
    expect(decompressRtf(bomb)!.isIntact).toBe(false);
  });

  it("keeps readable data with a wrong CRC, and returns stored data", () => {
    const damaged = compress(Buffer.from("hello"));
    damaged[12] = damaged[12]! ^ 1;
    expect(decompressRtf(damaged)).toEqual({ bytes: Buffer.from("hello"), isIntact: false });
    const stored = Buffer.concat([Buffer.from("110000000500000043454d410000000068656c6c6f", "hex")]);
    stored.write("MELA", 8, "latin1");
    expect(decompressRtf(stored)).toEqual({ bytes: Buffer.from("hello"), isIntact: true });
    // Some libraries include the header in the size. Nothing is missing unless the data ends before its declared end.
    stored.writeUInt32LE(17, 4);
    expect(decompressRtf(stored)).toEqual({ bytes: Buffer.from("hello"), isIntact: true });
    expect(decompressRtf(stored.subarray(0, 19))).toEqual({ bytes: Buffer.from("hel"), isIntact: false });
    const plain = Buffer.from("{\\rtf1 hi}");
    expect(decompressRtf(plain)).toEqual({ bytes: plain, isIntact: true });
    expect(decompressRtf(Buffer.alloc(40))).toBeNull();
    expect(decompressRtf(Buffer.alloc(3))).toBeNull();
  });

  it("never throws", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (noise) => {
        const bytes = Buffer.concat([Buffer.from(HELLO.slice(0, 24), "hex"), Buffer.from(noise)]);
        decompressRtf(bytes);
      }),
    );
  });
});
