/**
 * Class of a regular expression: characters that look like ASCII, or like nothing, and so can hide an address or a
 * number from a scan: no-break and typographic spaces, dashes, fullwidth forms of East Asian keyboards, other scripts'
 * decimal digits, zero-width and direction characters.
 */
const LOOKALIKES =
  "\\u034f\\u00a0\\u00ad\\u0660-\\u0669\\u06f0-\\u06f9\\u0966-\\u096f\\u180e\\u1680\\u2000-\\u2015\\u2024" +
  "\\u2028-\\u202f\\u205f-\\u206f\\u2212\\u3000\\u3002\\ufe52\\ufe55\\ufe58\\ufe63\\ufe6b\\ufeff\\uff01-\\uff5e\\uff61";
const LOOKALIKE = new RegExp(`[${LOOKALIKES}]`);

/** First and last code of a run of characters, and the ASCII code that the first one stands for. */
const RUNS: readonly (readonly [first: number, last: number, ascii: number])[] = [
  [0x0660, 0x0669, 0x30], // Arabic-Indic digits
  [0x06f0, 0x06f9, 0x30], // extended Arabic-Indic digits
  [0x0966, 0x096f, 0x30], // Devanagari digits
  [0xff01, 0xff5e, 0x21], // fullwidth forms of "!" to "~"
];

/** Characters that stand for one ASCII character each. */
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

const SKIP = -1;

/**
 * True when a text holds one of them. Most texts are ASCII, which is told ten times as fast as a regular expression
 * looks for them.
 */
function hasLookalike(text: string): boolean {
  return Buffer.byteLength(text) !== text.length && LOOKALIKE.test(text);
}

/** The code to scan in place of `code`, or SKIP for a character without width. */
function plainCode(code: number): number {
  if (code < 0xa0) return code;
  const single = SINGLES.get(code);
  if (single !== undefined) return single;
  for (const [first, last, ascii] of RUNS) if (code >= first && code <= last) return code - first + ascii;
  return hasLookalike(String.fromCharCode(code)) ? SKIP : code;
}

/** Text with lookalikes as ASCII, and where each of its code units stood. */
export interface PlainText {
  readonly text: string;
  /** Index in the original of each code unit, one more for the end; null when nothing was changed. */
  readonly origin: Int32Array | null;
}

/** Code units turned into a string at once; the argument list of a call is bounded. */
const STRING_BLOCK = 8192;

/**
 * Replaces lookalikes one by one and drops characters without width; the text itself when there are none. The result
 * holds no lookalike.
 */
export function plainText(text: string): PlainText {
  if (!hasLookalike(text)) return { text, origin: null };
  const codes = new Uint16Array(text.length);
  const origin = new Int32Array(text.length + 1);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const code = plainCode(text.charCodeAt(i));
    if (code === SKIP) continue;
    codes[length] = code;
    origin[length++] = i;
  }
  origin[length] = text.length;
  const blocks: string[] = [];
  for (let start = 0; start < length; start += STRING_BLOCK) {
    blocks.push(String.fromCharCode(...codes.subarray(start, Math.min(start + STRING_BLOCK, length))));
  }
  return { text: blocks.join(""), origin };
}
