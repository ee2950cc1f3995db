/**
 * Which code page an 8-bit string of a store is in. ANSI stores are written in the code page of the machine and seldom
 * say which; no reader tried got a Japanese one right.
 */

/**
 * Windows code page behind the code pages mail is sent in (`PidTagInternetCodepage`): who sends iso-2022-jp types
 * Shift-JIS.
 */
const ANSI_OF_INTERNET: ReadonlyMap<number, number> = new Map([
  [932, 932],
  [50220, 932],
  [50221, 932],
  [50222, 932],
  [51932, 932],
  [20932, 932],
  [949, 949],
  [50225, 949],
  [51949, 949],
  [936, 936],
  [20936, 936],
  [50227, 936],
  [51936, 936],
  [52936, 936],
  [54936, 936],
  [950, 950],
  [51950, 950],
  [874, 874],
  [28592, 1250],
  [1250, 1250],
  [20866, 1251],
  [21866, 1251],
  [28595, 1251],
  [1251, 1251],
  [28597, 1253],
  [1253, 1253],
  [28599, 1254],
  [1254, 1254],
  [28598, 1255],
  [38598, 1255],
  [1255, 1255],
  [28596, 1256],
  [1256, 1256],
  [28594, 1257],
  [28603, 1257],
  [1257, 1257],
  [1258, 1258],
]);

/**
 * The code page of a message's 8-bit strings by the code page it was sent in; null when that does not tell (Latin,
 * UTF-8).
 */
export function ansiOfInternetCodePage(codePage: number | null): number | null {
  return codePage === null ? null : (ANSI_OF_INTERNET.get(codePage) ?? null);
}

/** Two-byte characters in a row before a text is taken for Shift-JIS: one alone is as often `it’s` of windows-1252. */
const MIN_RUN = 2;
const SHIFT_JIS = 932;

/**
 * Tells Shift-JIS from windows-1252 when the file does not. Its lead bytes 0x81-0x9F are quotes and dashes in
 * windows-1252, which do not stand in rows there; a text with a byte that cannot be Shift-JIS is none.
 */
export function detectCodePage(bytes: Uint8Array): number | null {
  let run = 0;
  let longest = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte < 0x80) {
      run = 0;
      continue;
    }
    // Half-width katakana stand alone.
    if (byte >= 0xa1 && byte <= 0xdf) continue;
    const trail = bytes[at + 1];
    if (byte === 0x80 || byte === 0xa0 || byte > 0xfc || trail === undefined || !isTrail(trail)) return null;
    run = byte <= 0x9f ? run + 1 : run;
    longest = Math.max(longest, run);
    at++;
  }
  return longest >= MIN_RUN ? SHIFT_JIS : null;
}

function isTrail(byte: number): boolean {
  return (byte >= 0x40 && byte <= 0x7e) || (byte >= 0x80 && byte <= 0xfc);
}
