/**
 * Published text is valid Unicode: no lone surrogates (which break UTF-8 writers) and no NUL (which ends strings in C
 * readers and SQLite tools).
 */
export function wellFormed(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes("\0") ? whole.replaceAll("\0", "") : whole;
}
