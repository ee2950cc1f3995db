import { decodeCharset } from "../charset/decode-charset.ts";
import { SLASH } from "../mail/words/ascii.ts";
import { decodeReferences } from "../text/html/character-references.ts";
import { HtmlTokenizer } from "../text/html/html-tokenizer.ts";
import type { FileTextWriter } from "./file-text.ts";

/** Text elements of a document and their replacements; names in lower case, with prefix. */
export interface XmlLayout {
  /** Elements whose text is part of the document, including their descendants. */
  readonly text: ReadonlySet<string>;
  /** Elements that are skipped completely. */
  readonly skipped: ReadonlySet<string>;
  /** Written at the start of an element: tabs and breaks. */
  readonly before: Readonly<Record<string, string>>;
  /** Text added at the end of an element: paragraphs, cells, rows. */
  readonly after: Readonly<Record<string, string>>;
}

/**
 * Writes the text of an XML document in its order. One pass over tags without a tree: depth is unlimited, and entity
 * declarations are ignored, so no entity can expand.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over tags, whose depths are one state
export function writeXmlText(xml: Buffer, layout: XmlLayout, out: FileTextWriter): void {
  const tokens = new HtmlTokenizer(decodeCharset(xml, "utf-8"));
  /** Number of open text elements and of skipped ones. */
  let textDepth = 0;
  let skippedDepth = 0;
  for (let hasTag = true; hasTag && !out.isCut; ) {
    hasTag = tokens.next();
    if (textDepth > 0 && skippedDepth === 0 && tokens.textEnd > tokens.textStart)
      out.write(decodeReferences(tokens.html.slice(tokens.textStart, tokens.textEnd)));
    const { name, isEndTag } = tokens;
    const isEmpty = !isEndTag && tokens.html.charCodeAt(tokens.attributesEnd - 1) === SLASH;
    const step = isEndTag ? -1 : isEmpty ? 0 : 1;
    if (layout.skipped.has(name)) skippedDepth = Math.max(0, skippedDepth + step);
    if (layout.text.has(name)) textDepth = Math.max(0, textDepth + step);
    if (skippedDepth > 0) continue;
    if (!isEndTag) out.write(ownEntry(layout.before, name));
    if (isEndTag || isEmpty) out.write(ownEntry(layout.after, name));
  }
}

function ownEntry(table: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(table, name) ? table[name]! : "";
}
