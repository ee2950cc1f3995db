/** Maximum characters of the header: clients accept 16 KiB of all headers together, and some less. */
const MAX_HEADER_CHARACTERS = 4_000;
/** A semicolon and a space, as in a URL. */
const SEPARATOR = ";%20";

/** The header that reports uninterpretable parts of a query; none if there are no problems. */
export function queryProblemHeaders(problems: readonly string[]): Readonly<Record<string, string>> {
  // Headers are ASCII: everything else is written as in a URL. Cutting a query can leave half a character.
  const sentences = problems.map((problem) => encodeURI(problem.toWellFormed()));
  let length = 0;
  const shown = sentences.filter((sentence) => {
    length += sentence.length + SEPARATOR.length;
    return length <= MAX_HEADER_CHARACTERS;
  });
  if (shown.length < sentences.length) shown.push(`${sentences.length - shown.length}%20more`);
  return shown.length === 0 ? {} : { "x-query-problems": shown.join(SEPARATOR) };
}
