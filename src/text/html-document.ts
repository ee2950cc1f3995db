/**
 * What an HTML document begins with, and what of it also closes; without a closing tag it is text about HTML, or a page
 * that was cut off.
 */
const OPENING = /<(!doctype|html|head|body|table)\b/iuy;
const CLOSING: Readonly<Record<string, RegExp>> = {
  "!doctype": /<\/(?:html|body)>/iu,
  html: /<\/html>/iu,
  head: /<\/head>/iu,
  body: /<\/body>/iu,
  table: /<\/table>/iu,
};

/** True when a text is an HTML document, whatever its media type says: programs send pages as text/plain. */
export function isHtmlDocument(text: string): boolean {
  // Not by the expression: it would remember each of millions of blanks to come back to.
  OPENING.lastIndex = text.length - text.trimStart().length;
  const opening = OPENING.exec(text);
  return opening !== null && CLOSING[opening[1]!.toLowerCase()]!.test(text);
}
