import { isAscii } from "node:buffer";
import {
  BACKSLASH,
  CLOSING_BRACE,
  CLOSING_BRACKET,
  COLON,
  COMMA,
  OPENING_BRACE,
  OPENING_BRACKET,
  QUOTE,
} from "../mail/words/ascii.ts";

/**
 * Cuts one large JSON object into its values, and its arrays into their elements, with at most one of them in memory.
 * It only looks for quotes, escapes and brackets; JSON.parse validates each piece. Accepts any valid formatting and
 * order of keys.
 */

interface DocumentValue {
  readonly kind: "value";
  readonly key: string;
  readonly value: unknown;
  /** Byte offset of the first byte of the piece. */
  readonly offset: number;
}
/** Start of an array; its elements follow. */
interface DocumentArray {
  readonly kind: "array";
  readonly key: string;
  readonly offset: number;
}
export interface DocumentElement {
  readonly kind: "element";
  readonly key: string;
  readonly index: number;
  readonly element: unknown;
  readonly offset: number;
}
/** Skips an invalid or oversized piece; if `isFatal`, nothing after it can be read. */
interface DocumentFault {
  readonly kind: "fault";
  readonly key: string | null;
  readonly index: number | null;
  readonly message: string;
  readonly offset: number;
  readonly isFatal: boolean;
}
export type DocumentPart = DocumentValue | DocumentArray | DocumentElement | DocumentFault;

/** Maximum bytes of one piece. A string cannot be longer than about twice this, and no mail is nearly that large. */
const MAX_PIECE_BYTES = 256 * 1024 * 1024;

const IS_QUOTE = 2;
/** Effect of a byte outside of strings on the depth: 1 opens, -1 closes, and a quote begins a string. */
const BYTE_KINDS = new Int8Array(256);
for (const byte of [OPENING_BRACE, OPENING_BRACKET]) BYTE_KINDS[byte] = 1;
for (const byte of [CLOSING_BRACE, CLOSING_BRACKET]) BYTE_KINDS[byte] = -1;
BYTE_KINDS[QUOTE] = IS_QUOTE;

/** What the scanner expects next outside of pieces. */
type Expecting =
  | "document"
  | "key-or-end"
  | "key"
  | "colon"
  | "value"
  | "comma-or-end"
  | "element-or-end"
  | "element"
  | "element-comma-or-end"
  | "nothing";

interface Grammar {
  /** Description for errors. */
  readonly words: string;
  /** Bytes with a structural meaning, and what follows them. */
  readonly next: ReadonlyMap<number, Expecting>;
  /** Pieces that may begin here. */
  readonly piece: "none" | "string" | "any";
}

const GRAMMAR: Record<Expecting, Grammar> = {
  document: { words: "an object", next: new Map([[OPENING_BRACE, "key-or-end"]]), piece: "none" },
  "key-or-end": { words: "a key or }", next: new Map([[CLOSING_BRACE, "nothing"]]), piece: "string" },
  key: { words: "a key", next: new Map(), piece: "string" },
  colon: { words: "a colon", next: new Map([[COLON, "value"]]), piece: "none" },
  value: { words: "a value", next: new Map([[OPENING_BRACKET, "element-or-end"]]), piece: "any" },
  "comma-or-end": {
    words: "a comma or }",
    next: new Map<number, Expecting>([
      [COMMA, "key"],
      [CLOSING_BRACE, "nothing"],
    ]),
    piece: "none",
  },
  "element-or-end": { words: "an element or ]", next: new Map([[CLOSING_BRACKET, "comma-or-end"]]), piece: "any" },
  element: { words: "an element", next: new Map(), piece: "any" },
  "element-comma-or-end": {
    words: "a comma or ]",
    next: new Map<number, Expecting>([
      [COMMA, "element"],
      [CLOSING_BRACKET, "comma-or-end"],
    ]),
    piece: "none",
  },
  nothing: { words: "nothing more", next: new Map(), piece: "none" },
};

/** A string ends at its quote, a container at its last bracket, anything else before a delimiter. */
type PieceKind = "string" | "container" | "scalar";

