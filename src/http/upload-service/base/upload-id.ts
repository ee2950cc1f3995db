/** RFC 4648 base32 in lower case: no character of it must be escaped in a URL or a file name. */
const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
/** 60 random bits: among a million uploads, the chance that two share an id is one in two million. */
const ID_CHARACTERS = 12;
const UPLOAD_ID = new RegExp(`^upload-[${ALPHABET}]{${ID_CHARACTERS}}$`);

/** `upload-` and 12 random characters. @param randomBytes gives that many bytes, each of them random. */
export function newUploadId(randomBytes: (count: number) => Uint8Array): string {
  // 256 is a multiple of 32, so that all characters are equally likely.
  return `upload-${Array.from(randomBytes(ID_CHARACTERS), (byte) => ALPHABET[byte % ALPHABET.length]).join("")}`;
}

/** True for a text in exactly the form that `newUploadId` returns: it is safe as a file or directory name. */
export function isUploadId(text: string): boolean {
  return UPLOAD_ID.test(text);
}
