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

/** What may stand before the first tag of a document, by how it begins and ends; the first that fits. */
const PROLOGUE: readonly (readonly [beginning: RegExp, end: string])[] = [
  [/<!--/uy, "-->"],
  [/<\?xml\s/iuy, "?>"],
  [/<meta\s/iuy, ">"],
  // No declaration: browsers take it for a comment.
  [/<!\s/uy, ">"],
];

/**
 * True when a text is an HTML document, whatever its media type says: programs send pages as text/plain. Comments and the
 * like may come before its first tag.
 */
export function isHtmlDocument(text: string): boolean {
  const document = behindPrologue(text);
  OPENING.lastIndex = 0;
  const opening = OPENING.exec(document);
  return opening !== null && CLOSING[opening[1]!.toLowerCase()]!.test(document);
}

function behindPrologue(text: string): string {
  // Not blanks by an expression: it would remember each of millions to come back to.
  let rest = text.trimStart();
  for (;;) {
    const end = PROLOGUE.find(([beginning]) => isAtStart(beginning, rest))?.[1];
    const at = end === undefined ? -1 : rest.indexOf(end);
    if (at < 0) return rest;
    rest = rest.slice(at + end!.length).trimStart();
  }
}

function isAtStart(sticky: RegExp, text: string): boolean {
  sticky.lastIndex = 0;
  return sticky.test(text);
}
