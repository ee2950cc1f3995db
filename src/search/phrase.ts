import { TokenScanner } from "../text/tokens.ts";

/** Finds one sequence of tokens in UTF-8 text (Knuth, Morris and Pratt 1977), so that no text makes it go back. */
export class PhraseMatcher {
  private readonly scanner = new TokenScanner();
  private readonly tokens: readonly Uint8Array[];
  private readonly borders: readonly number[];

  /** @param tokens as the tokeniser yields them; at least one. */
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
      if (this.isToken(matched)) matched += 1;
      if (matched === tokens.length) return true;
    }
    return false;
  }

  private isToken(index: number): boolean {
    const expected = this.tokens[index]!;
    const { bytes, length } = this.scanner;
    if (expected.length !== length) return false;
    for (let i = 0; i < length; i += 1) if (bytes[i] !== expected[i]) return false;
    return true;
  }
}

/** For each beginning of the sequence the length of its longest proper beginning that is also its end. */
function bordersOf(tokens: readonly string[]): readonly number[] {
  const borders: number[] = [0];
  let border = 0;
  for (let i = 1; i < tokens.length; i += 1) {
    while (border > 0 && tokens[i] !== tokens[border]) border = borders[border - 1]!;
    if (tokens[i] === tokens[border]) border += 1;
    borders.push(border);
  }
  return borders;
}
