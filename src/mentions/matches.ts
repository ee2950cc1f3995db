const NONE: readonly RegExpExecArray[] = [];

/** All matches of a pattern with the flag `g`. `matchAll` copies the pattern for every text. */
export function matchesOf(pattern: RegExp, text: string): readonly RegExpExecArray[] {
  pattern.lastIndex = 0;
  let match = pattern.exec(text);
  if (match === null) return NONE;
  const matches: RegExpExecArray[] = [];
  for (; match !== null; match = pattern.exec(text)) matches.push(match);
  return matches;
}
