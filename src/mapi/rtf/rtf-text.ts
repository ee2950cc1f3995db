import { decodeCharset, isUnicodeCharset } from "../../charset/decode-charset.ts";
import { type SymbolFont, symbolFontOf, symbolText } from "../../charset/symbol-fonts.ts";
import { CLOSING_BRACE } from "../../mail/words/ascii.ts";
import { wellFormed } from "../../mail/words/unicode.ts";
import { charsetOfCodePage, type TextCharsets } from "../../properties/text-code-page.ts";
import { RtfTokens } from "./rtf-tokens.ts";
import {
  CHARACTER_SETS,
  CHARACTERS,
  CODE_PAGE_OF_CHARSET,
  LEAD_BYTES,
  LIST_TEXTS,
  NEWER_DESTINATIONS,
  SKIPPED_DESTINATIONS,
  SYMBOLS,
} from "./rtf-words.ts";

/** Original format and content of an RTF body. */
interface RtfContent {
  /** `html` when the RTF wraps an HTML mail ([MS-OXRTFEX]); the content is that HTML. */
  readonly kind: "html" | "text";
  readonly content: string;
}

/** Deeper groups are treated as if they were at this depth. RTF written by Word stays below 100. */
const MAX_GROUP_DEPTH = 1000;
/** `\fromhtml1` and `\fromtext` are among the first tokens of the header ([MS-OXRTFEX] 2.1.3.1: the first ten). */
const HEADER_TOKENS = 20;
/** Maximum fonts stored with their charset. */
const MAX_FONTS = 4096;
/** Maximum bytes of the name of a font; those of symbol fonts are shorter. */
const MAX_FONT_NAME = 64;
/** Maximum UTF-16 units of a field instruction: servers do not accept longer URLs. */
const MAX_INSTRUCTION = 4096;
const DEFAULT_CHARSET = "windows-1252";

type Destination = "text" | "skipped" | "htmltag" | "fonttbl" | "fldinst";
/** Number for "no font": of text before the first `\f`, and after `\plain`. */
const DEFAULT_FONT = -1;

/** A field ([RTF] 1.9.1, "Fields"): an instruction and its result. */
interface OpenField {
  readonly depth: number;
  instruction: string;
  readonly resultAt: number;
}

/** State that a group inherits and restores at its end. */
interface GroupState {
  destination: Destination;
  /** True for content only for RTF readers (`\htmlrtf`), hidden or deleted text. */
  isHidden: boolean;
  /** Characters to skip after `\uN`. */
  fallbackLength: number;
  font: number;
  /** The open field: its instruction, and the start of its result in the output. */
  field: OpenField | null;
  /** Destination of the Unicode half within `\upr`, or null. */
  ofUnicodeHalf: Destination | null;
  /** Destination of the result within `\object`, or null. */
  ofResult: Destination | null;
}

/**
 * Extracts the text, or the encapsulated HTML, of RTF. Never throws; damaged RTF gives a partial result. @param
 * charsets of a document that declares none
 */
export function readRtf(bytes: Buffer, charsets: TextCharsets = []): RtfContent {
  const kind = kindOf(bytes);
  const charset = charsets.find((named) => !isUnicodeCharset(named)) ?? DEFAULT_CHARSET;
  const reader = new RtfReader(bytes, { isHtml: kind === "html", charset });
  return { kind, content: wellFormed(reader.read()) };
}

function kindOf(bytes: Buffer): RtfContent["kind"] {
  const tokens = new RtfTokens(bytes);
  for (let seen = 0; seen < HEADER_TOKENS && tokens.next() !== "end"; seen++) {
    if (tokens.kind === "word" && tokens.word === "fromhtml") return tokens.parameter === 0 ? "text" : "html";
    if (tokens.kind === "word" && tokens.word === "fromtext") return "text";
  }
  return "text";
}

