import { TokenScanner } from "../../text/tokens/tokens.ts";
import { isPattern } from "../indexing/term-pattern.ts";

/** Scripts whose runs are indexed as pairs of characters. */
const UNSPACED =
  /^[\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Bopo}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]+$/u;

/** One token of the same letters and digits, in lower case: nearly every word of a query. */
const PLAIN_WORD = /^[a-z\d]{1,32}$/i;

/** A token and its byte offset in a text. */
interface PlacedToken {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Tokens of a query's text in index form. A wildcard (`*`, `?`) next to a letter becomes part of its token
 * (term-pattern.ts); a question mark in a URL is not a wildcard. The index has the last character of an unspaced run
 * after its pairs; it is omitted at the end of the text. A single character of such a script becomes a pattern if it
 * may begin a run. @param hasWildcards false to read `*` and `?` as separators
 */
export function queryTokens(text: string, hasWildcards: boolean): string[] {
  if (PLAIN_WORD.test(text)) return [text.toLowerCase()];
  if (!hasWildcards) return wordsOf(text, true).map((token) => token.text);
  const tokens: string[] = [];
  let open = "";
  const close = (): void => {
    if (/[^*?]/.test(open)) tokens.push(open);
    open = "";
  };
  const parts = text.split(/[/=&]/.test(text) ? /(\*+)/ : /((?:\*|\?)+)/);
  parts.forEach((part, at) => {
    if (at % 2 === 1) {
      open += part.replace(/\*+/g, "*");
      return;
    }
    const words = wordsOf(part, !/[\p{L}\p{N}]/u.test(parts.slice(at + 1).join("")));
    const size = Buffer.byteLength(part);
    if (size > 0 && words.length === 0) close();
    words.forEach((word, index) => {
      if (index > 0 || word.start > 0 || isUnspaced(word.text)) close();
      open += word.text;
      if (index < words.length - 1 || word.end < size || isUnspaced(word.text)) close();
    });
  });
  close();
  return tokens;
}

/** Signs that change the meaning of a word: `R&D`, `C++`, `C#`. */
const SIGN_AFTER = /^(?:&(?=[\p{L}\p{N}])|\+{1,2}(?![\p{L}\p{N}+])|#(?![\p{L}\p{N}#]))/u;
/** As in `.NET`. */
const SIGN_BEFORE = /(?:^|\s)\.$/;

/**
 * Signs required directly before the first and after each token of a text, in the form of `Phrase.signs`; empty if
 * there are none, and for texts with wildcards and for URLs.
 */
export function literalSigns(text: string, tokens: readonly string[]): readonly string[] {
  if (!/[.&+#]/.test(text) || text.includes("/") || tokens.some(isPattern)) return [];
  const utf8 = Buffer.from(text);
  const words = wordsOf(text, true);
  const first = words[0]!;
  const isLetter = /^\p{L}/u.test(first.text);
  const before = isLetter && SIGN_BEFORE.test(utf8.toString("utf8", 0, first.start)) ? "." : "";
  const after = words.map(({ end }) => SIGN_AFTER.exec(utf8.toString("utf8", end))?.[0] ?? "");
  return before === "" && after.every((sign) => sign === "") ? [] : [before, ...after];
}

function wordsOf(text: string, isEnd: boolean): readonly PlacedToken[] {
  const scanner = new TokenScanner();
  scanner.reset(Buffer.from(text));
  const placed: PlacedToken[] = [];
  while (scanner.next()) placed.push({ text: scanner.text(), start: scanner.start, end: scanner.end });
  return placed.flatMap((token, at) => {
    const [before, next] = [placed[at - 1], placed[at + 1]];
    if (!isUnspaced(token.text) || Array.from(token.text).length > 1) return [token];
    const isRest = before !== undefined && before.end > token.start;
    if (isRest) return next === undefined && isEnd ? [] : [token];
    return next?.start === token.end ? [token] : [{ ...token, text: `${token.text}*` }];
  });
}

function isUnspaced(token: string): boolean {
  return UNSPACED.test(token.replaceAll("*", ""));
}
