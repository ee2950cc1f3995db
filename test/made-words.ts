/** Words of all frequencies: the first is in nearly every text, the last in few. */
export function madeWords(count: number): readonly string[] {
  return Array.from({ length: count }, (_, rank) => `${"abcdefgh"[rank % 8]}${"aeiou"[rank % 5]}word${rank}`);
}

/** Upper bound of a number. */
export type NextNumber = (below: number) => number;

/** The same numbers in every run, from a separate generator. */
export function madeNumbers(seed: number): NextNumber {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Picks a word, roughly by Zipf's law: the frequency of a word depends on its rank. */
export function nextWord(words: readonly string[], next: NextNumber): string {
  return words[Math.floor(words.length ** (next(1_000) / 1_000)) - 1]!;
}
