/** Digits between two thousands separators. */
const GROUP_DIGITS = 3;

/**
 * `42661` -> `42,661`, like `toLocaleString("en-US")`, whose first call loads the tables of all locales: a tenth of
 * the time of a short command. @param count a non-negative integer
 */
export function formatCount(count: number): string {
  const digits = String(count);
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= GROUP_DIGITS)
    groups.unshift(digits.slice(Math.max(0, end - GROUP_DIGITS), end));
  return groups.join(",");
}

/** The noun for a count: `topic` for 1, `topics` for other numbers. */
export function nounOf(count: number, noun: string): string {
  return count === 1 ? noun : `${noun}s`;
}

/** `1 message`, `42,661 messages`. */
export function countOf(count: number, noun: string): string {
  return `${formatCount(count)} ${nounOf(count, noun)}`;
}
