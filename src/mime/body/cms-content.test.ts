import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { signedBer, signedDer } from "../../../test/signed-data.ts";
import { cmsContent, signedContent } from "./cms-content.ts";

const content = fc.uint8Array({ minLength: 1, maxLength: 3000 }).map((bytes) => Buffer.from(bytes));

describe("signed data", () => {
  it("returns the signed content, in one piece or in chunks", () => {
    fc.assert(
      fc.property(content, fc.integer({ min: 1, max: 1000 }), (bytes, chunkBytes) => {
        expect(signedContent(signedDer(bytes))).toEqual(bytes);
        expect(signedContent(signedBer(bytes, chunkBytes))).toEqual(bytes);
        expect(cmsContent(signedBer(bytes, chunkBytes))).toBe("signed-data");
      }),
    );
  });

  it("returns null for other bytes, and never throws", () => {
    expect(signedContent(Buffer.from("Content-Type: text/plain"))).toBeNull();
    fc.assert(
      fc.property(content, fc.nat(), fc.nat(255), (bytes, at, value) => {
        const damaged = signedBer(bytes, 100);
        damaged[at % damaged.length] = value;
        signedContent(damaged);
        signedContent(damaged.subarray(0, at % damaged.length));
      }),
    );
    // Elements that open and never close.
    expect(
      signedContent(Buffer.concat([signedBer(Buffer.from("x"), 1).subarray(0, 20), Buffer.alloc(1 << 20, 0x24)])),
    ).toBe(null);
  });
});
