import fc from "fast-check";
import { expect, it } from "vitest";
import { decryptPassword, encryptPassword } from "./encrypted-password.ts";

const KEY = "0f".repeat(32);
const ID = "upload-axof4tkbypg5";

it("decrypts a password only with the key", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (password) => {
      const sealed = encryptPassword(password, ID, KEY);
      expect(decryptPassword(sealed, ID, KEY)).toBe(password.toWellFormed());
      expect(decryptPassword(sealed, ID, "f0".repeat(32))).toBeNull();
      expect(decryptPassword(sealed, "upload-bxof4tkbypg5", KEY)).toBeNull();
    }),
  );
  // Encrypting one password twice must give different results.
  expect(encryptPassword("harbour", ID, KEY)).not.toBe(encryptPassword("harbour", ID, KEY));
});

it("rejects changed, truncated and forged input", () => {
  const sealed = Buffer.from(encryptPassword("harbour", ID, KEY), "base64");
  fc.assert(
    fc.property(fc.nat(sealed.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const other = Buffer.from(sealed);
      other[at]! ^= change;
      expect(decryptPassword(other.toString("base64"), ID, KEY)).toBeNull();
      expect(decryptPassword(sealed.subarray(0, at).toString("base64"), ID, KEY)).toBeNull();
    }),
  );
  expect(decryptPassword("", ID, KEY)).toBeNull();
});
