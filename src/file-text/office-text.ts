import { decodeCharset } from "../charset/decode-charset.ts";
import { decodeReferences } from "../text/html/character-references.ts";
import { HtmlTokenizer } from "../text/html/html-tokenizer.ts";
import { type CellDates, cellDates, cellText } from "./cell-dates.ts";
import { FileTextWriter } from "./file-text.ts";
import { writeXmlText, type XmlLayout } from "./xml-text.ts";
import type { ZipParts } from "./zip-parts.ts";

/** WordprocessingML (ECMA-376 part 1, 17): runs contain text; text deleted under tracking has its own elements. */
const WORD: XmlLayout = {
  text: new Set(["w:t"]),
  skipped: new Set(["mc:fallback"]),
  before: { "w:tab": "\t", "w:br": "\n", "w:cr": "\n", "w:nobreakhyphen": "-" },
  after: { "w:p": "\n", "w:tc": "\t" },
};
const WORD_PARTS = /^word\/(?:document|footnotes|endnotes|comments|header\d{0,3}|footer\d{0,3})\.xml$/;

/** DrawingML (21.1.2), the text of slides and of notes on them. */
const SLIDES: XmlLayout = {
  text: new Set(["a:t"]),
  skipped: new Set(["mc:fallback"]),
  before: { "a:br": "\n", "a:tab": "\t" },
  after: { "a:p": "\n", "a:tc": "\t" },
};
const SLIDE_PARTS = /^ppt\/(?:slides\/slide|notesSlides\/notesSlide)(\d{1,6})\.xml$/;

/** OpenDocument 1.3 part 3, 5 and 9: paragraphs and headings contain text, including all their descendants. */
const OPEN_DOCUMENT: XmlLayout = {
  text: new Set(["text:p", "text:h"]),
  skipped: new Set(["text:tracked-changes", "office:scripts", "office:automatic-styles", "svg:title"]),
  before: { "text:tab": "\t", "text:line-break": "\n", "text:s": " " },
  after: { "text:p": "\n", "text:h": "\n", "table:table-cell": "\t", "table:table-row": "\n", "draw:page": "\n" },
};

const SHEET_PARTS = /^xl\/worksheets\/sheet(\d{1,6})\.xml$/;
/** Limit of texts that cells share; sheets written by people have fewer. */
const MAX_SHARED_TEXTS = 1_000_000;

/** The office formats, each with a part that identifies it. */
const OFFICE_FORMATS: readonly {
  readonly part: string;
  readonly write: (parts: ZipParts, out: FileTextWriter) => void;
}[] = [
  { part: "word/document.xml", write: writeDocument },
  { part: "xl/workbook.xml", write: writeWorkbook },
  { part: "ppt/presentation.xml", write: writePresentation },
  { part: "content.xml", write: (parts, out) => writeXmlText(parts.part("content.xml")!, OPEN_DOCUMENT, out) },
];

/** Writes the main text, then footnotes, comments, headers and footers. */
function writeDocument(parts: ZipParts, out: FileTextWriter): void {
  const beside = parts.names.filter((name) => WORD_PARTS.test(name) && name !== "word/document.xml").sort();
  for (const name of ["word/document.xml", ...beside]) writeXmlText(parts.part(name)!, WORD, out);
}

/** Writes slides by number, each followed by its notes. */
function writePresentation(parts: ZipParts, out: FileTextWriter): void {
  const numbered = parts.names.flatMap((name) => {
    const number = SLIDE_PARTS.exec(name)?.[1];
    return number === undefined ? [] : [{ name, number: Number(number), isNote: name.includes("notes") }];
  });
  numbered.sort((a, b) => a.number - b.number || Number(a.isNote) - Number(b.isNote));
  for (const { name } of numbered) {
    writeXmlText(parts.part(name)!, SLIDES, out);
    out.write("\n");
  }
}

/**
 * Sheets in order: one line per row, cells separated by tabs; numbers as stored, dates formatted, results of
 * formulas.
 */
function writeWorkbook(parts: ZipParts, out: FileTextWriter): void {
  const strings = parts.part("xl/sharedStrings.xml");
  const shared = strings === null ? [] : sharedTexts(strings);
  const dates = cellDates(parts.part("xl/workbook.xml")!, parts.part("xl/styles.xml"));
  const sheets = parts.names
    .flatMap((name) => {
      const number = SHEET_PARTS.exec(name)?.[1];
      return number === undefined ? [] : [{ name, number: Number(number) }];
    })
    .sort((a, b) => a.number - b.number);
  for (const { name } of sheets) {
    writeSheet(parts.part(name)!, { shared, dates }, out);
    out.write("\n");
    if (out.isCut) return;
  }
}

/** Texts of `si` elements (18.4.8), without phonetic hints. */
function sharedTexts(xml: Buffer): readonly string[] {
  const tokens = new HtmlTokenizer(decodeCharset(xml, "utf-8"));
  const texts: string[] = [];
  let parts: string[] = [];
  let isInText = false;
  let isPhonetic = false;
  for (let hasTag = true; hasTag && texts.length < MAX_SHARED_TEXTS; ) {
    hasTag = tokens.next();
    if (isInText && !isPhonetic) parts.push(decodeReferences(tokens.html.slice(tokens.textStart, tokens.textEnd)));
    const { isEndTag } = tokens;
    const name = localName(tokens.name);
    if (name === "t") isInText = !isEndTag;
    else if (name === "rph") isPhonetic = !isEndTag;
    else if (name === "si" && isEndTag) {
      texts.push(parts.join(""));
      parts = [];
    }
  }
  return texts;
}

/** Data that the cells of all sheets refer to. */
interface Workbook {
  readonly shared: readonly string[];
  readonly dates: CellDates;
}

/** Cells (18.3.1.4): `v` contains a number or the index of a shared text; `t` contains inline text. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over tags, whose cells are one state
function writeSheet(xml: Buffer, { shared, dates }: Workbook, out: FileTextWriter): void {
  const tokens = new HtmlTokenizer(decodeCharset(xml, "utf-8"));
  let type = "n";
  let format = 0;
  let isInValue = false;
  for (let hasTag = true; hasTag && !out.isCut; ) {
    hasTag = tokens.next();
    if (isInValue) {
      const value = tokens.html.slice(tokens.textStart, tokens.textEnd);
      if (type === "s") out.write(shared[Number(value)] ?? "");
      else out.write(type === "n" ? cellText(value, format, dates) : decodeReferences(value));
    }
    const { isEndTag } = tokens;
    const name = localName(tokens.name);
    if (name === "c" && !isEndTag) {
      type = tokens.attribute("t") ?? "n";
      format = Number(tokens.attribute("s") ?? 0);
    } else if (name === "c") out.write("\t");
    else if (name === "row" && isEndTag) out.write("\n");
    isInValue = (name === "v" || name === "t") && !isEndTag;
  }
}

/** Some programs add a prefix to all names of the main namespace. */
function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

/** The text of a document of an office suite; null for another zip file. */
export function officeText(parts: ZipParts): FileTextWriter | null {
  const format = OFFICE_FORMATS.find(({ part }) => parts.has(part));
  if (format === undefined) return null;
  const out = new FileTextWriter();
  format.write(parts, out);
  return out;
}
