import { APOSTROPHE, BACKSLASH, CLOSING_BRACE, DIGIT_0 } from "../../mail/words/ascii.ts";

/**
 * Detects the language of a text by the n-grams of its UTF-8 bytes: the method and the weights of eld (Efficient
 * Language Detector), with the same answers. Its weights are objects in 950 KB of script; compiled as such they take
 * 250 ms and 80 MB in every thread.
 */

/** Weights of n-grams by language. */
export interface LanguageNgrams {
  /** ISO 639-1, in eld's order: of two equally good matches, the first counts. */
  readonly languages: readonly string[];
  /** Offset of the weights of each n-gram. */
  readonly placeOf: ReadonlyMap<string, number>;
  /** For each n-gram: the number of languages that have it, then number and weight of each. */
  readonly weights: Uint16Array;
  /** Word separators, as a global expression. */
  readonly separators: RegExp;
  /** Characters that represent UTF-8 bytes in n-grams. */
  readonly signOfByte: readonly string[];
}

/** Bytes of a text that are analyzed; a word across the end is analyzed completely, up to the second limit. */
const REACH_BYTES = 350;
const MAX_REACH_BYTES = 380;
/** Maximum characters of a word that are analyzed, besides its end. */
const MAX_WORD_SIGNS = 70;
/** Bytes of an n-gram, and distance from one to the next. */
const NGRAM_BYTES = 4;
const STRIDE_BYTES = 3;
/** Amount that eld has subtracted from every weight. */
const LEAST_WEIGHT = 53;

/** ISO 639-1 code of the language with the highest n-gram weight in a text, or null. */
export function languageOfNgrams(text: string, ngrams: LanguageNgrams): string | null {
  const scores = new Uint32Array(ngrams.languages.length);
  for (const gram of gramsOf(wordsOf(text, ngrams))) addWeights(gram, ngrams, scores);
  let best = 0;
  for (let language = 1; language < scores.length; language++) if (scores[language]! > scores[best]!) best = language;
  return scores[best]! > 0 ? (ngrams.languages[best] ?? null) : null;
}

function addWeights(gram: string, { placeOf, weights }: LanguageNgrams, scores: Uint32Array): void {
  const place = placeOf.get(gram);
  if (place === undefined) return;
  const end = place + 1 + 2 * weights[place]!;
  for (let at = place + 1; at < end; at += 2) scores[weights[at]!]! += weights[at + 1]! + LEAST_WEIGHT;
}

/** Words in lower case, one character per byte. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the reach in bytes ends a word, a blank or a character: one pass
function wordsOf(text: string, { separators, signOfByte }: LanguageNgrams): readonly string[] {
  const words: string[] = [];
  let word = "";
  let bytes = 0;
  for (const char of text.replace(separators, " ").trim().toLowerCase()) {
    const code = char.codePointAt(0)!;
    if (code === 0x20) {
      if (word !== "") words.push(word);
      word = "";
      if (bytes > REACH_BYTES) break;
      bytes++;
    } else if (code < 0x80) {
      word += char;
      bytes++;
    } else {
      for (const byte of utf8BytesOf(code)) word += signOfByte[byte];
      bytes += code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4;
    }
    if (bytes > MAX_REACH_BYTES) break;
  }
  if (word !== "") words.push(word);
  return words;
}

/** UTF-8 of a non-ASCII code point (RFC 3629 section 3). */
function utf8BytesOf(code: number): readonly number[] {
  const last = 0x80 | (code & 0x3f);
  if (code < 0x800) return [0xc0 | (code >> 6), last];
  const third = 0x80 | ((code >> 6) & 0x3f);
  if (code < 0x1_0000) return [0xe0 | (code >> 12), third, last];
  return [0xf0 | (code >> 18), 0x80 | ((code >> 12) & 0x3f), third, last];
}

/** Distinct n-grams of words; a blank marks the beginning and end of a word. */
function gramsOf(words: readonly string[]): ReadonlySet<string> {
  const grams = new Set<string>();
  for (const word of words) {
    const length = Math.min(word.length, MAX_WORD_SIGNS);
    let start = 0;
    for (; start + NGRAM_BYTES < length; start += STRIDE_BYTES)
      grams.add((start === 0 ? " " : "") + word.slice(start, start + NGRAM_BYTES));
    const end = length === NGRAM_BYTES - 1 ? word : word.slice(Math.max(0, length - NGRAM_BYTES));
    grams.add(`${start === 0 ? " " : ""}${end} `);
  }
  return grams;
}

