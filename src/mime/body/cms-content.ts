/**
 * Reads the content of a Cryptographic Message Syntax object (RFC 5652), as used by opaque-signed S/MIME mail.
 * Signatures are not verified. Elements are parsed as BER, because mail programs use indefinite lengths and chunks.
 * Invalid data gives null, and nothing is read twice.
 */

const OBJECT_IDENTIFIER = 0x06;
const SEQUENCE = 0x30;
const OCTET_STRING = 0x04;
const CHUNKED_OCTET_STRING = 0x24;
/** `[0] EXPLICIT`. */
const EXPLICIT = 0xa0;
/** The two zero bytes that end an element of indefinite length. */
const END_OF_CONTENTS = 0x00;
const CONSTRUCTED = 0x20;
const LONG_TAG = 0x1f;
/** Maximum bytes of a length: 4 can express more than a message may have. */
const MAX_LENGTH_BYTES = 4;
/** Maximum elements of an object: as an octet string in chunks of 1,000 bytes, the usual size, 64 MB. */
const MAX_ELEMENTS = 64_000;

type CmsContent = "signed-data" | "enveloped-data";

/** Object identifiers of content types (RFC 5652 sections 5.1, 6.1, 8; RFC 5083), in hex. */
const CONTENT_TYPES: Readonly<Record<string, CmsContent>> = {
  "2a864886f70d010702": "signed-data",
  "2a864886f70d010703": "enveloped-data",
  "2a864886f70d010706": "enveloped-data",
  "2a864886f70d0109100117": "enveloped-data",
};

interface Element {
  readonly tag: number;
  /** Start of its content; indefinite content ends at its mark, which is not searched for. */
  readonly start: number;
  readonly end: number;
  readonly isIndefinite: boolean;
}

/** The content of the object; null if it is invalid or of another type, such as certificates without a content. */
export function cmsContent(object: Uint8Array): CmsContent | null {
  const bytes = withoutArmor(object);
  const type = contentTypeOf(bytes)?.type ?? null;
  const info = type === "signed-data" ? signedInfo(bytes) : null;
  return info !== null && info.content === null ? null : type;
}

/** The signed bytes if they are inside (RFC 5652 section 5.2); null otherwise. */
export function signedContent(object: Uint8Array): Buffer | null {
  const bytes = withoutArmor(object);
  const content = inside(bytes, signedInfo(bytes)?.content ?? null, EXPLICIT);
  return content === null ? null : octets(bytes, content);
}

const ARMOR = "-----BEGIN ";

/** The object in PEM armor, as OpenSSL writes it; other bytes unchanged. */
function withoutArmor(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== ARMOR.charCodeAt(0)) return bytes;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const start = text.indexOf("\n");
  const end = text.indexOf("-----END", start);
  return text.startsWith(ARMOR) && end > 0 ? Buffer.from(text.slice(start, end), "base64") : bytes;
}

/** The content of signed data, null if it has none; null if it cannot be read so far. */
function signedInfo(bytes: Uint8Array): { readonly content: Element | null } | null {
  const head = contentTypeOf(bytes);
  if (head === null || head.type !== "signed-data") return null;
  const data = inside(bytes, elementAt(bytes, head.end, bytes.length), EXPLICIT);
  if (data === null || data.tag !== SEQUENCE) return null;
  // version, digestAlgorithms, then encapContentInfo: its type, and the content.
  const info = elementAt(bytes, endOf(bytes, endOf(bytes, data.start)), bytes.length);
  const type = info === null || info.tag !== SEQUENCE ? null : elementAt(bytes, info.start, info.end);
  if (type === null || type.tag !== OBJECT_IDENTIFIER) return null;
  const content = elementAt(bytes, type.end, info!.end);
  return { content: content?.tag === END_OF_CONTENTS ? null : content };
}

function contentTypeOf(bytes: Uint8Array): { readonly type: CmsContent; readonly end: number } | null {
  const outer = elementAt(bytes, 0, bytes.length);
  const oid = outer === null || outer.tag !== SEQUENCE ? null : elementAt(bytes, outer.start, outer.end);
  if (oid === null || oid.tag !== OBJECT_IDENTIFIER || oid.end - oid.start > 16) return null;
  const type = CONTENT_TYPES[Buffer.from(bytes.subarray(oid.start, oid.end)).toString("hex")];
  return type === undefined ? null : { type, end: oid.end };
}

/** The first element inside one, which must have the tag. */
function inside(bytes: Uint8Array, element: Element | null, tag: number): Element | null {
  return element === null || element.tag !== tag ? null : elementAt(bytes, element.start, element.end);
}

function elementAt(bytes: Uint8Array, at: number, limit: number): Element | null {
  if (at < 0 || at + 2 > limit) return null;
  const tag = bytes[at]!;
  if ((tag & LONG_TAG) === LONG_TAG) return null;
  const first = bytes[at + 1]!;
  if (first < 0x80) return within({ tag, start: at + 2, end: at + 2 + first, isIndefinite: false }, limit);
  const count = first & 0x7f;
  if (count === 0) return (tag & CONSTRUCTED) === 0 ? null : { tag, start: at + 2, end: limit, isIndefinite: true };
  if (count > MAX_LENGTH_BYTES || at + 2 + count > limit) return null;
  let length = 0;
  for (let index = 0; index < count; index++) length = length * 256 + bytes[at + 2 + index]!;
  const start = at + 2 + count;
  return within({ tag, start, end: start + length, isIndefinite: false }, limit);
}

/** An element whose end was cut ends where its data end. */
function within(element: Element, limit: number): Element {
  return element.end <= limit ? element : { ...element, end: limit };
}

/** End of the element at an offset; -1 if it has none. */
function endOf(bytes: Uint8Array, from: number): number {
  let open = 0;
  let at = from;
  for (let count = 0; count < MAX_ELEMENTS; count++) {
    const element = elementAt(bytes, at, bytes.length);
    if (element === null) return -1;
    if (element.isIndefinite) {
      open++;
      at = element.start;
      continue;
    }
    if (element.tag === END_OF_CONTENTS) open--;
    at = element.end;
    if (open <= 0) return at;
  }
  return -1;
}

/** The bytes of an octet string, its chunks joined; from damaged data, what precedes the damage. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: nested chunks are walked with a counter, as recursion over input could overflow
function octets(bytes: Uint8Array, whole: Element): Buffer | null {
  if (whole.tag === OCTET_STRING) return Buffer.from(bytes.subarray(whole.start, whole.end));
  if (whole.tag !== CHUNKED_OCTET_STRING) return null;
  const chunks: Uint8Array[] = [];
  let open = whole.isIndefinite ? 1 : 0;
  let at = whole.start;
  for (let count = 0; count < MAX_ELEMENTS && at < whole.end; count++) {
    const element = elementAt(bytes, at, whole.end);
    if (element === null) break;
    at = element.end;
    if (element.tag === OCTET_STRING) chunks.push(bytes.subarray(element.start, element.end));
    else if (element.tag === CHUNKED_OCTET_STRING) {
      if (element.isIndefinite) open++;
      at = element.start;
    } else if (element.tag === END_OF_CONTENTS) open--;
    else break;
    if (whole.isIndefinite && open === 0) break;
  }
  return chunks.length === 0 ? null : Buffer.concat(chunks);
}
