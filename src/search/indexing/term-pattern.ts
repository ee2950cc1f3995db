import { isStem, stemMatcher, stemStart } from "./stem-pattern.ts";

/** Maximum terms of a pattern, the most frequent first: each is a scan of its postings. */
export const MAX_PATTERN_TERMS = 1000;

const WILDCARD = /[*?]/;

/**
 * True for a term with wildcards (`*` stands for any characters, `?` for one, and at the end for one at most) and for a
 * stem (stem-pattern.ts).
 */
export function isPattern(term: string): boolean {
  return WILDCARD.test(term) || isStem(term);
}

/** Common start of all terms of a pattern. */
export function literalStart(pattern: string): string {
  if (isStem(pattern)) return stemStart(pattern);
  return pattern.slice(0, pattern.search(WILDCARD));
}

/** Returns a test for terms that match a pattern. A pattern of words never matches the term of a field. */
export function patternMatcher(pattern: string): (term: string) => boolean {
  if (isStem(pattern)) return stemMatcher(pattern);
  const start = literalStart(pattern);
  if (start !== "" && pattern.length === start.length + 1 && pattern.endsWith("*"))
    return (term) => term.startsWith(start);
  const shorter = pattern.endsWith("?") ? Array.from(pattern.slice(0, -1)) : null;
  const whole = Array.from(pattern);
  const isOfField = pattern.startsWith(":");
  // Nearly all terms of a dictionary lack it.
  const longest = pattern.split(WILDCARD).reduce((most, part) => (part.length > most.length ? part : most));
  return (term) => {
    if (term.startsWith(":") !== isOfField || !term.includes(longest)) return false;
    const characters = Array.from(term);
    return matches(whole, characters) || (shorter !== null && matches(shorter, characters));
  };
}

/** Each `*` matches as little as possible; on a mismatch, the last one matches one more character. */
function matches(pattern: readonly string[], term: readonly string[]): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  for (let read = 0; read < term.length; ) {
    if (pattern[at] === "*") {
      star = at++;
      resume = read;
    } else if (pattern[at] === "?" || pattern[at] === term[read]) {
      at++;
      read++;
    } else if (star >= 0) {
      at = star + 1;
      read = ++resume;
    } else return false;
  }
  while (pattern[at] === "*") at++;
  return at === pattern.length;
}

/** True if one of the words, which may be patterns, matches the token. */
export function matchesToken(words: Iterable<string>, token: string): boolean {
  const fits = isPattern(token) ? patternMatcher(token) : (word: string) => word === token;
  for (const word of words) if (fits(word)) return true;
  return false;
}
