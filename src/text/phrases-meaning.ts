/** Entries of a table of phrases, each with what it means: one row for all that mean the same. */
export function meaning<T>(value: T, phrases: readonly string[]): readonly (readonly [string, T])[] {
  return phrases.map((phrase) => [phrase, value] as const);
}
