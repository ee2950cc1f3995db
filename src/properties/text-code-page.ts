/**
 * Which code page an 8-bit string of a store is in. ANSI stores are written in the code page of the machine and seldom
 * say which; no reader tried got a Japanese one right.
 */

/**
 * Windows code pages, each with the code pages that mail of it is sent in (`PidTagInternetCodepage`): who sends
 * iso-2022-jp types Shift-JIS.
 */
const INTERNET_OF_ANSI: readonly (readonly [ansi: number, ...internet: readonly number[]])[] = [
  [932, 50220, 50221, 50222, 51932, 20932],
  [949, 50225, 51949],
  [936, 20936, 50227, 51936, 52936, 54936],
  [950, 51950],
  [874],
  [1250, 28592],
  [1251, 20866, 21866, 28595],
  [1253, 28597],
  [1254, 28599],
  [1255, 28598, 38598],
  [1256, 28596],
  [1257, 28594, 28603],
  [1258],
];
const ANSI_OF_INTERNET: ReadonlyMap<number, number> = new Map(
  INTERNET_OF_ANSI.flatMap((row) => row.map((codePage) => [codePage, row[0]])),
);

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
