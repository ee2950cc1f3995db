/**
 * Zeros of the scripts that write decimal digits of their own (Unicode general category Nd), each followed by its one
 * to nine: Arabic, N'Ko, the scripts of India, Thai, Lao, Tibetan, Myanmar, Khmer, Mongolian and others.
 */
const ZEROS = [
  0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0de6, 0x0e50,
  0x0ed0, 0x0f20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50,
  0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0,
];

/** Characters without width, as a class of a regular expression. */
const INVISIBLES = "\\u00ad\\u034f\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff";
const INVISIBLE = new RegExp(`[${INVISIBLES}]`);

/** First and last code of a run of characters, and the ASCII code that the first one stands for. */
const RUNS: readonly (readonly [first: number, last: number, ascii: number])[] = [
  [0xff01, 0xff5e, 0x21], // fullwidth forms of "!" to "~"
  ...ZEROS.map((zero) => [zero, zero + 9, 0x30] as const),
];

/** Lookalikes of single ASCII characters. */
const SINGLES: ReadonlyMap<number, number> = new Map(
  (
    [
      [" ", "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"],
      ["\n", "\u2028\u2029"],
      ["-", "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63"],
      [".", "\u2024\u3002\ufe52\uff61"],
      [":", "\ufe55"],
      ["@", "\ufe6b"],
    ] as const
  ).flatMap(([ascii, forms]) => Array.from(forms, (form) => [form.charCodeAt(0), ascii.charCodeAt(0)] as const)),
);

const escaped = (code: number): string => `\\u${code.toString(16).padStart(4, "0")}`;

/**
 * Characters that look like ASCII, or like nothing, and so can hide an address or a number from a scan: no-break and
 * typographic spaces, dashes, fullwidth forms of East Asian keyboards, other scripts' decimal digits, zero-width and
 * direction characters.
 */
const LOOKALIKE = new RegExp(
  `[${INVISIBLES}${[...SINGLES.keys()].map(escaped).join("")}${RUNS.map(([first, last]) => `${escaped(first)}-${escaped(last)}`).join("")}]`,
);

/**
 * True if a text contains a lookalike. Most texts are ASCII, for which this check is ten times as fast as a regular
 * expression.
 */
function hasLookalike(text: string): boolean {
  return Buffer.byteLength(text) !== text.length && LOOKALIKE.test(text);
}

export const hasInvisible = (text: string): boolean => INVISIBLE.test(text);

/** The code to scan instead of `code`; `invisible` for a zero-width character. */
function plainCode(code: number, invisible: number): number {
  if (code < 0xa0) return code;
  const single = SINGLES.get(code);
  if (single !== undefined) return single;
  for (const [first, last, ascii] of RUNS) if (code >= first && code <= last) return code - first + ascii;
  return hasInvisible(String.fromCharCode(code)) ? invisible : code;
}

/** Text with lookalikes as ASCII, and the original offset of each code unit; null if nothing changed. */
export interface PlainText {
  readonly text: string;
  readonly starts: Int32Array | null;
  readonly ends: Int32Array | null;
}

/** Replacement of zero-width characters: nothing inside a number, a blank between words. */
export const NOTHING = -1;
export const BLANK = 0x20;

/** Maximum code units converted to a string at once, because the argument list of a call is limited. */
const STRING_BLOCK = 8192;

/**
 * Replaces each lookalike, and zero-width characters by `invisible`; returns the same text if there are none. The
 * result contains no lookalike.
 */
export function plainText(text: string, invisible: typeof NOTHING | typeof BLANK): PlainText {
  if (!hasLookalike(text)) return { text, starts: null, ends: null };
  const codes = new Uint16Array(text.length);
  const starts = new Int32Array(text.length);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const code = plainCode(text.charCodeAt(i), invisible);
    if (code === NOTHING) continue;
    codes[length] = code;
    starts[length++] = i;
  }
  const blocks: string[] = [];
  for (let start = 0; start < length; start += STRING_BLOCK) {
    blocks.push(String.fromCharCode(...codes.subarray(start, Math.min(start + STRING_BLOCK, length))));
  }
  return { text: blocks.join(""), starts, ends: starts.map((start) => start + 1) };
}