/** Bytes of a string that are checked one by one before a native search for its end is faster. */
const SHORT_STRING_BYTES = 24;

export class DocumentScanner {
  private expecting: Expecting = "document";
  private key: string | null = null;
  private index = 0;
  /** Offset of the first byte of the present chunk. */
  private chunkOffset = 0;
  private hasFailed = false;

  /** The piece being read; null between pieces. */
  private piece: PieceKind | null = null;
  private pieceOffset = 0;
  /** Bytes of the piece from earlier chunks; dropped once it is too large. */
  private carried: Buffer[] = [];
  private carriedBytes = 0;
  private depth = 0;
  private inString = false;
  /** The previous chunk ended in a string, after the backslash of an escape. */
  private escapePending = false;

  /** @param maxPieceBytes larger pieces are faults, and are never kept in memory. */
  constructor(private readonly maxPieceBytes: number = MAX_PIECE_BYTES) {}

  /** Parts that end within this chunk, which may be reused afterwards. */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the state that a chunk of bytes may end in is kept in one place
  *push(chunk: Buffer): Generator<DocumentPart> {
    let at = this.chunkOffset === 0 && startsWithByteOrderMark(chunk) ? 3 : 0;
    while (at < chunk.length && !this.hasFailed) {
      if (this.piece === null) {
        const byte = chunk[at]!;
        if (!isSpace(byte)) {
          const part = this.takeStructure(byte, this.chunkOffset + at);
          if (part !== null) yield part;
        }
        if (this.piece === null) at++;
        continue;
      }
      const start = Math.max(0, this.pieceOffset - this.chunkOffset);
      const end = this.piece === "scalar" ? scalarEnd(chunk, at) : this.bracketEnd(chunk, at);
      if (end === -1) {
        this.carry(chunk.subarray(start));
        break;
      }
      const part = this.finishPiece(chunk.subarray(start, end));
      if (part !== null) yield part;
      at = end;
    }
    this.chunkOffset += chunk.length;
  }

  /** Checks the end after the last chunk. */
  *end(): Generator<DocumentPart> {
    if (this.hasFailed || (this.expecting === "nothing" && this.piece === null)) return;
    const missing = this.piece === null ? GRAMMAR[this.expecting].words : "the rest of a value";
    yield this.fault(`unexpected end of document: expected ${missing}`, this.chunkOffset, true);
  }

  private fault(message: string, offset: number, isFatal: boolean): DocumentFault {
    if (isFatal) this.hasFailed = true;
    return {
      kind: "fault",
      key: this.key,
      index: this.expecting.startsWith("element") ? this.index : null,
      message,
      offset,
      isFatal,
    };
  }

  /** Processes a byte between pieces, or begins a piece with it. */
  private takeStructure(byte: number, offset: number): DocumentPart | null {
    const grammar = GRAMMAR[this.expecting];
    const next = grammar.next.get(byte);
    if (next === undefined) {
      if (grammar.piece === "none" || isDelimiter(byte) || (grammar.piece === "string" && byte !== QUOTE)) {
        const found = JSON.stringify(String.fromCharCode(byte));
        return this.fault(`expected ${grammar.words}, found ${found}`, offset, true);
      }
      this.piece =
        byte === QUOTE ? "string" : byte === OPENING_BRACE || byte === OPENING_BRACKET ? "container" : "scalar";
      this.pieceOffset = offset;
      this.depth = 0;
      this.inString = false;
      return null;
    }
    this.expecting = next;
    if (next === "element") this.index++;
    if (next !== "element-or-end") return null;
    this.index = 0;
    return { kind: "array", key: this.key!, offset };
  }

