import { isAscii } from "node:buffer";
import { isLowerLetterOrDigit } from "../mail/ascii.ts";
import { MAX_TOKEN_BYTES, TokenScanner } from "../text/tokens.ts";

/** Tells whether a sequence of tokens stands in UTF-8 text. */
export class PhraseMatcher {
  private readonly inAscii: AsciiPhrase;
  private readonly inAny: TokenPhrase;

  /** @param tokens as the tokeniser yields them; at least one. */
  constructor(tokens: readonly string[]) {
    this.inAscii = new AsciiPhrase(tokens);
    this.inAny = new TokenPhrase(tokens);
  }

  occursIn(utf8: Uint8Array): boolean {
    return isAscii(utf8) ? this.inAscii.occursIn(utf8) : this.inAny.occursIn(utf8);
  }
}

/**
 * Nearly all mail is ASCII, and there tokens are the runs of letters and digits: the longest token of the phrase is
 * looked for with the machine's own search, and only around it text is cut. Five times faster than the tokeniser.
 */
class AsciiPhrase {
  private readonly tokens: readonly string[];
  /** Place of the longest token: the rarest, as a rule. */
  private readonly anchor: number;

  constructor(tokens: readonly string[]) {
    this.tokens = tokens;
    const longest = Math.max(...tokens.map((token) => token.length));
    this.anchor = tokens.findIndex((token) => token.length === longest);
  }

  occursIn(ascii: Uint8Array): boolean {
    const text = Buffer.from(ascii.buffer, ascii.byteOffset, ascii.length).toString("latin1").toLowerCase();
    const anchor = this.tokens[this.anchor]!;
    for (let at = text.indexOf(anchor); at >= 0; at = text.indexOf(anchor, at + anchor.length)) {
      const end = at + anchor.length;
      if (
        !isLowerLetterOrDigit(text.charCodeAt(at - 1)) &&
        !isLowerLetterOrDigit(text.charCodeAt(end)) &&
        this.surrounds(text, at, end)
      )
        return true;
    }
    return false;
  }

  /** True when the other tokens stand before and behind the anchor. */
  private surrounds(text: string, start: number, end: number): boolean {
    let behind = end;
    for (let i = this.anchor + 1; i < this.tokens.length; i++) {
      const token = this.tokens[i]!;
      const next = endOfNext(text, behind);
      if (next - token.length < behind || !isRun(text, next - token.length, token)) return false;
      behind = next;
    }
    let before = start;
    for (let i = this.anchor - 1; i >= 0; i--) {
      const token = this.tokens[i]!;
      const last = startOfLast(text, before);
      if (last + token.length > before || !isRun(text, last, token)) return false;
      before = last;
    }
    return true;
  }
}

/** True when exactly the token stands there, not a part of a longer run. */
function isRun(text: string, at: number, token: string): boolean {
  return (
    text.startsWith(token, at) &&
    !isLowerLetterOrDigit(text.charCodeAt(at - 1)) &&
    !isLowerLetterOrDigit(text.charCodeAt(at + token.length))
  );
}

/** End of the first token behind `from`, or the end of the text. Runs that are too long are no tokens. */
function endOfNext(text: string, from: number): number {
  let at = from;
  for (;;) {
    while (at < text.length && !isLowerLetterOrDigit(text.charCodeAt(at))) at++;
    const start = at;
    while (at < text.length && isLowerLetterOrDigit(text.charCodeAt(at))) at++;
    if (at - start <= MAX_TOKEN_BYTES) return at;
  }
}

/** Beginning of the last token before `to`, or 0. */
function startOfLast(text: string, to: number): number {
  let at = to;
  for (;;) {
    while (at > 0 && !isLowerLetterOrDigit(text.charCodeAt(at - 1))) at--;
    const end = at;
    while (at > 0 && isLowerLetterOrDigit(text.charCodeAt(at - 1))) at--;
    if (end - at <= MAX_TOKEN_BYTES) return at;
  }
}

/** The sequence among the tokens of any text (Knuth, Morris and Pratt 1977), so that no text makes it go back. */
class TokenPhrase {
  private readonly scanner = new TokenScanner();
  private readonly tokens: readonly Uint8Array[];
  private readonly borders: readonly number[];

  constructor(tokens: readonly string[]) {
    this.tokens = tokens.map((token) => new TextEncoder().encode(token));
    this.borders = bordersOf(tokens);
  }

  occursIn(utf8: Uint8Array): boolean {
    const { scanner, tokens, borders } = this;
    let matched = 0;
    scanner.reset(utf8);
    while (scanner.next()) {
      while (matched > 0 && !this.isToken(matched)) matched = borders[matched - 1]!;
      if (this.isToken(matched)) matched++;
      if (matched === tokens.length) return true;
    }
    return false;
  }

  private isToken(index: number): boolean {
    const expected = this.tokens[index]!;
    const { bytes, length } = this.scanner;
    if (expected.length !== length) return false;
    for (let i = 0; i < length; i++) if (bytes[i] !== expected[i]) return false;
    return true;
  }
}

/** For each beginning of the sequence the length of its longest proper beginning that is also its end. */
function bordersOf(tokens: readonly string[]): readonly number[] {
  const borders: number[] = [0];
  let border = 0;
  for (let i = 1; i < tokens.length; i++) {
    while (border > 0 && tokens[i] !== tokens[border]) border = borders[border - 1]!;
    if (tokens[i] === tokens[border]) border++;
    borders.push(border);
  }
  return borders;
}