class RtfReader {
  private readonly isHtml: boolean;
  private readonly tokens: RtfTokens;
  private readonly output: string[] = [];
  /** Undecoded bytes of `pendingCharset`: two-byte characters come as two `\'hh`. */
  private pending: number[] = [];
  private pendingCharset = DEFAULT_CHARSET;
  /** True after the first half of a two-byte character. */
  private isHalfPending = false;
  private readonly fonts = new Map<number, string>();
  /** Fonts of symbols. In HTML, their letters stay: its tags name the fonts as well. */
  private readonly symbolFonts = new Map<number, SymbolFont>();
  private defaultFont = DEFAULT_FONT;
  private documentCharset: string;
  private readonly stack: GroupState[] = [];
  private state: GroupState = {
    destination: "text",
    isHidden: false,
    fallbackLength: 1,
    font: DEFAULT_FONT,
    field: null,
    ofUnicodeHalf: null,
    ofResult: null,
  };
  private depthBeyondLimit = 0;
  /** True right after `{`, the only place where `\*` has a meaning. */
  private isGroupStart = false;
  /** True right after `{\*`: an unknown destination is then skipped. */
  private isOptional = false;
  private charactersToSkip = 0;

  constructor(
    private readonly bytes: Buffer,
    about: { readonly isHtml: boolean; readonly charset: string },
  ) {
    this.isHtml = about.isHtml;
    this.documentCharset = about.charset;
    this.tokens = new RtfTokens(bytes);
  }

  read(): string {
    const { tokens } = this;
    const lastBrace = this.bytes.lastIndexOf(CLOSING_BRACE);
    while (tokens.next() !== "end") {
      if (tokens.kind === "open") this.open();
      else if (tokens.kind === "close") this.close();
      else if (tokens.kind === "word") this.word();
      else if (tokens.kind === "symbol") this.symbol();
      else if (tokens.kind === "byte") this.byte();
      else this.text();
      this.isGroupStart = tokens.kind === "open";
      // Text after the document is not part of it.
      if (tokens.kind === "close" && this.stack.length === 0 && tokens.offset > lastBrace) break;
    }
    this.flush();
    return this.output.join("");
  }

  private open(): void {
    this.charactersToSkip = 0;
    this.flush();
    if (this.stack.length >= MAX_GROUP_DEPTH) this.depthBeyondLimit++;
    else this.stack.push({ ...this.state });
    this.isOptional = false;
  }

  private close(): void {
    this.charactersToSkip = 0;
    this.flush();
    this.isOptional = false;
    if (this.depthBeyondLimit > 0) {
      this.depthBeyondLimit--;
      return;
    }
    const { field } = this.state;
    if (field !== null && field.depth === this.stack.length) this.endField(field);
    this.state = this.stack.pop() ?? this.state;
  }

  private beginField(): void {
    this.flush();
    this.state.field = { depth: this.stack.length, instruction: "", resultAt: this.output.length };
  }

  /** Appends the target of a link, unless its text is that address. */
  private endField(field: OpenField): void {
    if (this.isHtml || this.state.destination !== "text" || this.state.isHidden) return;
    this.flush();
    const shown = this.output.slice(field.resultAt).join("").trim();
    if (shown === "") this.output.push(symbolOf(field.instruction));
    const target = linkOf(field.instruction);
    if (target !== null && shown !== "" && bareAddress(shown) !== bareAddress(target)) this.output.push(` (${target})`);
  }

  private isShown(): boolean {
    const { destination, isHidden } = this.state;
    // Content of an HTML tag group is HTML even within text for RTF readers only.
    return destination === "htmltag" || destination === "fldinst" || (destination === "text" && !isHidden);
  }

