/** Tags that begin an HTML document, including closing forms. */
const OPENING = /<(!doctype|html|head|body|table)\b/iuy;
const CLOSING: Readonly<Record<string, RegExp>> = {
  "!doctype": /<\/(?:html|body)\s{0,3}>/iu,
  html: /<\/html\s{0,3}>/iu,
  head: /<\/head\s{0,3}>/iu,
  body: /<\/body\s{0,3}>/iu,
  table: /<\/table\s{0,3}>/iu,
};

/** Beginnings of an HTML fragment, which also ends with a tag. */
const PIECE = /<(?:p|div|font|center|span|h[1-6]|blockquote|br|b|img|a|style|title)\b[^<>]{0,500}>/iuy;
/** Minimum closing tags of an HTML fragment: text about HTML that begins with a tag has fewer. */
const MANY_CLOSED = 5;
const CLOSED = /<\/(?:a|b|body|center|div|font|h[1-6]|head|html|i|li|p|span|strong|table|td|title|tr|ul)\s{0,3}>/giu;

/** Constructs allowed before the first tag of a document, by start and end; the first match counts. */
const PROLOGUE: readonly (readonly [beginning: RegExp, end: string])[] = [
  [/<!--/uy, "-->"],
  [/<\?xml\s/iuy, "?>"],
  [/<meta\s/iuy, ">"],
  // An invalid declaration, which browsers treat as a comment.
  [/<!\s/uy, ">"],
];

/**
 * True for an HTML document or fragment, whatever its media type: programs send pages as text/plain. Comments may
 * precede its first tag.
 */
export function isHtmlDocument(text: string): boolean {
  const document = behindPrologue(text);
  OPENING.lastIndex = 0;
  const opening = OPENING.exec(document);
  if (opening !== null) return CLOSING[opening[1]!.toLowerCase()]!.test(document) || closesMany(document);
  return isAtStart(PIECE, document) && document.trimEnd().endsWith(">") && closesMany(document);
}

function closesMany(document: string): boolean {
  CLOSED.lastIndex = 0;
  let closed = 0;
  while (closed < MANY_CLOSED && CLOSED.test(document)) closed++;
  return closed === MANY_CLOSED;
}

function behindPrologue(text: string): string {
  // Skips blanks without a regular expression, which would store a backtracking position for each of millions.
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
