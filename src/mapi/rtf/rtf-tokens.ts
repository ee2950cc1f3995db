import { BACKSLASH, CLOSING_BRACE, isAsciiLetter, isDigit, OPENING_BRACE } from "../../mail/words/ascii.ts";

/** Tokens of RTF ([RTF] 1.9.1, "Basic Entities"). */
type RtfTokenKind = "open" | "close" | "word" | "symbol" | "text" | "byte" | "end";

/** Maximum length of an RTF control word. */
const MAX_WORD = 32;
/** Bit that distinguishes a lower-case letter of ASCII from its capital. */
const LOWER_CASE = 0x20;
/** Maximum digits read of a parameter; RTF numbers have at most ten. */
const MAX_DIGITS = 10;

/** Reads tokens off a buffer. The fields describe the last one; nothing is allocated for text. */
export class RtfTokens {
  kind: RtfTokenKind = "end";
  /** Name of a control word, or the character of a control symbol. */
  word = "";
  /** Number after a control word, or null. */
  parameter: number | null = null;
  /** Value of `\'hh`. */
  byte = 0;
  /** Span of a text token. */
  start = 0;
  end = 0;
  private at = 0;

  constructor(private readonly bytes: Buffer) {}

  next(): RtfTokenKind {
    const { bytes } = this;
    while (this.at < bytes.length) {
      const byte = bytes[this.at]!;
      if (byte === OPENING_BRACE || byte === CLOSING_BRACE) {
        this.at++;
        this.kind = byte === OPENING_BRACE ? "open" : "close";
        return this.kind;
      }
      if (byte === BACKSLASH) return this.readControl();
      // Line ends are only formatting of the source; NULs are padding.
      if (byte === 13 || byte === 10 || byte === 0) {
        this.at++;
        continue;
      }
      return this.readText();
    }
    this.kind = "end";
    return this.kind;
  }

  /** Where the next token begins. */
  get offset(): number {
    return this.at;
  }

  /** Skips the raw bytes of `\binN`. */
  skip(count: number): void {
    this.at = Math.min(this.bytes.length, this.at + Math.max(0, count));
  }

  private readText(): RtfTokenKind {
    const { bytes } = this;
    this.start = this.at;
    while (this.at < bytes.length) {
      const byte = bytes[this.at]!;
      if (
        byte === OPENING_BRACE ||
        byte === CLOSING_BRACE ||
        byte === BACKSLASH ||
        byte === 13 ||
        byte === 10 ||
        byte === 0
      )
        break;
      this.at++;
    }
    this.end = this.at;
    this.kind = "text";
    return this.kind;
  }

  private readControl(): RtfTokenKind {
    const { bytes } = this;
    this.at++;
    const first = bytes[this.at];
    this.parameter = null;
    if (first === undefined) {
      this.kind = "end";
      return this.kind;
    }
    if (first === 0x27) {
      const high = hexDigit(bytes[this.at + 1]);
      const low = hexDigit(bytes[this.at + 2]);
      this.at = Math.min(bytes.length, this.at + 3);
      this.byte = high < 0 || low < 0 ? 0x3f : high * 16 + low;
      this.kind = "byte";
      return this.kind;
    }
    if (!isAsciiLetter(first)) {
      this.at++;
      this.word = String.fromCharCode(first);
      this.kind = "symbol";
      return this.kind;
    }
    const start = this.at;
    let caseBits = 0;
    while (this.at < bytes.length && this.at - start < MAX_WORD && isAsciiLetter(bytes[this.at]!))
      caseBits |= bytes[this.at++]! & LOWER_CASE;
    const word = bytes.toString("latin1", start, this.at);
    // Some programs write every word in capitals; none of the standard is.
    this.word = caseBits === 0 ? word.toLowerCase() : word;
    this.readParameter();
    if (bytes[this.at] === 0x20) this.at++;
    this.kind = "word";
    return this.kind;
  }

  private readParameter(): void {
    const { bytes } = this;
    const isNegative = bytes[this.at] === 0x2d && isDigit(bytes[this.at + 1]);
    let at = isNegative ? this.at + 1 : this.at;
    if (!isDigit(bytes[at])) return;
    let value = 0;
    for (let digits = 0; digits < MAX_DIGITS && isDigit(bytes[at]); digits++) {
      value = value * 10 + bytes[at]! - 0x30;
      at++;
    }
    this.at = at;
    this.parameter = isNegative ? -value : value;
  }
}

function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
