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

  it("returns the content of an object in PEM armor, and of one whose end was cut", () => {
    const der = signedDer(Buffer.from("Content-Type: text/plain\r\n\r\ntext"));
    const armored = `-----BEGIN CMS-----\n${der.toString("base64").replace(/.{64}/g, "$&\n")}\n-----END CMS-----\n`;
    expect(signedContent(Buffer.from(armored))?.toString()).toContain("text");
    const whole = signedDer(Buffer.alloc(3000, "a"));
    const cut = signedContent(whole.subarray(0, 1000));
    expect(cut?.toString()).toMatch(/^a{900,}$/);
  });

  it("is not signed if it has only certificates", () => {
    // ContentInfo of SignedData: version 1, no digests, data without content, no signers.
    const certificates = Buffer.from(
      "3023 06092a864886f70d010702 a016 3014 020101 3100 300b 06092a864886f70d010701 3100".replaceAll(" ", ""),
      "hex",
    );
    expect([signedContent(certificates), cmsContent(certificates)]).toEqual([null, null]);
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
