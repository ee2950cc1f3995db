import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { isUploadId, newUploadId } from "./upload-id.ts";

describe("upload ids", () => {
  it("are twelve characters of base32, each byte giving one", () => {
    expect(newUploadId((count) => Uint8Array.from({ length: count }, (_, index) => index * 23))).toBe(
      "upload-axof4tkbypg5",
    );
    expect(newUploadId((count) => new Uint8Array(count).fill(255))).toBe("upload-777777777777");
  });

  it("are recognized", () => {
    for (let round = 0; round < 100; round++) expect(isUploadId(newUploadId(randomBytes))).toBe(true);
    const foreign = [
      "",
      "upload-",
      "upload-AAAAAAAAAAAA",
      "upload-aaaaaaaaaaa",
      "upload-aaaaaaaaaaaaa",
      "upload-aaaaaaaaaa/.",
      "upload-aaaaaaaaaaa1",
    ];
    expect(foreign.filter(isUploadId)).toEqual([]);
    expect(isUploadId("upload-aaaaaaaaaaaa\n")).toBe(false);
  });
});