  /**
   * Returns the index after the last byte of a string or container that continues at `at`; -1 if it continues in the
   * next chunk.
   */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the state that a chunk of bytes may end in is kept in one place
  private bracketEnd(chunk: Buffer, at: number): number {
    const length = chunk.length;
    let depth = this.depth;
    let inString = this.inString;
    while (at < length) {
      if (inString) {
        at = this.stringEnd(chunk, at);
        if (at === -1) break;
        inString = false;
        if (depth === 0) return at;
      }
      while (at < length) {
        const kind = BYTE_KINDS[chunk[at]!]!;
        at++;
        if (kind === 0) continue;
        if (kind === IS_QUOTE) {
          inString = true;
          break;
        }
        depth += kind;
        if (depth === 0) return at;
      }
    }
    this.depth = depth;
    this.inString = inString;
    return -1;
  }

  /**
   * Returns the index after the closing quote of a string that continues at `at`; -1 if it continues in the next chunk.
   */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the state that a chunk of bytes may end in is kept in one place
  private stringEnd(chunk: Buffer, at: number): number {
    if (this.escapePending) at++;
    this.escapePending = false;
    const near = Math.min(chunk.length, at + SHORT_STRING_BYTES);
    while (at < near) {
      const byte = chunk[at]!;
      if (byte === QUOTE) return at + 1;
      at += byte === BACKSLASH ? 2 : 1;
    }
    while (at < chunk.length) {
      const quote = chunk.indexOf(QUOTE, at);
      const end = quote === -1 ? chunk.length : quote;
      let backslashes = 0;
      while (end - backslashes > at && chunk[end - backslashes - 1] === BACKSLASH) backslashes++;
      const isEscaped = backslashes % 2 === 1;
      if (quote === -1) {
        this.escapePending = isEscaped;
        return -1;
      }
      if (!isEscaped) return quote + 1;
      at = quote + 1;
    }
    this.escapePending = at > chunk.length;
    return -1;
  }

  private carry(bytes: Buffer): void {
    this.carriedBytes += bytes.length;
    if (this.carriedBytes > this.maxPieceBytes) this.carried = [];
    else this.carried.push(Buffer.from(bytes));
  }

  private finishPiece(tail: Buffer): DocumentPart | null {
    const offset = this.pieceOffset;
    const bytes = this.carriedBytes + tail.length;
    const pieces = this.carried;
    this.piece = null;
    this.carried = [];
    this.carriedBytes = 0;
    const at = this.expecting;
    const isKey = GRAMMAR[at].piece === "string";
    const read =
      bytes > this.maxPieceBytes
        ? tooLarge(bytes, this.maxPieceBytes)
        : parsePiece(pieces.length === 0 ? tail : Buffer.concat([...pieces, tail]));
    if (isKey && read.message === null) this.key = read.value as string;
    const part = read.message === null ? null : this.fault(read.message, offset, isKey);
    this.expecting = isKey ? "colon" : at === "value" ? "comma-or-end" : "element-comma-or-end";
    if (part !== null || isKey) return part;
    if (at === "value") return { kind: "value", key: this.key!, value: read.value, offset };
    return { kind: "element", key: this.key!, index: this.index, element: read.value, offset };
  }
}

interface ReadPiece {
  readonly value: unknown;
  /** The problem; null if there is none. */
  readonly message: string | null;
}

function tooLarge(bytes: number, maxBytes: number): ReadPiece {
  return { value: null, message: `${bytes} bytes in one value; the maximum is ${maxBytes}` };
}

function parsePiece(bytes: Buffer): ReadPiece {
  try {
    return { value: JSON.parse(bytes.toString(isAscii(bytes) ? "latin1" : "utf8")), message: null };
  } catch (error) {
    return { value: null, message: error instanceof Error ? error.message : String(error) };
  }
}

/** Index of the first byte that is not part of a number or word; -1 if the chunk ends before. */
function scalarEnd(chunk: Buffer, at: number): number {
  for (; at < chunk.length; at++) {
    const byte = chunk[at]!;
    if (isSpace(byte) || isDelimiter(byte)) return at;
  }
  return -1;
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isDelimiter(byte: number): boolean {
  return byte === COMMA || byte === COLON || byte === CLOSING_BRACE || byte === CLOSING_BRACKET;
}

function startsWithByteOrderMark(chunk: Buffer): boolean {
  return chunk.length >= 3 && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf;
}