/** Bytes of the header's length, little-endian. */
const LENGTH_BYTES = 4;
/** Separates n-grams in a packed table. It occurs in no n-gram, because it separates words. */
const LINE_FEED = "\n";
/** Maximum weights and languages of a packed table, one byte each. */
const MAX_PACKED = 255;

/** JSON header of a packed table. */
interface PackedHead extends Pick<LanguageNgrams, "languages" | "signOfByte"> {
  readonly separators: { readonly source: string; readonly flags: string };
  readonly grams: string;
}

/**
 * A table as bytes, which load in a third of the time of eld's script: length of a JSON header, the header, the
 * weights.
 * @throws RangeError when a weight does not fit
 */
export function packNgrams({ languages, placeOf, weights, separators, signOfByte }: LanguageNgrams): Buffer {
  if (weights.some((weight) => weight > MAX_PACKED)) throw new RangeError("a weight is not a byte");
  const { source, flags } = separators;
  const grams = [...placeOf.keys()].join(LINE_FEED);
  const head = Buffer.from(
    JSON.stringify({ languages, separators: { source, flags }, signOfByte, grams } satisfies PackedHead),
  );
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(head.length);
  return Buffer.concat([length, head, Uint8Array.from(weights)]);
}

/** @param packed by `packNgrams` */
export function unpackNgrams(packed: Buffer): LanguageNgrams {
  const headEnd = LENGTH_BYTES + packed.readUInt32LE();
  const { languages, separators, signOfByte, grams } = JSON.parse(
    packed.toString("utf8", LENGTH_BYTES, headEnd),
  ) as PackedHead;
  const weights = Uint16Array.from(packed.subarray(headEnd));
  const placeOf = new Map<string, number>();
  let place = 0;
  for (const gram of grams.split(LINE_FEED)) {
    placeOf.set(gram, place);
    place += 1 + 2 * weights[place]!;
  }
  return { languages, placeOf, weights, separators: new RegExp(separators.source, separators.flags), signOfByte };
}

/** Parses the weights from the script of eld, which is never run. @throws RangeError if it has another form */
export function readWeights(script: string): Pick<LanguageNgrams, "languages" | "placeOf" | "weights"> {
  const [, list] = /\blanguages:\{([^}]*)\}/.exec(script) ?? [];
  const begin = script.indexOf("ngrams:{") + "ngrams:{".length;
  if (list === undefined || begin < "ngrams:{".length) throw new RangeError("not a file of language n-grams");
  const placeOf = new Map<string, number>();
  const weights: number[] = [];
  for (let at = begin; at < script.length && script.charCodeAt(at) !== CLOSING_BRACE; ) {
    const isQuoted = script.charCodeAt(at) === APOSTROPHE;
    const end = isQuoted ? closingQuote(script, at + 1) : script.indexOf(":", at);
    if (end < 0) throw new RangeError("language n-grams are truncated");
    const gram = isQuoted ? script.slice(at + 1, end).replace(/\\(.)/g, "$1") : script.slice(at, end);
    placeOf.set(gram, weights.length);
    at = readPairs(script, isQuoted ? end + 3 : end + 2, weights);
  }
  return {
    languages: Array.from(list.matchAll(/'(\w+)'/g), ([, code]) => code!),
    placeOf,
    weights: Uint16Array.from(weights),
  };
}

function closingQuote(script: string, from: number): number {
  let end = script.indexOf("'", from);
  while (end > 0 && script.charCodeAt(end - 1) === BACKSLASH) end = script.indexOf("'", end + 1);
  return end;
}

/**
 * Parses `11:42,17:40}`: stores the number of pairs, then every number. Returns the position after it and an optional
 * comma.
 */
function readPairs(script: string, from: number, weights: number[]): number {
  const first = weights.length;
  weights.push(0);
  let number = 0;
  let at = from;
  for (; at < script.length; at++) {
    const code = script.charCodeAt(at);
    if (code >= DIGIT_0 && code < DIGIT_0 + 10) {
      number = number * 10 + code - DIGIT_0;
      continue;
    }
    weights.push(number);
    number = 0;
    if (code === CLOSING_BRACE) break;
  }
  weights[first] = (weights.length - first - 1) / 2;
  return script[at + 1] === "," ? at + 2 : at + 1;
}