  /** Writes shown text, or the instruction of a field. */
  private write(text: string): void {
    const { destination, field } = this.state;
    if (destination !== "fldinst") this.output.push(text);
    else if (field !== null && field.instruction.length < MAX_INSTRUCTION) field.instruction += text;
  }

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a ladder of control words, each of which changes the state in its own way
  private word(): void {
    const { word, parameter } = this.tokens;
    const isOptional = this.isOptional;
    this.isOptional = false;
    if (this.takesAsFallback()) return;
    if (word === "bin") this.tokens.skip(parameter ?? 0);
    else if (word === "u") this.unicode(parameter ?? 0);
    else if (word === "uc") this.state.fallbackLength = Math.max(0, parameter ?? 1);
    else if (word === "htmlrtf") this.state.isHidden = this.isHtml && parameter !== 0;
    else if (!this.isHtml && (word === "v" || word === "deleted")) this.state.isHidden = parameter !== 0;
    else if (word === "ansicpg") this.setDocumentCodePage(parameter ?? 0);
    else if (CHARACTER_SETS.has(word)) this.setDocumentCodePage(CHARACTER_SETS.get(word)!);
    else if (word === "deff") this.defaultFont = parameter ?? 0;
    else if (word === "plain") this.resetCharacters();
    else if (word === "f") this.setFont(parameter ?? 0);
    else if (word === "fcharset") this.setFontCodePage(CODE_PAGE_OF_CHARSET.get(parameter ?? 0));
    else if (word === "cpg") this.setFontCodePage(parameter ?? 0);
    else if (word === "fonttbl") this.state.destination = "fonttbl";
    else if (word === "htmltag" && isOptional) this.state.destination = this.isHtml ? "htmltag" : "skipped";
    else if (word === "field") this.beginField();
    else if (word === "fldinst") this.state.destination = this.state.field === null ? "skipped" : "fldinst";
    else if (word === "upr") this.beginTwoHalves();
    else if (word === "ud" && this.state.ofUnicodeHalf !== null) this.state.destination = this.state.ofUnicodeHalf;
    else if (word === "object") this.beginObject();
    else if (word === "result" && this.state.ofResult !== null) this.state.destination = this.state.ofResult;
    else if (SKIPPED_DESTINATIONS.has(word) || (this.isHtml && LIST_TEXTS.has(word)))
      this.state.destination = "skipped";
    else if (isOptional && !NEWER_DESTINATIONS.has(word)) this.state.destination = "skipped";
    else {
      const character = CHARACTERS.get(word);
      if (character !== undefined && this.isShown()) this.emit(character);
    }
  }

  private symbol(): void {
    const { word } = this.tokens;
    if (word === "*") {
      this.isOptional = this.isGroupStart;
      return;
    }
    if (this.takesAsFallback()) return;
    // A backslash or brace may be the second half of a character.
    if (this.isHalfPending && word.length === 1 && "\\{}".includes(word)) {
      this.pushByte(word.charCodeAt(0));
      return;
    }
    const symbol = SYMBOLS.get(word);
    if (symbol !== undefined && this.isShown()) this.emit(this.isHtml ? symbol.html : symbol.text);
  }

  private byte(): void {
    if (this.takesAsFallback()) return;
    if (this.isShown()) this.pushByte(this.tokens.byte);
  }

  private text(): void {
    const skipped = Math.min(this.charactersToSkip, this.tokens.end - this.tokens.start);
    this.charactersToSkip -= skipped;
    const start = this.tokens.start + skipped;
    if (this.state.destination === "fonttbl") this.nameFont(start);
    if (!this.isShown() || start === this.tokens.end) return;
    const charset = this.charset();
    if (this.pending.length > 0 && this.pendingCharset === charset) {
      for (let at = start; at < this.tokens.end; at++) this.pushByte(this.bytes[at]!);
      return;
    }
    this.flush();
    this.writeLetters(decodeCharset(this.bytes.subarray(start, this.tokens.end), charset));
  }

  /** Writes text in the font at this position. */
  private writeLetters(text: string): void {
    const symbols = this.symbolFonts.size === 0 ? undefined : this.symbolFonts.get(this.font());
    this.write(symbols === undefined || this.state.destination !== "text" ? text : symbolText(text, symbols));
  }

  private unicode(value: number): void {
    this.charactersToSkip = this.state.fallbackLength;
    if (!this.isShown()) return;
    this.flush();
    // Values above 32,767 are written as negative numbers; surrogates as two values.
    this.writeLetters(String.fromCharCode(value & 0xffff));
  }

