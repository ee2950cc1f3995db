import { getResolvedPDFJS } from "unpdf";
import type { PDFDocumentProxy } from "unpdf/pdfjs";
import { type FileText, FileTextWriter, UnreadFile } from "./file-text.ts";

/** Maximum pages read: 500 take two seconds; 20,000 would take a minute. */
export const MAX_PDF_PAGES = 500;

/** Joins a word hyphenated at the end of a line: otherwise neither half is found. */
const DIVIDED = /(?<=\p{L})-\n(?=\p{Ll})/gu;

/** Only extracts text: nothing is rendered, compiled or fetched. */
const TEXT_ONLY = {
  isEvalSupported: false,
  disableFontFace: true,
  useSystemFonts: false,
  useWorkerFetch: false,
  enableXfa: false,
  verbosity: 0,
} as const;

/**
 * The text of a PDF by page, in content order. Empty for scanned pages. A hostile PDF can fill the memory or never
 * end, so it is read in a process that can be killed.
 */
export async function pdfText(bytes: Uint8Array): Promise<FileText> {
  const { getDocument } = await getResolvedPDFJS();
  // It takes ownership of the bytes.
  const opening = getDocument({ ...TEXT_ONLY, data: new Uint8Array(bytes) });
  try {
    return await textOfPages(await opening.promise);
  } catch (error) {
    if (error instanceof Error && error.name === "PasswordException") throw new UnreadFile("it is encrypted");
    throw error;
  } finally {
    await opening.destroy();
  }
}

async function textOfPages(document: PDFDocumentProxy): Promise<FileText> {
  const out = new FileTextWriter();
  for (let number = 1; number <= Math.min(document.numPages, MAX_PDF_PAGES) && !out.isCut; number++) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const lines = items.map((item) => ("str" in item ? `${item.str}${item.hasEOL ? "\n" : ""}` : "")).join("");
    out.write(`${lines.replace(DIVIDED, "")}\n\n`);
    page.cleanup();
  }
  const text = out.finish();
  return text.state === "read" && document.numPages > MAX_PDF_PAGES ? { ...text, isCut: true } : text;
}
