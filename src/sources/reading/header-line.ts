const COLON = 0x3a;
const SPACE = 0x20;
const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;

/** Maximum bytes of a field name. RFC 5322 sets no limit; real names have less than 80. */
const FIELD_NAME_BYTES_MAX = 128;

/** Bytes of a file that are read to detect a message. */
export const SNIFF_BYTES = 64 * 1024;

/** Fields of which every real message has at least one; in lower case. */
const TELLING_FIELDS: ReadonlySet<string> = new Set([
  "from",
  "to",
  "cc",
  "date",
  "subject",
  "message-id",
  "received",
  "return-path",
  "delivered-to",
  "mime-version",
  "content-type",
  "reply-to",
  "sender",
  "status",
  "x-mailer",
  "x-mozilla-status",
]);

/**
 * Length of the field name when a header field begins at `at` (RFC 5322 section 2.2, blanks before the colon allowed as
 * in section 4.5), else 0.
 */
export function fieldNameLength(bytes: Buffer, at: number): number {
  const end = Math.min(bytes.length, at + FIELD_NAME_BYTES_MAX);
  let index = at;
  while (index < end) {
    const byte = bytes[index]!;
    if (byte <= SPACE || byte >= 0x7f || byte === COLON) break;
    index++;
  }
  const length = index - at;
  if (length === 0) return 0;
  while (index < end && (bytes[index] === SPACE || bytes[index] === TAB)) index++;
  return index < end && bytes[index] === COLON ? length : 0;
}

/** Position after a UTF-8 byte order mark and blank lines: some exporters write them before the first header. */
export function skipLead(bytes: Buffer): number {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (at < bytes.length && (bytes[at] === LF || bytes[at] === CR)) at++;
  return at;
}

/** True if the bytes at `at` are "From ". */
export function startsWithFrom(bytes: Buffer, at: number): boolean {
  return (
    bytes[at] === 0x46 &&
    bytes[at + 1] === 0x72 &&
    bytes[at + 2] === 0x6f &&
    bytes[at + 3] === 0x6d &&
    bytes[at + 4] === SPACE
  );
}

/**
 * True if the bytes begin with a header block that has at least one common field. A text file that begins with `Note:
 * …` does not count.
 */
export function looksLikeMessage(bytes: Buffer): boolean {
  const end = Math.min(bytes.length, SNIFF_BYTES);
  let at = skipLead(bytes);
  if (startsWithFrom(bytes, at)) at = nextLine(bytes, at, end);
  for (let line = 0; at < end; line++) {
    const first = bytes[at]!;
    const isFolded = line > 0 && (first === SPACE || first === TAB);
    if (!isFolded) {
      const length = fieldNameLength(bytes, at);
      if (length === 0) return false;
      if (TELLING_FIELDS.has(bytes.toString("latin1", at, at + length).toLowerCase())) return true;
    }
    at = nextLine(bytes, at, end);
  }
  return false;
}

/** Start of the next line; CR alone ends a line too (mail of the classic Mac OS). */
function nextLine(bytes: Buffer, at: number, end: number): number {
  let index = at;
  while (index < end) {
    const byte = bytes[index]!;
    index++;
    if (byte === LF) return index;
    if (byte === CR) return bytes[index] === LF ? index + 1 : index;
  }
  return end;
}
