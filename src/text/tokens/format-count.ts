/** Digits between two commas. */
const GROUP_DIGITS = 3;

/**
 * `42661` -> `42,661`: what `toLocaleString("en-US")` gives, whose first call loads the tables of all locales, a tenth
 * of what a short command takes. @param count a whole number of at least 0.
 */
export function formatCount(count: number): string {
  const digits = String(count);
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= GROUP_DIGITS)
    groups.unshift(digits.slice(Math.max(0, end - GROUP_DIGITS), end));
  return groups.join(",");
}

/** The noun after a count: `topic` after 1, `topics` after other numbers. */
export function nounOf(count: number, noun: string): string {
  return count === 1 ? noun : `${noun}s`;
}

/** `1 message`, `42,661 messages`. */
export function countOf(count: number, noun: string): string {
  return `${formatCount(count)} ${nounOf(count, noun)}`;
}
