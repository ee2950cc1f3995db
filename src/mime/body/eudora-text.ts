import { SPACE } from "../../mail/words/ascii.ts";
import { enrichedToText } from "./enriched-text.ts";
import { unfoldFlowed } from "./flowed-text.ts";

/** A body as stored by Eudora: only the text of a message, with a mark of its type. */
interface EudoraBody {
  readonly text: string | null;
  readonly html: string | null;
}

const OPENING = /^\s{0,200}<x-(flowed|html|rich)>/i;
/** Characters searched for the mark. */
const OPENING_LENGTH = 220;
/**
 * `Attachment Converted: "C:\EUDORA\Attach\plan.doc"`, at the end of the text, with type and number on a Mac:
 * `Attachment converted: Disk:plan.doc (WDBN/MSWD) (0001)`.
 */
const CONVERTED =
  /^Attachment [Cc]onverted: {0,9}"?([^"\n]{1,1024}?)"?(?: \([^()\n]{4,9}\) \([\dA-Fa-f]{4,8}\))? {0,9}$/gm;
/** In every such line, on Windows and on a Mac; searched for first, because few texts have one. */
const CONVERTED_SIGN = "Attach";
/** Maximum files of one message. */
const MAX_CONVERTED_FILES = 1_000;

/** The body inside the marks of Eudora, and the text after them; null for other text. @param text line ends are LF. */
export function readEudoraBody(text: string): EudoraBody | null {
  const opening = text[firstVisible(text)] === "<" ? OPENING.exec(text.slice(0, OPENING_LENGTH)) : null;
  if (opening === null) return null;
  const kind = opening[1]!.toLowerCase();
  const close = `</x-${kind}>`;
  const start = opening[0].length;
  const end = text.toLowerCase().indexOf(close, start);
  const inner = text.slice(text[start] === "\n" ? start + 1 : start, end < 0 ? text.length : end);
  const rest = end < 0 ? "" : text.slice(end + close.length);
  if (kind === "html")
    return { text: null, html: rest.trim() === "" ? inner : `${inner}\n<pre>${escaped(rest)}</pre>` };
  const plain = kind === "flowed" ? unfoldFlowed(inner, false) : enrichedToText(inner, "enriched");
  return { text: `${plain}${rest}`, html: null };
}

function firstVisible(text: string): number {
  let at = 0;
  const end = Math.min(text.length, OPENING_LENGTH);
  while (at < end && text.charCodeAt(at) <= SPACE) at++;
  return at;
}

/** Paths of files that Eudora took out of a message, as it notes them in the text. */
export function convertedFiles(text: string): readonly string[] {
  if (!text.includes(CONVERTED_SIGN)) return [];
  const paths: string[] = [];
  for (const [, path] of text.matchAll(CONVERTED)) {
    if (paths.length < MAX_CONVERTED_FILES) paths.push(path!);
  }
  return paths;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
