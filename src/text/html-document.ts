/**
 * What an HTML document begins with, and what of it also closes; without a closing tag it is text about HTML, or a page
 * that was cut off.
 */
const OPENING = /\s*<(!doctype|html|head|body|table)\b/iuy;
const CLOSING: Readonly<Record<string, RegExp>> = {
  "!doctype": /<\/(?:html|body)>/iu,
  html: /<\/html>/iu,
  head: /<\/head>/iu,
  body: /<\/body>/iu,
  table: /<\/table>/iu,
};

/** True when a text is an HTML document, whatever its media type says: programs send pages as text/plain. */
export function isHtmlDocument(text: string): boolean {
  OPENING.lastIndex = 0;
  const opening = OPENING.exec(text);
  return opening !== null && CLOSING[opening[1]!.toLowerCase()]!.test(text);
}