  /** Skips the fallback after `\uN` for readers without Unicode. */
  private takesAsFallback(): boolean {
    if (this.charactersToSkip === 0) return false;
    this.charactersToSkip--;
    return true;
  }

  private setDocumentCodePage(codePage: number): void {
    this.documentCharset = charsetOfCodePage(codePage) ?? this.documentCharset;
  }

  /** Charset at this position: of the font, else of the document. */
  private charset(): string {
    return this.fonts.get(this.font()) ?? this.documentCharset;
  }

  private font(): number {
    return this.state.font === DEFAULT_FONT ? this.defaultFont : this.state.font;
  }

  private setFont(font: number): void {
    this.flush();
    this.state.font = font;
  }

  /** Reads the name of a font, which ends with a semicolon. */
  private nameFont(start: number): void {
    if (this.isHtml || this.symbolFonts.size >= MAX_FONTS) return;
    const [name = ""] = this.bytes
      .toString("latin1", start, Math.min(this.tokens.end, start + MAX_FONT_NAME))
      .split(";");
    const symbols = symbolFontOf(name);
    if (symbols !== null) this.symbolFonts.set(this.state.font, symbols);
  }

  private resetCharacters(): void {
    this.setFont(DEFAULT_FONT);
    if (!this.isHtml) this.state.isHidden = false;
  }

  private setFontCodePage(codePage: number | undefined): void {
    const named = charsetOfCodePage(codePage ?? null);
    if (named !== null && this.state.destination === "fonttbl" && this.fonts.size < MAX_FONTS)
      this.fonts.set(this.state.font, named);
  }

  /** `{\upr{text in the code page}{\*\ud{the same in Unicode}}}`: the second half is the text. */
  private beginTwoHalves(): void {
    this.state.ofUnicodeHalf = this.state.destination;
    this.state.destination = "skipped";
  }

  /** Data of an object is no text, but its result is: what readers without its program show. */
  private beginObject(): void {
    this.state.ofResult = this.state.destination;
    this.state.destination = "skipped";
  }

  private emit(text: string): void {
    this.flush();
    this.write(text);
  }

  private pushByte(byte: number): void {
    const charset = this.charset();
    if (this.pendingCharset !== charset) this.flush();
    this.pendingCharset = charset;
    this.pending.push(byte);
    this.isHalfPending = !this.isHalfPending && LEAD_BYTES[charset]?.(byte) === true;
  }

  private flush(): void {
    this.isHalfPending = false;
    if (this.pending.length === 0) return;
    this.writeLetters(decodeCharset(Buffer.from(this.pending), this.pendingCharset));
    this.pending = [];
  }
}

/** The character of a SYMBOL field, such as `SYMBOL 74 \\f "Wingdings"`, whose result is empty; "" for other fields. */
function symbolOf(instruction: string): string {
  const [, code = "", flags = ""] = /^\s*SYMBOL\s+(0x[\da-f]{1,4}|\d{1,5})\b(.*)/is.exec(instruction) ?? [];
  if (code === "") return "";
  const [, quoted, bare] = /\\f\s*(?:"([^"]*)"|([^\s"\\]+))/i.exec(flags) ?? [];
  const symbols = symbolFontOf(quoted ?? bare ?? "");
  const letter = String.fromCharCode(Number(code));
  return symbols === null ? letter : symbolText(letter, symbols);
}

/** The target of a HYPERLINK field: the quoted text after the name, or the next word. Null for other fields. */
function linkOf(instruction: string): string | null {
  const [, quoted, bare] = /^\s*HYPERLINK\s+(?:"([^"]*)"|([^\s"\\]\S*))/i.exec(instruction) ?? [];
  const target = (quoted ?? bare ?? "").trim();
  return /^(?:https?:\/\/|mailto:|ftp:\/\/|file:\/\/|\\\\)\S/i.test(target) ? target : null;
}

/** The common form of a URL and a text that shows it. */
function bareAddress(address: string): string {
  return address
    .toLowerCase()
    .replace(/^(?:https?:\/\/|mailto:)/, "")
    .replace(/\/$/, "");
}
