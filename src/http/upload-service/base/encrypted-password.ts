import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const CIPHER = "aes-256-gcm";
/** Lengths of the nonce and the authentication tag (NIST SP 800-38D). */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
/** Context for key derivation: the key of the catalog has other uses too. */
const PURPOSE = "archivetool: password of an upload that is not complete";

/**
 * Encrypts the password of an upload, in base64, for a store that others may read. It can be decrypted only with the
 * key of the catalog, and is bound to the upload.
 * @param catalogKey hexadecimal, 256 bits
 */
export function encryptPassword(password: string, uploadId: string, catalogKey: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(catalogKey, uploadId), nonce, { authTagLength: TAG_BYTES });
  const sealed = Buffer.concat([cipher.update(password, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64");
}

/** Null if it was not encrypted for this upload with this key. */
export function decryptPassword(sealed: string, uploadId: string, catalogKey: string): string | null {
  const bytes = Buffer.from(sealed, "base64");
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, keyOf(catalogKey, uploadId), nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const opened = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([opened, decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}

function keyOf(catalogKey: string, uploadId: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", Buffer.from(catalogKey, "hex"), uploadId, PURPOSE, KEY_BYTES));
}
