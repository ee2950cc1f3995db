/**
 * The content of a Cryptographic Message Syntax object (RFC 5652): what S/MIME mail that is signed in one piece carries.
 * Signatures are not looked at. Elements are read as BER: mail programs write them with indefinite lengths and in
 * chunks. What does not fit gives null, and nothing is read twice.
 */

const OBJECT_IDENTIFIER = 0x06;
const SEQUENCE = 0x30;
const CONSTRUCTED = 0x20;
const LONG_TAG = 0x1f;
/** Bytes of a length: 4 count more than a message may have. */
const MAX_LENGTH_BYTES = 4;

export type CmsContent = "signed-data" | "enveloped-data";

/** Object identifiers of content types (RFC 5652 sections 5.1, 6.1, 8; RFC 5083), in hex. */
const CONTENT_TYPES: Readonly<Record<string, CmsContent>> = {
  "2a864886f70d010702": "signed-data",
  "2a864886f70d010703": "enveloped-data",
  "2a864886f70d010706": "enveloped-data",
  "2a864886f70d0109100117": "enveloped-data",
};

interface Element {
  readonly tag: number;
  /** Where its content lies; an indefinite one reaches to its mark, which is not looked for. */
  readonly start: number;
  readonly end: number;
}

/** What the object holds; null for what is none, or holds something else. */
export function cmsContent(bytes: Uint8Array): CmsContent | null {
  return contentTypeOf(bytes)?.type ?? null;
}

function contentTypeOf(bytes: Uint8Array): { readonly type: CmsContent; readonly end: number } | null {
  const outer = elementAt(bytes, 0, bytes.length);
  const oid = outer === null || outer.tag !== SEQUENCE ? null : elementAt(bytes, outer.start, outer.end);
  if (oid === null || oid.tag !== OBJECT_IDENTIFIER || oid.end - oid.start > 16) return null;
  const type = CONTENT_TYPES[Buffer.from(bytes.subarray(oid.start, oid.end)).toString("hex")];
  return type === undefined ? null : { type, end: oid.end };
}

function elementAt(bytes: Uint8Array, at: number, limit: number): Element | null {
  if (at < 0 || at + 2 > limit) return null;
  const tag = bytes[at]!;
  if ((tag & LONG_TAG) === LONG_TAG) return null;
  const first = bytes[at + 1]!;
  if (first < 0x80) return within({ tag, start: at + 2, end: at + 2 + first }, limit);
  const count = first & 0x7f;
  if (count === 0) return (tag & CONSTRUCTED) === 0 ? null : { tag, start: at + 2, end: limit };
  if (count > MAX_LENGTH_BYTES || at + 2 + count > limit) return null;
  let length = 0;
  for (let index = 0; index < count; index++) length = length * 256 + bytes[at + 2 + index]!;
  const start = at + 2 + count;
  return within({ tag, start, end: start + length }, limit);
}

function within(element: Element, limit: number): Element | null {
  return element.end <= limit ? element : null;
}
